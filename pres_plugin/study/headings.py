"""Readable headings for the columns of tables."""

from __future__ import annotations

_HEADINGS = {
    "query_id": "topic",
    "doc_id": "document",
    "n_max": "Nmax",
    "kendall_tau": "Kendall's τ",
    "spearman_rho": "Spearman's ρ",
    "tau_ap": "AP-weighted τ",
    "tau_ap_reversed": "AP-weighted τ, reversed",
    "p_value": "p-value",
    "standardised": "standardised difference",
    "improved": "topics improved",
    "worsened": "topics worsened",
    "equal": "topics equal",
    "low": "lower bound",
    "high": "upper bound",
    "fraction": "relevant documents kept",
    "lowest_tau": "lowest τ",
    "mean_tau": "mean τ",
    "highest_tau": "highest τ",
    "ahead_before": "ahead before crossing",
    "ahead_after": "ahead after crossing",
    "before": "Nmax before",
    "after": "Nmax after",
    "crossing": "crossing at Nmax",
    "crossing_score": "score at crossing",
    "counted_rank": "counted as rank",
    "ideal_rank": "ideal rank",
    "pres": "PRES",
    "rank_sum": "sum of ranks",
    "lowest": "lowest possible PRES",
    "highest": "highest possible PRES",
    "last_rank": "last rank",
}


def heading(column: str) -> str:
    """Return a column's heading in words; names of runs and measures stay as they are.

    >>> from pres_plugin.study.headings import heading
    >>> heading("tau_ap"), heading("PRES@100")
    ('AP-weighted τ', 'PRES@100')
    """
    return _HEADINGS.get(column, column)
