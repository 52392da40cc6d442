"""Where something stands in a file."""

from typing import NamedTuple


class Place(NamedTuple):
    """A range in a file: lines and columns count from 1, columns in Unicode characters.

    The end is exclusive, as in an editor's selection. ``path`` is relative to the
    project's root and has forward slashes on every platform.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


def file_place(path: str) -> Place:
    """The start of a file, for findings about the file as a whole."""
    return Place(path, 1, 1, 1, 1)
