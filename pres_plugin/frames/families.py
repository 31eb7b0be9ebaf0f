"""Fold the documents in dataframes into families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pres_plugin.families import finder, without_order
from pres_plugin.frames.columns import find
from pres_plugin.measures.parsing import several
from pres_plugin.messages import InputError


def fold_families(
    frame: Any,
    families: Mapping[str, str] | str,
    value: str,
    *,
    query_id: str = "query_id",
    doc_id: str = "doc_id",
    by: str | Sequence[str] | None = None,
) -> Any:
    """Fold the documents of a run or of qrels in a dataframe into families.

    .. versionadded:: 0.2.0

    Parameters
    ----------
    frame : dataframe
        An eager frame of pandas, polars or PyArrow.
    families : dict of str to str, or 'publications'
        The family of each document; see :func:`pres_plugin.families.fold`.
    value : str
        The column of scores or of relevance. For each family in a topic, the row with the highest
        value is kept. If a run has only ranks, add a column that contains minus the rank.
    query_id, doc_id : str
        The columns of topic and document ids.
    by : str or sequence of str, optional
        The columns that tell runs apart, if the frame contains several.

    Returns
    -------
    dataframe
        A frame of the same library. It contains the rows that were kept, in the same order, with
        families in the column of document ids. :func:`score`, ir-measures and PyTerrier accept it.

    Raises
    ------
    InputError
        If a column is missing, or a score or relevance is missing or NaN.
    TypeError
        If `frame` is not an eager dataframe, or `families` is neither a dict nor a string.
    ValueError
        If `families` is a string other than 'publications'.

    Examples
    --------
    >>> import pandas as pd
    >>> from pres_plugin.frames import fold_families
    >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["EP1A1", "EP1B1"], "score": [1.5, 2.0]})
    >>> fold_families(run, {"EP1A1": "F1", "EP1B1": "F1"}, "score")
      query_id doc_id  score
    1       q1     F1    2.0
    """
    family_of = finder(families)
    rows = nw.from_native(frame, eager_only=True)
    keys = [*(() if by is None else several(by)), query_id, doc_id]
    find(rows, "frame", {column: column for column in (*keys, value)})
    unordered = np.isnan(rows.get_column(value).to_numpy().astype(np.float64)).tolist()
    for topic, document in rows.select(query_id, doc_id).filter(unordered).iter_rows():
        raise InputError(without_order(topic, document))
    # A missing id stays missing; scoring rejects it.
    given = rows.get_column(doc_id)
    ids = [
        None if is_missing else family_of(each) or each
        for each, is_missing in zip(given.to_list(), given.is_null().to_list(), strict=True)
    ]
    folded = nw.new_series(doc_id, ids, nw.String, backend=rows.implementation)
    place = "_place"
    rows = rows.with_columns(folded).with_row_index(place)
    best = rows.sort(value, descending=True).unique(keys, keep="first", maintain_order=True)
    return best.sort(place).drop(place).to_native()
