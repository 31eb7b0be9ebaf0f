"""Show results: as tables, in words, as pictures, on a page, and in files."""
