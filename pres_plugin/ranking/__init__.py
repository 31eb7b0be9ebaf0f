"""From runs to ranks, and from ranks to scores.

:mod:`.inputs` checks runs and judgements in dicts, and :mod:`.dicts` finds the ranks of
the relevant documents. :mod:`.scores` computes scores from ranks, for every interface
that stores ranks in arrays.
"""
