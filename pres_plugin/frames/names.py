"""Names of the columns while a run is scored.

No two names may differ only in case, since SQL ignores case.
"""

from __future__ import annotations

# The columns of a run and qrels.
QUERY, DOC, SCORE, RANK, RELEVANCE = "_query", "_doc", "_score", "_rank", "_relevance"

# A topic's number of judged documents (relevant or not), and its number of retrieved documents.
JUDGED, SIZE = "_judged", "_size"

# The error message for a row of a lazy frame; null if the row is right.
MESSAGE = "_message"
