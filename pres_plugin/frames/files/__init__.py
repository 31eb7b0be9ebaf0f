"""Files of judgements and runs as frames: text in TREC's formats (:mod:`.trec`), Parquet."""
