"""After the run: what its files prove, and what they do not.

``readers`` turn what is on disk into evidence and never raise on bad data; ``contracts`` are
lists of named conditions, each a pure function over evidence; ``judge`` makes the verdict.
"""
