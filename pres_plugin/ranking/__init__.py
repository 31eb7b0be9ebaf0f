"""From runs to ranks, and from ranks to scores.

:mod:`.checks` checks runs and judgements in dicts, and :mod:`.dicts` ranks such runs.
:mod:`.tables` ranks runs in tables of polars. :mod:`.judgements` selects the documents whose ranks
are needed, and :mod:`.scores` computes scores from ranks, for every interface that stores ranks in
arrays.
"""
