"""Build the report of each study: its tables and pictures, in reading order.

There is one module per study. The command writes or prints these parts, and a notebook shows
the first table and the first picture.
"""
