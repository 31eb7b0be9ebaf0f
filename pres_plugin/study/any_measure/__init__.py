"""Read and score any measure of ir-measures."""
