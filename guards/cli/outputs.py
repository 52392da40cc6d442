"""Where reports go: ``--output FORMAT[=FILE]``."""

from typing import NamedTuple


class BadOutput(Exception):
    """An output that cannot be written; ``str()`` says which and why."""


class Output(NamedTuple):
    """A format and the file it goes to; an empty file is standard output."""

    format: str
    file: str
