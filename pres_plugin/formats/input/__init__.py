"""Open files, standard input and pipes, compressed or not, and read lines of text from them."""
