"""Draw the analyses as matplotlib figures; one module per analysis.

Figures are created without pyplot, so you need not close them.
"""
