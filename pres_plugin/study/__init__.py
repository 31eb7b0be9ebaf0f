"""Repeat the papers' analyses with your own runs; one module per analysis.

Each analysis accepts judgements and runs as dicts of dicts, which :mod:`pres_plugin.formats`
reads from files, or in another form that ir-measures accepts. It returns numbers, most
of them in pandas DataFrames. :mod:`.pictures` draws them and :mod:`.report` writes them.

Runs can be an iterator of pairs of name and run. Each run is scored and released before
the next one is read, so many large runs need no more memory than one.
"""
