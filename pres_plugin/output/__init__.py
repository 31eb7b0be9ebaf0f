"""Write results as tables: as text, for files and for papers; and numbers and names in words."""
