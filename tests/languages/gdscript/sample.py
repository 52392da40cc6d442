"""A small Godot project in memory: what its scripts declare, derive from and use."""

from guards.languages.gdscript import GDScriptFile, Index, open_file
from guards.languages.gdscript.chains import Chain
from guards.languages.gdscript.facts import Function
from guards.project.model import UNDECIDED, FileInfo, Unit
from guards.source.text import SourceText


def lines(*text: str) -> str:
    """Source text from its lines."""
    return "\n".join(text) + "\n"


def script(text: str, path: str = "a.gd", project: str = "project.godot") -> GDScriptFile:
    """One script of a Godot project."""
    return open_file(SourceText(path, text.encode()), FileInfo(path, "gdscript", UNDECIDED, Unit("godot", "", project)))


class Sample:
    """Scripts of one Godot project at the root, or of those that ``projects`` names by path."""

    def __init__(self, files: dict[str, str], projects: dict[str, str] | None = None) -> None:
        self.files = {
            path: script(text, path, (projects or {}).get(path, "project.godot")) for path, text in files.items()
        }
        infos = {path: file.info for path, file in self.files.items()}
        self.index = Index({path: file.facts() for path, file in self.files.items()}, infos)

    def chain(self, path: str = "a.gd", name: str = "") -> Chain:
        """What the script, or an inner class of it, derives from."""
        names = [declared.name if row else "" for row, declared in enumerate(self.files[path].facts().classes)]
        return self.index.chain(path, names.index(name))

    def bases(self, path: str = "a.gd", name: str = "") -> str:
        """The chain in words: ``a.gd > b.gd:Inner > engine Node``."""
        chain = self.chain(path, name)
        steps = [
            f"{ref.path}:{self.files[ref.path].facts().classes[ref.row].name}" if ref.row else ref.path
            for ref in chain.classes
        ]
        return " > ".join((*steps, chain.end if chain.end == chain.name else f"{chain.end} {chain.name}".strip()))

    def meant(self, member: str, path: str = "a.gd") -> list[tuple[int, str, tuple[str, ...]]]:
        """Each use of a member in a file: its line, its kinds, and the full names that it can have."""
        found: dict[tuple[int, int], tuple[list[str], tuple[str, ...]]] = {}
        for use in self.files[path].uses(member):
            kinds, _ = found.setdefault((use.place.line, use.place.column), ([], self.index.full_names(path, use)))
            kinds.append(use.kind)
        return [(line, "/".join(kinds), names) for (line, _), (kinds, names) in sorted(found.items())]

    def lines(self, full: str, path: str = "a.gd") -> list[int]:
        """The lines on which something is used that can be the member of a full name."""
        return [line for line, _, names in self.meant(full.rpartition(".")[2], path) if full in names]

    def way(self, name: str, roots: str = "test", path: str = "a.gd") -> list[str] | None:
        """The messages of the way from a root to the one function of a name."""
        rows = [row for row, function in enumerate(self.files[path].facts().functions) if function.name == name]
        assert len(rows) == 1, f"{name}: {rows}"
        way = self.index.reach(path, str(rows[0]), roots)
        return None if way is None else [step.message for step in way]


def functions(text: str) -> dict[str, Function]:
    """The functions of the script class by name."""
    return {function.name: function for function in script(text).facts().functions if function.owner == 0}
