"""What a rule is given beside a file: its options, and the project as a whole."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, cast

from guards.config.catalogue import OptionValue

if TYPE_CHECKING:
    from guards.languages.base import LanguageIndex, ProjectFacts
    from guards.languages.csharp import Facts as CSharpFacts
    from guards.languages.csharp import Index as CSharpIndex
    from guards.languages.csharp import Outline as CSharpOutline
    from guards.languages.gdscript import Facts as GDScriptFacts
    from guards.languages.gdscript import Index as GDScriptIndex
    from guards.languages.python import Facts as PythonFacts
    from guards.languages.python import Index as PythonIndex


class Options:
    """The options of one rule that hold for one file; configuration has checked their types."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, OptionValue]) -> None:
        self._values = values

    def flag(self, name: str) -> bool:
        """An option that is true or false."""
        return self._values[name] is True

    def number(self, name: str) -> float:
        """A numeric option."""
        value = self._values[name]
        if not isinstance(value, int | float):
            raise TypeError(name)
        return value

    def text(self, name: str) -> str:
        """A string option."""
        return str(self._values[name])

    def names(self, name: str) -> tuple[str, ...]:
        """A list of names or globs."""
        value = self._values[name]
        if not isinstance(value, tuple):
            raise TypeError(name)
        return value

    def table(self, name: str) -> Mapping[str, OptionValue]:
        """A table."""
        value = self._values[name]
        if not isinstance(value, Mapping):
            raise TypeError(name)
        return value


class Project:
    """The project as ``judge`` sees it: indexes of facts, built when first asked for.

    ``load_facts`` gives all files of a language, ``options_for`` the options of a rule at a path,
    ``rule_names`` every name that configuration knows. ``reported`` are the files of which
    findings are asked for; None for all.
    """

    def __init__(
        self,
        load_facts: "Callable[[str], ProjectFacts]",
        options_for: Callable[[str, str], Options],
        rule_names: frozenset[str],
        owned: tuple[str, ...] = (),
        reported: frozenset[str] | None = None,
    ) -> None:
        self.rule_names = rule_names
        self.owned = owned
        self._reported = reported
        self._load_facts = load_facts
        self.options_for = options_for

    def is_reported(self, path: str) -> bool:
        """Whether a finding that has no place outside of a file is of interest to anybody."""
        return self._reported is None or path in self._reported

    @cached_property
    def csharp(self) -> "CSharpIndex":
        """Types, usings and methods of the C# files."""
        from guards.languages.csharp import Index

        files, facts, outlines = self._load_facts("csharp")
        return Index(
            cast("Mapping[str, CSharpFacts]", facts), files, cast("Mapping[str, CSharpOutline] | None", outlines)
        )

    @cached_property
    def gdscript(self) -> "GDScriptIndex":
        """Script classes, their bases and functions."""
        from guards.languages.gdscript import Index

        files, facts, _ = self._load_facts("gdscript")
        return Index(cast("Mapping[str, GDScriptFacts]", facts), files)

    @cached_property
    def python(self) -> "PythonIndex":
        """Modules, their bindings and fixtures."""
        from guards.languages.python import Index

        files, facts, _ = self._load_facts("python")
        return Index(cast("Mapping[str, PythonFacts]", facts), files, self.owned)

    def index(self, language: str) -> "LanguageIndex":
        """The index of a language by its name."""
        index: LanguageIndex = getattr(self, language)
        return index
