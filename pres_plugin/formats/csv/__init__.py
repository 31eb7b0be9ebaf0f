"""CSV and TSV with a header: :mod:`.files` reads them row by row, :mod:`.pieces` in dataframes."""
