"""What is known of the rules without importing one: the shape of ``rules/_table.py``."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

ERROR = "error"
WARNING = "warning"
NOTE = "note"
OFF = "off"
SEVERITIES = (ERROR, WARNING, NOTE)

# The values that an option can have, as TOML gives them. A tuple of strings is a list of
# names or globs; a mapping is a table of such.
OptionValue: TypeAlias = "bool | int | float | str | tuple[str, ...] | Mapping[str, OptionValue]"


class Option(NamedTuple):
    """One option of a rule: the type is that of the default.

    ``choices`` limits a string, or each string of a list. ``doc`` is one sentence for the page
    and the schema. ``paths`` says that the strings are globs of paths: configuration checks
    them and anchors them at the root, so that ``guards.config.globs`` matches them as they are.
    """

    default: OptionValue
    doc: str
    choices: tuple[str, ...] = ()
    paths: bool = False


class Forbid(NamedTuple):
    """An API that must not be used: one row, whether a rule module, a preset or a user wrote it.

    ``api`` is a full name or a glob over full names (``UnityEditor.EditorPrefs.Set*``).
    ``use`` is ``call``, ``read``, ``write`` or ``any``. ``where`` is ``any``, ``test``,
    ``lifecycle``, ``reached-from-test`` or ``reached-from-lifecycle``. ``unit`` limits the row
    to a mode (``EditMode``) or to a unit's name. ``arguments`` maps a position ("0") or a
    keyword to a glob: the row holds only where each is present and folds to a constant that
    matches. ``allow_paths`` are globs of files in which the API may be used.
    """

    name: str
    api: str
    language: str
    use: str = "any"
    where: str = "test"
    unit: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    instead: str = ""
    why: str = ""
    allow_paths: tuple[str, ...] = ()
    severity: str = ""


USES = ("call", "read", "write", "any")
WHERE = ("any", "test", "lifecycle", "reached-from-test", "reached-from-lifecycle")
LANGUAGES = ("csharp", "gdscript", "python")


class RuleEntry(NamedTuple):
    """One rule in one language.

    ``needs`` are the kinds of fact that a file must have for the rule to be loaded, any of
    them; none means always. ``triggers`` are literals of which product code must hold one
    to be looked at. ``roles`` are the roles of files that the rule looks at.
    """

    name: str
    code: str
    language: str
    module: str
    class_name: str
    severity: str
    summary: str
    confidence: str = "high"
    roles: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    related_places: bool = False
    options: tuple[tuple[str, Option], ...] = ()
    aliases: tuple[str, ...] = ()


# What ``[acceptance]`` may say: the evidence that a run must show.
ACCEPTANCE: Mapping[str, Option] = {
    "mode": Option("", "The Unity test mode that the run must be of.", choices=("EditMode", "PlayMode")),
    "filter": Option("", "The filter that the run must have been made with."),
    "framework-version": Option("", "The version of the test framework that must have been loaded."),
    "editor-version": Option("", "The version of the editor that must have run the tests."),
    "min-tests": Option(0, "The least number of tests that a run must have."),
    "allow-skip": Option((), "Globs of the tests that may be skipped."),
    "allow-rerun": Option((), "Globs of the tests that may take more than one attempt."),
    "hooks": Option((), "SHA-256 hashes of files whose outcome-changing hooks were reviewed."),
    "plugins": Option((), "Names of the test runner's plug-ins that may be active."),
    "worker-only-categories": Option((), "Categories of tests that run in a disposable worker alone."),
}

# What a preset says: the tables of its TOML file, in exactly the shape of the user's own.
PresetTable: TypeAlias = Mapping[str, object]


class Catalogue(NamedTuple):
    """All built-in rules, in the order of their codes, and the presets by name.

    Configuration imports no rule: the engine builds this from ``rules/_table.py`` and
    ``rules/_presets.py`` and hands it in.
    """

    entries: tuple[RuleEntry, ...]
    presets: Mapping[str, PresetTable] = {}

    def names(self) -> tuple[str, ...]:
        """Rule names, sorted, each once."""
        return tuple(sorted({entry.name for entry in self.entries}))

    def entries_for(self, name: str) -> tuple[RuleEntry, ...]:
        """The entries of one rule, one a language."""
        return tuple(entry for entry in self.entries if entry.name == name)
