"""TREC's text formats: :mod:`.files` reads them line by line, :mod:`.pieces` in dataframes."""
