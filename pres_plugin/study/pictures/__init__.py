"""The analyses drawn, as matplotlib figures; one module an analysis.

Figures are made without pyplot, so that drawing leaves nothing behind.
"""
