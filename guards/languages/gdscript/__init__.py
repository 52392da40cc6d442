"""GDScript: parsed once, with the facts that rules ask for."""

from guards.languages.gdscript.facts import Facts
from guards.languages.gdscript.file import GDScriptFile
from guards.languages.gdscript.index import Index
from guards.project.model import FileInfo
from guards.source.text import SourceText

__all__ = ["Facts", "GDScriptFile", "Index", "open_file"]


def open_file(text: SourceText, info: FileInfo) -> GDScriptFile:
    """Parses a file.

    Raises:
        GrammarMissing: the grammar is not installed.
        GaveUp: parsing took too long.
    """
    return GDScriptFile(text, info)
