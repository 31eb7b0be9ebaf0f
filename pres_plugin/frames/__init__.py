"""The measures on dataframes."""
