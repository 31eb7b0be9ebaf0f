"""From runs to ranks, and from ranks to scores.

:mod:`.inputs` checks dicts, :mod:`.dicts` finds the ranks of relevant documents in them,
and :mod:`.scores` turns ranks into scores, whatever they were found in.
"""
