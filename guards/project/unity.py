"""Unity: what ``.asmdef`` and ``.asmref`` files say of the assemblies that they make."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from guards.project.disk import Disk, Unread
from guards.project.model import Unit
from guards.source.text import Unreadable, decode

_TEST_CONSTRAINTS = frozenset({"UNITY_INCLUDE_TESTS", "UNITY_TESTS_FRAMEWORK"})
_TEST_RUNNERS = frozenset(
    {
        "unityengine.testrunner",
        "unityeditor.testrunner",
        "guid:27619889b8ba8c24980f49ee34dbb44a",
        "guid:0acc523941302664db1f4e527237feb3",
    }
)
_NUNIT = "nunit.framework.dll"
_GUID = re.compile(rb"^guid:\s*([0-9a-fA-F]{32})\b", re.MULTILINE)


class Assemblies:
    """The assemblies of one repository.

    ``listing`` gives all guarded files; only an ``.asmref`` needs it.
    """

    def __init__(self, disk: Disk, listing: Callable[[], Sequence[str]]) -> None:
        self._disk = disk
        self._listing = listing
        self._units: dict[str, Unit] = {}

    def declared(self, path: str) -> Unit:
        """The assembly that an ``.asmdef`` declares; where it cannot be read, a unit with a ``note``."""
        if path not in self._units:
            try:
                self._units[path] = _unit(path, self._load(path))
            except Unread as error:
                self._units[path] = Unit("asmdef", "", path, facts=(("note", (str(error),)),))
        return self._units[path]

    def referred(self, path: str) -> Unit:
        """The assembly that an ``.asmref`` adds its folder to; a bare name where it is not in the project."""
        try:
            name = _text(self._load(path).get("reference"))
        except Unread as error:
            return Unit("asmdef", "", path, facts=(("note", (str(error),)),))
        known = self._by_guid if name.lower().startswith("guid:") else self._by_name
        found = known.get(name.lower(), [])
        if not found:
            return Unit("asmdef", name, path)
        return self.declared(max(found, key=lambda candidate: _closeness(candidate, path)))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        by_name: dict[str, list[str]] = {}
        for path in self._all():
            by_name.setdefault(self.declared(path).name.lower(), []).append(path)
        return by_name

    @cached_property
    def _by_guid(self) -> dict[str, list[str]]:
        by_guid: dict[str, list[str]] = {}
        for path in self._all():
            try:
                guid = _GUID.search(self._disk.read_project_file(f"{path}.meta"))
            except Unread:
                continue
            if guid:
                by_guid.setdefault(f"guid:{guid[1].decode().lower()}", []).append(path)
        return by_guid

    def _all(self) -> list[str]:
        return [path for path in self._listing() if path.endswith(".asmdef")]

    def _load(self, path: str) -> dict[str, object]:
        import json

        raw = self._disk.read_project_file(path)
        try:
            data = json.loads(decode(path, raw).data)
        except (Unreadable, ValueError, RecursionError):
            raise Unread("it is no JSON") from None
        if not isinstance(data, dict):
            raise Unread("it is no JSON object")
        return data


def _unit(path: str, data: dict[str, object]) -> Unit:
    constraints = _strings(data, "defineConstraints")
    references = _strings(data, "references")
    precompiled = _strings(data, "precompiledReferences")
    uses_nunit = any(name.lower() == _NUNIT for name in precompiled)
    test = (
        not _TEST_CONSTRAINTS.isdisjoint(constraints)
        or "TestAssemblies" in _strings(data, "optionalUnityReferences")
        or (uses_nunit and any(name.lower() in _TEST_RUNNERS for name in references))
    )
    frameworks = ("nunit", "utf") if test else ("nunit",) if uses_nunit else ()
    mode = ("EditMode" if set(_strings(data, "includePlatforms")) == {"Editor"} else "PlayMode") if test else ""
    facts = {
        "define-constraints": constraints,
        "precompiled": precompiled,
        "references": references,
        "test-frameworks": frameworks,
    }
    return Unit(
        "asmdef",
        _text(data.get("name")),
        path,
        test,
        mode,
        tuple((key, values) for key, values in facts.items() if values),
    )


def _strings(data: dict[str, object], key: str) -> tuple[str, ...]:
    values = data.get(key)
    return tuple(_text(value).strip() for value in values if isinstance(value, str)) if isinstance(values, list) else ()


def _text(value: object) -> str:
    """A string that can be written anywhere: JSON can spell halves of surrogate pairs."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _closeness(candidate: str, path: str) -> tuple[int, str]:
    """How many folders two paths share; of equally close ones the last by name, so that the answer is always one."""
    shared = 0
    for ours, theirs in zip(candidate.split("/")[:-1], path.split("/")[:-1], strict=False):
        if ours != theirs:
            break
        shared += 1
    return shared, candidate
