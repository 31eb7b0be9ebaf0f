"""Read, check and score any measure of ir-measures, and keep invalid input from its providers."""
