"""The configuration of a project: each path is governed by the nearest file with a table of ours."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from guards.config.catalogue import ACCEPTANCE, LANGUAGES, Catalogue, Forbid, OptionValue
from guards.config.globs import compile_globs, matches_any
from guards.config.layer import Layer, RuleId
from guards.config.locate import DEFAULT_BASELINE, OWN_FILE, ConfigFile, file_in, named_file
from guards.config.model import CommandLine, ConfigError, ProblemAt, Settings
from guards.config.names import Names
from guards.config.resolve import Chosen, RuleState, Said, SourceStep, settings, states
from guards.config.validate import Reader

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from guards.config.explain import Explanation

_Match: TypeAlias = "Callable[[str], re.Match[str] | None]"
DEFAULT_PRESETS = ("recommended",)


class Config:
    """What one configuration file says, over the presets; or the defaults, where there is none.

    ``path`` is the file (empty: defaults), ``folder`` where its globs are anchored, both
    relative to the root. ``presets`` are those in force, inherited ones before their heirs.
    """

    def __init__(self, catalogue: Catalogue, command_line: CommandLine, file: ConfigFile | None) -> None:
        self.path = file.path if file else ""
        self.folder = file.folder if file else ""
        self.notices: tuple[ProblemAt, ...] = ()
        self._file = file
        self._names = Names(catalogue)
        self._layers = _PresetLayers(catalogue, self._names, self.folder)
        self._own = self._read_own(catalogue, file)
        self.presets = self._layers.expanded(self._preset_names(catalogue, command_line))
        self._chosen = self._choose(command_line)
        self._by_overrides: dict[tuple[bool, ...], Settings] = {}

    def _read_own(self, catalogue: Catalogue, file: ConfigFile | None) -> Layer:
        if file is None:
            return Layer()
        reader = Reader(self._names, catalogue.presets, self.folder)
        layer = reader.layer(file.table, reader.rows(file.table))
        wrong = tuple(file.problem(p.key, p.message) for p in reader.problems if not p.notice)
        if wrong:
            raise ConfigError(tuple(sorted(wrong)))
        self.notices = tuple(file.problem(p.key, p.message) for p in reader.problems)
        return layer

    def _preset_names(self, catalogue: Catalogue, command_line: CommandLine) -> Iterable[str]:
        if command_line.presets is None:
            default = tuple(name for name in DEFAULT_PRESETS if name in catalogue.presets)
            return default if self._own.presets is None else self._own.presets
        reader = Reader(self._names, catalogue.presets, "")
        names = tuple(reader.preset_names((("--preset",), name) for name in command_line.presets))
        _refuse(reader)
        return names

    def _choose(self, command_line: CommandLine) -> Chosen:
        reader = Reader(self._names, (), "")
        select, ignore = (
            frozenset(rule for rule, _ in reader.selected(((option,), word) for word in words or ()))
            for option, words in (("--select", command_line.select), ("--ignore", command_line.ignore))
        )
        self.notices += _refuse(reader)
        return Chosen(None if command_line.select is None else select, ignore)

    @cached_property
    def exclude(self) -> tuple[str, ...]:
        """Globs, anchored at the root, of files that are not guarded."""
        return self._last(layer.exclude for layer in self._all_layers())

    @cached_property
    def allow_unanalysed(self) -> tuple[str, ...]:
        """Languages, and globs anchored at the root, of files that may stay unread."""
        return self._last(layer.allow_unanalysed for layer in self._all_layers())

    @property
    def baseline(self) -> str:
        """The path of the baseline, whether there is one or not."""
        return self._own.baseline or DEFAULT_BASELINE

    @cached_property
    def owned(self) -> tuple[str, ...]:
        """Names and globs of the project's own packages and types."""
        return self._last(layer.owned for layer in self._all_layers())

    @cached_property
    def acceptance(self) -> Mapping[str, OptionValue]:
        """What a run must show: every key of ``[acceptance]`` with its value."""
        defaults = {name: option.default for name, option in ACCEPTANCE.items()}
        return defaults | {name: value for name, (value, _) in self.stated_acceptance.items()}

    @cached_property
    def stated_acceptance(self) -> Mapping[str, tuple[OptionValue, str]]:
        """What ``[acceptance]`` says somewhere: each key with its value, and the preset or the line that says it."""
        return {
            name: (value, self._place(Said(source, ("acceptance", name))))
            for source, layer in self._all_sources()
            for name, value in layer.acceptance.items()
        }

    def excludes(self, path: str) -> bool:
        """Whether a file is not guarded."""
        return self._excluded is not None and self._excluded(path) is not None

    def allows_unanalysed(self, path: str, language: str) -> bool:
        """Whether a file that could not be read is acceptable."""
        globs = tuple(word for word in self.allow_unanalysed if word not in LANGUAGES)
        return language in self.allow_unanalysed or matches_any(globs, path)

    def rule_called(self, name: str) -> str:
        """What the rule of a name or alias is called now; empty where there is none."""
        return next((rule for rule, _ in self._names.named(name)), "")

    def known_rules(self) -> frozenset[str]:
        """Every name that a suppression may say: rules, rows and aliases."""
        return self._names.known()

    def settings_for(self, path: str) -> Settings:
        """What holds for a file that this configuration governs; equal settings are one object."""
        matching = tuple([match(path) is not None for match in self._overridden]) if self._overridden else ()
        if matching not in self._by_overrides:
            rows: Iterable[Forbid] = (*self._layers.rows, *self._own.forbid)
            self._by_overrides[matching] = settings(self._states(path), self._names, rows)
        return self._by_overrides[matching]

    def explain(self, path: str) -> "Explanation":
        """What holds for a file that this configuration governs, and where each part comes from."""
        from guards.config.explain import Explanation, explanations

        return Explanation(
            path=path,
            config=self.path,
            excluded=self.excludes(path),
            presets=self.presets,
            overrides=tuple(
                self._place(Said(source, override.key))
                for source, layer in self._all_sources()
                for override in layer.overrides
                if matches_any(override.paths, path)
            ),
            rules=explanations(self._states(path), self._names, self._place),
            owned=self.owned,
            acceptance=self.acceptance,
        )

    def _all_sources(self) -> Iterator[tuple[str, Layer]]:
        for name in self.presets:
            yield f"preset {name}", self._layers.layer(name)
        yield self.path, self._own

    def _all_layers(self) -> Iterator[Layer]:
        return (layer for _, layer in self._all_sources())

    def _last(self, said: Iterable[tuple[str, ...] | None]) -> tuple[str, ...]:
        """What the last source that says anything says."""
        return next((value for value in reversed(tuple(said)) if value is not None), ())

    # Asked for every file of a project, so the expressions are kept at hand.

    @cached_property
    def _excluded(self) -> "_Match | None":
        return compile_globs(self.exclude).match if self.exclude else None

    @cached_property
    def _overridden(self) -> "tuple[_Match, ...]":
        overrides = (override for layer in self._all_layers() for override in layer.overrides)
        return tuple(compile_globs(override.paths).match for override in overrides)

    def _states(self, path: str) -> dict[RuleId, RuleState]:
        return states(self._names, self._steps(path), self._chosen)

    def _steps(self, path: str) -> Iterator[SourceStep]:
        for source, layer in self._all_sources():
            yield SourceStep(source, layer.step, for_paths=False)
            for override in layer.overrides:
                if matches_any(override.paths, path):
                    yield SourceStep(source, override.step, for_paths=True)

    def _place(self, said: Said) -> str:
        if self._file is None or said.source != self.path:
            return said.source
        line = self._file.line(said.key)
        return f"{self.path}:{line}" if line else self.path


class _PresetLayers:
    """The presets as layers, each read when first asked for; their rows are known at once."""

    def __init__(self, catalogue: Catalogue, names: Names, folder: str) -> None:
        self._tables = catalogue.presets
        self._readers = {name: Reader(names, self._tables, folder) for name in self._tables}
        self._rows = {name: reader.rows(self._tables[name]) for name, reader in self._readers.items()}
        self._layers: dict[str, Layer] = {}

    @property
    def rows(self) -> Iterator[Forbid]:
        """The rows of all presets, in force or not."""
        return (row for rows in self._rows.values() for row, _ in rows)

    def layer(self, name: str) -> Layer:
        """A preset. What is wrong in one is left out: our tests refuse that, and no user can mend it."""
        if name not in self._layers:
            self._layers[name] = self._readers[name].layer(self._tables[name], self._rows[name])
        return self._layers[name]

    def expanded(self, names: Iterable[str]) -> tuple[str, ...]:
        """The presets to apply in order: a listed one at its place, an inherited one once, before its heir."""
        order: list[str] = []
        for name in names:
            order.extend(base for base in self._bases(name) if base not in order)
            order.append(name)
        return tuple(order)

    def _bases(self, name: str) -> tuple[str, ...]:
        return self.expanded(self.layer(name).presets or ())


class ConfigSet:
    """The configurations of a project, each loaded when a path first asks for it."""

    def __init__(self, root: str, catalogue: Catalogue, command_line: CommandLine) -> None:
        self._root = root
        self._catalogue = catalogue
        self._command_line = command_line
        self._by_folder: dict[str, Config] = {}
        self._notices: dict[ProblemAt, None] = {}

    @classmethod
    def load(cls, root: str, catalogue: Catalogue, command_line: CommandLine) -> "ConfigSet":
        """The configurations below a root; that of the root itself is loaded at once.

        Raises:
            ConfigError: the file at the root, or that of ``--config``, or the command line is
                wrong.
        """
        config_set = cls(root, catalogue, command_line)
        if command_line.config is None:
            config_set._by_folder[""] = config_set._in_folder("") or config_set._new(None)
        else:
            config_set._by_folder[""] = config_set._new(named_file(root, command_line.config))
        return config_set

    def load_all(self, paths: Iterable[str]) -> None:
        """Loads the configuration of every path.

        Raises:
            ConfigError: with the problems of all files that are wrong, not of the first alone.
        """
        problems: dict[ProblemAt, None] = {}
        for folder in dict.fromkeys(path.rpartition("/")[0] for path in paths):
            try:
                self._for_folder(folder)
            except ConfigError as error:
                problems.update(dict.fromkeys(error.problems))
        if problems:
            raise ConfigError(tuple(problems))

    def config_for(self, path: str) -> Config:
        """The configuration that governs a file; ``path`` is relative to the root, with slashes.

        Raises:
            ConfigError: the governing file is wrong.
        """
        return self._for_folder(path.rpartition("/")[0])

    def settings_for(self, path: str) -> Settings:
        """What holds for a file.

        Raises:
            ConfigError: the governing file is wrong.
        """
        return self.config_for(path).settings_for(path)

    def describe(self, path: str) -> "Explanation":
        """What holds for a file, rule by rule, and where each part comes from.

        Raises:
            ConfigError: the governing file is wrong.
        """
        return self.config_for(path).explain(path)

    def known_rules(self) -> frozenset[str]:
        """Every name that a suppression may say under some configuration loaded so far."""
        return frozenset().union(*(config.known_rules() for config in self._configs()))

    def owned(self) -> tuple[str, ...]:
        """The project's own names by all configurations loaded so far, sorted."""
        return tuple(sorted({name for config in self._configs() for name in config.owned}))

    def baseline(self) -> str:
        """The path of the baseline, as the configuration of the root says."""
        return self._by_folder[""].baseline

    def stated_acceptance(self) -> Mapping[str, tuple[OptionValue, str]]:
        """What a run must show, as the configuration of the root says; see ``Config``."""
        return self._by_folder[""].stated_acceptance

    def presets(self) -> tuple[str, ...]:
        """The presets in force at the root, inherited ones before their heirs."""
        return self._by_folder[""].presets

    def notices(self) -> tuple[ProblemAt, ...]:
        """What is worth saying of the configurations loaded so far, though it stops nothing; sorted."""
        return tuple(sorted(self._notices))

    def _configs(self) -> Iterable[Config]:
        return dict.fromkeys(self._by_folder.values())

    def _for_folder(self, folder: str) -> Config:
        unknown = []
        while folder not in self._by_folder:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        found = self._by_folder[folder]
        for inner in reversed(unknown):
            found = self._by_folder[inner] = self._inside(inner, found)
        return found

    def _inside(self, folder: str, outer: Config) -> Config:
        # With --config, one file governs all folders. And what an outer file excludes is not
        # guarded, so no file in it counts: it may be a fixture, and wrong on purpose.
        if self._command_line.config is not None or outer.excludes(f"{folder}/{OWN_FILE}"):
            return outer
        return self._in_folder(folder) or outer

    def _in_folder(self, folder: str) -> Config | None:
        file, notice = file_in(self._root, folder)
        if notice is not None:
            self._notices[notice] = None
        return self._new(file) if file else None

    def _new(self, file: ConfigFile | None) -> Config:
        config = Config(self._catalogue, self._command_line, file)
        self._notices.update(dict.fromkeys(config.notices))
        return config


def _refuse(reader: Reader) -> tuple[ProblemAt, ...]:
    """The notices about the command line.

    Raises:
        ConfigError: there are problems, too.
    """
    found = [(ProblemAt("command line", 0, str(p.key[0]), p.message), p.notice) for p in reader.problems]
    wrong = tuple(problem for problem, is_notice in found if not is_notice)
    if wrong:
        raise ConfigError(wrong)
    return tuple(problem for problem, _ in found)
