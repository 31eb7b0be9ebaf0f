"""Tables for papers."""
