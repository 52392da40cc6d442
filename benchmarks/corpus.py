"""Which files the tools are handed: those that a run of ours looks at, language by language."""

import os
from typing import NamedTuple

from guards.config.load import ConfigSet
from guards.config.model import CommandLine
from guards.engine.loader import catalogue
from guards.engine.plan import Planner
from guards.engine.run import LANGUAGES
from guards.project.files import ProjectFiles, Unread
from guards.project.model import PRODUCT


class Corpus(NamedTuple):
    """Files of one language in one project, sorted; their paths are relative to ``root``. ``size`` is in bytes."""

    root: str
    language: str
    files: tuple[str, ...]
    size: int

    @property
    def project(self) -> str:
        """The name of the project's folder."""
        return os.path.basename(self.root)

    def typical(self) -> str:
        """The file of median size."""
        by_size = sorted(self.files, key=lambda path: (os.path.getsize(os.path.join(self.root, path)), path))
        return by_size[len(by_size) // 2]


def corpora(root: str, preset: str, *, tests_only: bool) -> list[Corpus]:
    """The files of a project for which the planner has rules, by language.

    Product code is among them, because what a test calls tells what the test does; ``tests_only``
    leaves it out. Of a GDScript file only its contents tell, so all count as tests.
    """
    files = ProjectFiles(os.path.abspath(root))
    configs = ConfigSet.load(files.root, catalogue(), CommandLine(None, (preset,)))
    configs.load_all(files.listing())
    planner = Planner(catalogue())
    found: dict[str, dict[str, int]] = {language: {} for language in LANGUAGES}
    for path in files.listing():
        info = files.info(path)
        if info.language not in found or (tests_only and info.role == PRODUCT):
            continue
        if (
            not configs.config_for(path).excludes(path)
            and planner.plans[planner.plan(info, configs.settings_for(path))]
        ):
            try:
                found[info.language][path] = len(files.read(path))
            except Unread:
                continue
    return [
        Corpus(files.root, language, tuple(sizes), sum(sizes.values())) for language, sizes in found.items() if sizes
    ]
