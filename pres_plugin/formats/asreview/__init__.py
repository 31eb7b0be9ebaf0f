"""ASReview's projects: :mod:`.project` reads them, :mod:`.files` turns them into runs and qrels."""
