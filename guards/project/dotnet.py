""".NET: what a ``.csproj`` and the files that it imports say of a project."""

import re

from guards.project.disk import Disk
from guards.project.model import Unit
from guards.project.msbuild import Evaluation, Item, XmlFiles

_TEST_SDK = "microsoft.net.test.sdk"
# Packages that bring a framework's attributes, by lower-cased name.
_FRAMEWORKS = (
    ("nunit", re.compile(r"nunit|nunitlite|nunit\.framework(?:\.legacy)?")),
    ("xunit", re.compile(r"xunit|xunit\.(?:core|assert|extensibility\.core|extensibility\.execution|skippablefact)")),
    ("xunit.v3", re.compile(r"xunit\.v3(?:\..+)?")),
    ("mstest", re.compile(r"mstest|mstest\.testframework|microsoft\.visualstudio\.\w+\.(?:test|unittest)framework")),
    ("tunit", re.compile(r"tunit|tunit\.(?:core|engine)")),
)
_CORE_USINGS = (
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
)
_HOSTING_USINGS = (
    "Microsoft.Extensions.Configuration",
    "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting",
    "Microsoft.Extensions.Logging",
)
_WEB_USINGS = (
    "System.Net.Http.Json",
    "Microsoft.AspNetCore.Builder",
    "Microsoft.AspNetCore.Hosting",
    "Microsoft.AspNetCore.Http",
    "Microsoft.AspNetCore.Routing",
    *_HOSTING_USINGS,
)
_SDK_USINGS = {
    "microsoft.net.sdk.web": _WEB_USINGS,
    "microsoft.net.sdk.worker": _HOSTING_USINGS,
    "mstest.sdk": ("Microsoft.VisualStudio.TestTools.UnitTesting",),
}
_TUNIT_USINGS = ("TUnit.Assertions", "TUnit.Assertions.Extensions", "TUnit.Core")


class DotnetProjects:
    """The .NET projects of one repository."""

    def __init__(self, disk: Disk) -> None:
        self._files = XmlFiles(disk)
        self._units: dict[str, Unit] = {}

    def unit(self, path: str) -> Unit:
        """The unit of one ``.csproj``; where that cannot be read, a unit with a ``note``."""
        if path not in self._units:
            self._units[path] = _unit(path, Evaluation(self._files, path))
        return self._units[path]


def _unit(path: str, project: Evaluation) -> Unit:
    sdks = [sdk.partition("/")[0].strip().lower() for sdk in project.sdks]
    items = project.items()
    packages = _packages(items, sdks)
    if _TEST_SDK in packages and "istestproject" not in project.properties:
        # The package itself says so, and other files' conditions ask for it.
        project.properties["istestproject"] = "true"
        items = project.items()
        packages = _packages(items, sdks)
    frameworks = _frameworks(packages, items)
    says = project.flag("IsTestProject")
    test = bool(frameworks or _TEST_SDK in packages) if says is None else says
    facts = {
        "note": (project.note,) if project.note else (),
        "packages": tuple(sorted(f"{name}@{version}" if version else name for name, version in packages.values())),
        "test-frameworks": frameworks,
        "usings": _usings(project, items, sdks, frameworks),
    }
    name = project.properties.get("assemblyname") or path.rpartition("/")[2].removesuffix(".csproj")
    return Unit("csproj", name, path, test, facts=tuple((key, values) for key, values in facts.items() if values))


def _packages(items: list[Item], sdks: list[str]) -> dict[str, tuple[str, str]]:
    """Name and version of each package, by lower-cased name; versions may stand in one central place."""
    packages: dict[str, tuple[str, str]] = {}
    central: dict[str, str] = {}
    for item in items:
        for name in _names(item.value("Include")):
            if item.kind in {"PackageReference", "GlobalPackageReference"}:
                packages[name.lower()] = (name, item.value("VersionOverride") or item.value("Version"))
            elif item.kind == "PackageVersion":
                central[name.lower()] = item.value("Version")
        for name in _names(item.value("Update")):
            if item.kind == "PackageReference" and name.lower() in packages and item.value("Version"):
                packages[name.lower()] = (name, item.value("Version"))
        for name in _names(item.value("Remove")):
            if item.kind == "PackageReference":
                packages.pop(name.lower(), None)
    if "mstest.sdk" in sdks:
        packages.setdefault("mstest.testframework", ("MSTest.TestFramework", ""))
    return {key: (name, version or central.get(key, "")) for key, (name, version) in packages.items()}


def _frameworks(packages: dict[str, tuple[str, str]], items: list[Item]) -> tuple[str, ...]:
    """Test frameworks by their packages, or by assemblies referenced in the old way."""
    assemblies = {item.value("Include").partition(",")[0].strip().lower() for item in items if item.kind == "Reference"}
    names = packages.keys() | assemblies
    return tuple(sorted(key for key, pattern in _FRAMEWORKS if any(pattern.fullmatch(name) for name in names)))


def _usings(project: Evaluation, items: list[Item], sdks: list[str], frameworks: tuple[str, ...]) -> tuple[str, ...]:
    """Global usings: those of the SDKs where implicit ones are on, then what the items add and remove."""
    usings: set[str] = set()
    implicit = project.flag("ImplicitUsings") is True
    if implicit and any(sdk.startswith("microsoft.net.sdk") or sdk == "mstest.sdk" for sdk in sdks):
        usings.update(_CORE_USINGS)
        for sdk in sdks:
            usings.update(_SDK_USINGS.get(sdk, ()))
    if implicit and "tunit" in frameworks and project.flag("TUnitImplicitUsings") is not False:
        usings.update(_TUNIT_USINGS)
    for item in items:
        if item.kind != "Using":
            continue
        for name in _names(item.value("Include")):
            usings.add(_spelled(name, item))
        for name in _names(item.value("Remove")):
            usings = {using for using in usings if using.rpartition("=")[2].removeprefix("static ") != name}
    return tuple(sorted(usings))


def _spelled(name: str, item: Item) -> str:
    if alias := item.value("Alias"):
        return f"{alias}={name}"
    return f"static {name}" if item.value("Static").lower() == "true" else name


def _names(value: str) -> list[str]:
    return [name for part in value.split(";") if (name := part.strip())]
