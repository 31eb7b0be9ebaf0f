"""Tests, corrections, effect sizes and confidence intervals of differences between runs."""
