"""C#: one file, its facts, and the index of all files."""

from guards.languages.csharp.facts import Facts, Outline, outline
from guards.languages.csharp.file import CSharpFile
from guards.languages.csharp.index import Index
from guards.languages.csharp.reading import read
from guards.project.model import FileInfo
from guards.source.text import SourceText

__all__ = ["CSharpFile", "Facts", "Index", "Outline", "open_file", "outline"]


def open_file(text: SourceText, info: FileInfo) -> CSharpFile:
    """Parses one file.

    Raises:
        GaveUp: parsing took more CPU time than is allowed for a file.
    """
    return CSharpFile(read(text), info)
