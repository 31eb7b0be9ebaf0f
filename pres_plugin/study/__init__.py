"""The papers' analyses, for your own runs; one module per analysis.

Each analysis takes judgements and runs as dicts of dicts, or as :mod:`pres_plugin.trec`
reads them. It returns numbers, most of them in pandas DataFrames. :mod:`.pictures`
draws them and :mod:`.report` writes them to a file.

You can pass runs as an iterator of pairs of name and run. Each run is scored and
released before the next one is read, so many large runs need no more memory than one.
"""
