""".NET: what a ``.csproj`` and the files that it imports say of a project."""

import re
from collections.abc import Collection

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
    packages = _packages(project, sdks)
    if _TEST_SDK in packages and "istestproject" not in project.properties:
        # The package itself says so, and other files' conditions ask for it.
        project.properties["istestproject"] = "true"
        packages = _packages(project, sdks)
    frameworks = _frameworks(project, packages)
    says = project.flag("IsTestProject")
    test = bool(frameworks or _TEST_SDK in packages) if says is None else says
    facts = {
        "note": (project.note,) if project.note else (),
        "packages": tuple(sorted(f"{name}@{version}" if version else name for name, version in packages.values())),
        "test-frameworks": frameworks,
        "usings": _usings(project, sdks, frameworks),
    }
    name = project.properties.get("assemblyname") or path.rpartition("/")[2].removesuffix(".csproj")
    return Unit("csproj", name, path, test, facts=tuple((key, values) for key, values in facts.items() if values))


def _packages(project: Evaluation, sdks: list[str]) -> dict[str, tuple[str, str]]:
    """Name and version of each package, by lower-cased name."""
    packages: dict[str, tuple[str, str]] = {}
    for item in project.items("PackageReference", "GlobalPackageReference"):
        version = item.value("VersionOverride") or item.value("Version")
        for name in _names(item.value("Include")):
            packages[name.lower()] = (name, version)
        for name in _names(item.value("Update")):
            if name.lower() in packages and version:
                packages[name.lower()] = (name, version)
        for name in _names(item.value("Remove")):
            packages.pop(name.lower(), None)
    if "mstest.sdk" in sdks:
        packages.setdefault("mstest.testframework", ("MSTest.TestFramework", ""))
    for item in project.items("PackageVersion", names=packages):
        name, version = packages.get(item.value("Include").lower(), ("", ""))
        if name and not version:
            packages[name.lower()] = (name, item.value("Version"))
    return packages


def _frameworks(project: Evaluation, packages: Collection[str]) -> tuple[str, ...]:
    """Test frameworks by their packages, or by assemblies referenced in the old way."""
    names = {item.value("Include").partition(",")[0].strip().lower() for item in project.items("Reference")}
    names.update(packages)
    return tuple(sorted(key for key, pattern in _FRAMEWORKS if any(pattern.fullmatch(name) for name in names)))


def _usings(project: Evaluation, sdks: list[str], frameworks: tuple[str, ...]) -> tuple[str, ...]:
    """Global usings: those of the SDKs where implicit ones are on, then what the items add and remove."""
    usings: set[str] = set()
    implicit = project.flag("ImplicitUsings") is True
    if implicit and any(sdk.startswith("microsoft.net.sdk") or sdk == "mstest.sdk" for sdk in sdks):
        usings.update(_CORE_USINGS)
        for sdk in sdks:
            usings.update(_SDK_USINGS.get(sdk, ()))
    if implicit and "tunit" in frameworks and project.flag("TUnitImplicitUsings") is not False:
        usings.update(_TUNIT_USINGS)
    for item in project.items("Using"):
        usings.update(_spelled(name, item) for name in _names(item.value("Include")))
        removed = _names(item.value("Remove"))
        usings = {using for using in usings if using.rpartition("=")[2].removeprefix("static ") not in removed}
    return tuple(sorted(usings))


def _spelled(name: str, item: Item) -> str:
    if alias := item.value("Alias"):
        return f"{alias}={name}"
    return f"static {name}" if item.value("Static").lower() == "true" else name


def _names(value: str) -> list[str]:
    return [name for part in value.split(";") if (name := part.strip())]
