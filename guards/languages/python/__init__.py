"""Python: files of pytest suites, and what names in them mean on the project."""

from guards.languages.python.facts import Facts
from guards.languages.python.file import PythonFile, open_file
from guards.languages.python.index import Index

__all__ = ["Facts", "Index", "PythonFile", "open_file"]
