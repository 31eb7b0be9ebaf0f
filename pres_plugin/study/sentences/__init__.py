"""The results of studies in a few plain sentences, computed from the numbers."""
