"""Show results as pictures, on a page, and in files."""
