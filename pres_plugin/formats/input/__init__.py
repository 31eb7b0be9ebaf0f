"""Where bytes come in: files, standard input, pipes and compressed files, and lines of text."""
