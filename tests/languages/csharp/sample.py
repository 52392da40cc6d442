"""A small project in memory: what the uses in its files mean."""

from guards.languages.csharp import CSharpFile, Index, open_file
from guards.project.model import TEST, FileInfo, Unit
from guards.source.text import SourceText

UNIT = Unit(
    "asmdef", "Sample.Tests", "Tests/Sample.Tests.asmdef", test=True, facts=(("test-frameworks", ("nunit", "utf")),)
)


def lines(*text: str) -> str:
    """Source text from its lines."""
    return "\n".join(text) + "\n"


class Sample:
    """Files of one project, all in one unit unless ``units`` says otherwise."""

    def __init__(self, files: dict[str, str], units: dict[str, Unit] | None = None) -> None:
        infos = {path: FileInfo(path, "csharp", TEST, (units or {}).get(path, UNIT)) for path in files}
        self.files: dict[str, CSharpFile] = {
            path: open_file(SourceText(path, text.encode()), infos[path]) for path, text in files.items()
        }
        self.index = Index({path: file.facts() for path, file in self.files.items()}, infos)

    def meant(self, member: str, path: str = "T.cs") -> list[tuple[int, str, tuple[str, ...]]]:
        """Each use of a member in a file: its line, its kinds, and the full names that it can have."""
        found: dict[tuple[int, int], tuple[list[str], tuple[str, ...]]] = {}
        for use in self.files[path].uses(member):
            kinds, _ = found.setdefault((use.place.line, use.place.column), ([], self.index.full_names(path, use)))
            kinds.append(use.kind)
        return [(line, "/".join(kinds), names) for (line, _), (kinds, names) in sorted(found.items())]

    def lines(self, member: str, full: str, path: str = "T.cs") -> list[int]:
        """The lines on which a member is used that can be the one with a full name."""
        return [line for line, _, names in self.meant(member, path) if full in names]

    def function(self, name: str, path: str = "T.cs") -> str:
        """The identity of the one function of a name."""
        rows = [row for row, function in enumerate(self.files[path].facts().functions) if function.name == name]
        assert len(rows) == 1, f"{name}: {rows}"
        return str(rows[0])

    def way(self, name: str, roots: str = "test", path: str = "T.cs") -> list[str] | None:
        """The messages of the way from a root to a function."""
        way = self.index.reach(path, self.function(name, path), roots)
        return None if way is None else [step.message for step in way]
