"""Repeat the papers' analyses with your own runs: one folder per study.

Each study accepts judgements and runs, ranks each run once, and returns its result as numbers.
In each folder, ``analysis`` computes the result. Except in ``check``, ``picture`` draws it, and
``report`` describes it and puts everything together. The studies share ``arguments`` and ``runs``,
which check the input, ``scoring``, ``result``, and the folders ``statistics``, and ``output`` for
pages, files and the style of pictures.

Runs can be an iterator of pairs of name and run. Each run is ranked and released before
the next one is read, so many large runs need no more memory than one.
"""

from pres_plugin.messages import imported

imported("polars", "studies need polars", "study")
