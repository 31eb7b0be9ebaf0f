"""A transformer of PyTerrier that folds retrieved documents into families."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pres_plugin.families import finder, without_order
from pres_plugin.messages import imported

if TYPE_CHECKING:
    from pyterrier import Transformer
    from pyterrier.model import add_ranks
else:
    try:
        from pyterrier import Transformer
        from pyterrier.model import add_ranks
    except ModuleNotFoundError:  # then help() describes the class, but it has no instances
        Transformer = object


class FoldFamilies(Transformer):
    """Fold retrieved documents into families, each with the score of its best member.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    families : dict of str to str, or 'publications'
        The family of each document; see :func:`pres_plugin.families.fold`.

    Raises
    ------
    ImportError
        If PyTerrier is not installed.
    TypeError, ValueError
        If `families` is neither a dict nor 'publications'.

    See Also
    --------
    pres_plugin.frames.fold_families : Fold the judgements, with ``value="label"``,
        ``query_id="qid"`` and ``doc_id="docno"``.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyterrier as pt
    >>> import pres_plugin
    >>> docs = {"docno": ["EP1234567A1", "EP1234567B1", "US1"], "score": [3.0, 2.0, 1.0]}
    >>> found = pt.Transformer.from_df(pd.DataFrame({"qid": "q1", "query": "valve"} | docs))
    >>> system = found >> pt.pres.FoldFamilies("publications")
    >>> system.search("valve", qid="q1")[["docno", "rank"]].values.tolist()
    [['EP1234567', 0], ['US1', 1]]
    """

    def __init__(self, families: Mapping[str, str] | str) -> None:
        imported("pyterrier", "FoldFamilies is a transformer of PyTerrier", "pyterrier")
        self._family_of = finder(families)

    def transform(self, inp: Any) -> Any:
        """Return the rows of the best members, with new ranks; raise a ValueError for NaN."""
        for qid, docno in inp.loc[inp["score"].isna(), ["qid", "docno"]].itertuples(index=False):
            raise ValueError(without_order(qid, docno))
        families = [self._family_of(doc_id) or doc_id for doc_id in inp["docno"]]
        rows = inp.reset_index(drop=True).assign(docno=families)
        best = rows.sort_values("score", ascending=False, kind="stable")
        best = best.drop_duplicates(["qid", "docno"]).sort_index()
        return add_ranks(best.reset_index(drop=True))
