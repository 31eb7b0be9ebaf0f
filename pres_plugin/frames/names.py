"""Names of the columns while a run is scored.

No two names may differ only in case, since SQL ignores case.
"""

from __future__ import annotations

from pres_plugin.measures.measure import View

# The columns of a run and qrels.
QUERY, DOC, SCORE, RANK, RELEVANCE = "_query", "_doc", "_score", "_rank", "_relevance"

# A topic's number of judged documents (relevant or not), and its number of retrieved documents.
JUDGED, SIZE = "_judged", "_size"

# How messages name a row; `Engine.guarded` replaces the columns in braces by the row's values.
TOPIC_AND_DOCUMENT = f"topic '{{{QUERY}}}', document '{{{DOC}}}'"


def n_column(view: View) -> str:
    """Name the column with the number of relevant documents."""
    return f"_n_{view.rel}"
