"""Show results as HTML: as the page of a report, or as the output of a notebook's cell."""
