"""The internal names of columns.

No two names may differ only in case, since SQL ignores case.
"""

from __future__ import annotations

__all__ = [
    "DOC",
    "JUDGED",
    "QUERY",
    "RANK",
    "RELEVANCE",
    "SCORE",
    "SIZE",
    "TOPIC_AND_DOCUMENT",
]

# The columns of a run and qrels.
QUERY, DOC, SCORE, RANK, RELEVANCE = "_query", "_doc", "_score", "_rank", "_relevance"

# The number of documents per topic that are judged, relevant or not, and that are retrieved.
JUDGED, SIZE = "_judged", "_size"

# The place of a row in an error message, for `Engine.guarded`.
TOPIC_AND_DOCUMENT = f"topic '{{{QUERY}}}', document '{{{DOC}}}'"
