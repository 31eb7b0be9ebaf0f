"""What columns are called between the user's frames and the result.

No two may differ in case only: SQL would not tell them apart.
"""

from __future__ import annotations

__all__ = ["DOC", "JUDGED", "QUERY", "RANK", "RELEVANCE", "SCORE", "SIZE"]

# Of a run and qrels.
QUERY, DOC, SCORE, RANK, RELEVANCE = "_query", "_doc", "_score", "_rank", "_relevance"

# Of a topic: how many documents are judged, relevant or not, and how many retrieved.
JUDGED, SIZE = "_judged", "_size"
