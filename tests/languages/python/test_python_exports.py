"""What ``import *`` takes of a module, and modules that have names which no statement binds."""

import pytest
from languages.python.sample import indexed, opened

from guards.languages.python.modules import OWNED

TEST = "tests/app/test_camera.py"
INNER = "def shot(): ...\ndef pan(): ...\ndef _zoom(): ...\n"
OTHER = '__all__ = ["tilt", "roll"]\ndef tilt(): ...\ndef roll(): ...\ndef yaw(): ...\n'


def meaning(name: str, inner: str, outer: str = "from app.inner import *\n") -> str:
    """What a name of ``app.outer`` is: its kind."""
    files = {
        "src/app/__init__.py": "",
        "src/app/inner.py": inner,
        "src/app/other.py": OTHER,
        "src/app/outer.py": outer,
        TEST: "",
    }
    (found,) = indexed(files).resolve(f"app.outer.{name}", TEST)
    assert found.kind in ("unknown", "missing") or found.owner == OWNED
    return found.kind


@pytest.mark.parametrize(
    "exports",
    [
        '__all__ = ["shot"]',
        '__all__ = ("shot",)',
        '__all__ = "shot",',
        '__all__: list[str] = ["shot"]',
        '__all__ = []\n__all__ += ["shot"]',
        '__all__ = ["shot"]\n__all__ += []',
        '__all__: list[str]\n__all__ = ["shot"]',
        '__all__ = []\n__all__.extend(["shot"])',
        '__all__ = []\n__all__.append("shot")',
        '__all__ = [] + ["shot"]',
        'NAMES = ["shot"]\n__all__ = NAMES',
        'NAMES = ["shot"]\n__all__ = [*NAMES]',
        '__all__ = sorted(["shot"])',
        '__all__ = list({"shot"})',
        'NAME = "shot"\n__all__ = [NAME]',
        '__all__ = ["sh" "ot"]',
        '__all__ = ["pan"]\n__all__ = ["shot"]',
        '__all__ = [  # these\n    "shot",  # and no others\n]',
        'names = __all__ = ["shot"]',
        '__all__ = ["shot"]\n__all__.sort()\nprint(__all__)\nfor name in __all__: print(name)',
        '__all__ = ["shot"]\ndef __dir__(): return __all__',
        '__all__ = ["shot"]\nclass Book:\n    __all__ = ["pan"]',
        '"""__all__ is below."""\n__all__ = ["shot"]  # __all__',
    ],
)
def test_only_what_is_listed_is_taken(exports: str) -> None:
    inner = f"{INNER}{exports}\n"
    assert [meaning(name, inner) for name in ("shot", "pan", "_zoom")] == ["def", "missing", "missing"]


@pytest.mark.parametrize(
    "exports",
    [
        "from app import other\n__all__ = other.__all__",
        "from app import other\n__all__ = [] + other.__all__",
        "from app import other\n__all__ = [*other.__all__]",
        "import app.other\n__all__ = ()\n__all__ += tuple(app.other.__all__)",
        "from . import other as o\n__all__ = []\n__all__.extend(o.__all__)",
        "from app.other import __all__",
        "from app.other import __all__ as names\n__all__ = names",
        "from app import other\n__all__ = list(other.__all__)",
    ],
)
def test_the_lists_of_other_modules_are_part_of_it(exports: str) -> None:
    inner = f"{INNER}from app.other import tilt, roll, yaw\n{exports}\n"
    assert [meaning(name, inner) for name in ("tilt", "roll", "yaw", "shot")] == ["def", "def", "missing", "missing"]


@pytest.mark.parametrize(
    "exports",
    [
        "__all__ = [name for name in dir()]",
        "__all__ = names()",
        '__all__ = ["pan"] + names()',
        '__all__ = ["pan"]\n__all__ += names()',
        '__all__ = ["pan"]\nfor name in names(): __all__.append(name)',
        '__all__ = ["pan"]\n__all__.remove("pan")',
        '__all__ = ["pan"]\n__all__[0] = "shot"',
        '__all__ = ["pan"]\ndel __all__[0]',
        '__all__ = ["pan"]\ndef export(thing): __all__.append(thing.__name__)',
        '__all__ = ["pan"]\nif names(): __all__ += ["tilt"]',
        'if names(): __all__ = ["pan"]',
        "import foreign\n__all__ = foreign.__all__",
        "from app import nowhere\n__all__ = nowhere.__all__",
        "__all__, rest = names()",
        "__all__ = [pan.__name__]",
    ],
)
def test_what_cannot_be_read_is_unknown_and_never_missing(exports: str) -> None:
    assert meaning("shot", f"{INNER}{exports}\n") == "unknown"


def test_without_a_list_all_is_taken_but_what_begins_with_an_underscore() -> None:
    assert [meaning(name, INNER) for name in ("shot", "pan", "_zoom")] == ["def", "def", "missing"]


def test_a_listed_name_may_begin_with_an_underscore() -> None:
    assert meaning("_zoom", f'{INNER}__all__ = ["_zoom"]\n') == "def"


def test_names_that_are_asked_for_by_name_need_no_list() -> None:
    files = {"src/app/__init__.py": "", "src/app/inner.py": f"{INNER}__all__ = []\n", TEST: ""}
    assert indexed(files).resolve("app.inner._zoom", TEST)[0].kind == "def"
    assert meaning("pan", f"{INNER}__all__ = []\n", "from app.inner import pan\n") == "def"


def test_the_last_star_wins() -> None:
    outer = "from app.other import *\nfrom app.inner import *\n"
    files = {
        "src/app/__init__.py": "",
        "src/app/inner.py": "def tilt(): ...\n",
        "src/app/other.py": OTHER,
        "src/app/outer.py": outer,
    }
    found = indexed(files)
    assert found.resolve("app.outer.tilt", "src/app/outer.py")[0].location == "src/app/inner.py"
    assert found.resolve("app.outer.roll", "src/app/outer.py")[0].location == "src/app/other.py"


def test_lists_that_name_each_other_are_unknown() -> None:
    files = {
        "src/app/__init__.py": "",
        "src/app/a.py": "from app import b\n__all__ = b.__all__\nx = 1\n",
        "src/app/b.py": "from app import a\n__all__ = a.__all__\n",
        "src/app/outer.py": "from app.a import *\n",
    }
    assert indexed(files).resolve("app.outer.x", "src/app/outer.py")[0].kind == "unknown"


@pytest.mark.parametrize(
    "making",
    [
        "def __getattr__(name): ...",
        "from app.lazy import __getattr__",
        "__getattr__, __dir__, __all__ = lazy.attach(__name__, ['sub'])",
        "globals().update(names)",
        "globals()[name] = value",
        "globals()['late'] = value",
        "globals()[names[0]] = value",
        "for name in names: globals().setdefault(name, None)",
        "space = globals()",
        "vars()[name] = value",
        "vars().update(names)",
        "locals()[name] = value",
        "locals().update(names)",
        "setattr(sys.modules[__name__], name, value)",
        "sys.modules[__name__].late = value",
        "this = modules[__name__]",
        "sys.modules[__name__] = Lazy()",
        "setattr(sys.modules.get(__name__), name, value)",
        "setattr(importlib.import_module(__name__), name, value)",
        "exec(source)",
        "old, new = recreate_module(__name__, by_module={})",
        "install_lazy( __name__, names)",
    ],
)
def test_names_that_are_made_at_run_time_are_unknown(making: str) -> None:
    files = {"src/app/__init__.py": "", "src/app/made.py": f"{making}\ndef here(): ...\n", TEST: ""}
    index = indexed(files)
    assert [index.resolve(f"app.made.{name}", TEST)[0].kind for name in ("late", "here")] == ["unknown", "def"]


@pytest.mark.parametrize(
    "reading",
    [
        "class Lazy:\n    def __getattr__(self, name): ...",
        "here = 'x' in globals()",
        "here = globals()['x']",
        "here = globals()['x'] == 1",
        "here = globals().get('x')",
        "for name in globals().copy(): print(name)",
        "def show(a): return '{a}'.format(**locals())",
        "here = locals()['x']",
        "log = logging.getLogger(__name__)",
        "app = Flask(__name__)",
        "if __name__ == '__main__': main()",
        "here = sys.modules['x']",
        "cursor.exec(source)",
        "def exec(source): ...",
        "vars(here).update(x=1)",
    ],
)
def test_what_only_reads_names_makes_none(reading: str) -> None:
    files = {"src/app/__init__.py": "", "src/app/made.py": f"{reading}\n", TEST: ""}
    assert indexed(files).resolve("app.made.late", TEST)[0].kind == "missing"


def test_a_star_of_such_a_module_is_unknown() -> None:
    assert meaning("late", "globals().update(names)\n") == "unknown"
    assert meaning("late", "globals().update(names)\n__all__ = ['shot']\ndef shot(): ...\n") == "missing"


def test_a_hostile_list_takes_no_time() -> None:
    nested = "__all__ = " + "[" * 3000 + "]" * 3000 + "\n"
    summed = "__all__ = " + " + ".join(["['a']"] * 3000) + "\n"
    loops = "".join(f"n{i} = n{i + 1}\n" for i in range(300)) + "n300 = n0\n__all__ = n0\n"
    for text in (nested, summed, loops, "__all__ = a = __all__\n", "__all__ = __all__ + __all__\n"):
        assert opened(text).facts().exports is not None
