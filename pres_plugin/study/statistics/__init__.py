"""Tests, corrections, effect sizes and confidence intervals, and correlations of orderings."""
