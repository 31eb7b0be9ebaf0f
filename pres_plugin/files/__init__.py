"""Files of judgements and runs, read as frames, piece by piece.

:mod:`.qrels` and :mod:`.runs` are what the arguments of a command stand for;
:mod:`.trec` (on :mod:`.text`) and :mod:`.parquet` read the two formats.
"""
