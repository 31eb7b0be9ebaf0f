"""The papers' analyses on runs of one's own; one module an analysis.

Each takes judgements and runs as dicts of dicts, or as :mod:`pres_plugin.trec`
reads them, and returns numbers, most of them as pandas DataFrames. What draws
them is apart, in :mod:`.pictures`, and so is what writes them down, in
:mod:`.report`.

Runs may come one at a time, as pairs of name and run: each is scored and let go
before the next, so that many large ones need no more memory than one.
"""
