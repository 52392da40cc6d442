"""The least number of assertions on any way through a function."""

import pytest
from languages.csharp.sample import Sample

HEAD = "using System;\nusing NUnit.Framework;\npublic class T\n{\n"


def least(statements: str, more: str = "") -> int:
    """The number for a test with some statements, in a class with more members."""
    index = Sample(
        {"T.cs": f"{HEAD}    [Test] public void A(int n, bool b)\n    {{\n{statements}\n    }}\n{more}\n}}\n"}
    ).index
    return index.least_outcomes("T.cs", "0")


ONE = "Assert.That(n, Is.Zero);"


@pytest.mark.parametrize(
    ("statements", "number"),
    [
        ("", 0),
        (ONE, 1),
        (ONE * 3, 3),
        (f"if (b) {{ {ONE} }}", 0),
        (f"if (b) {{ {ONE} }} else {{ {ONE} {ONE} }}", 1),
        (f"if (b) {{ {ONE} }} else if (n > 1) {{ {ONE} }} else {{ return; }}", 0),
        (f"if (b) return; {ONE}", 0),
        (f"if (b) throw new Exception(); {ONE}", 1),
        (f"if (true) {{ {ONE} }}", 1),
        (f"foreach (var each in list) {{ {ONE} }}", 0),
        (f"foreach (var each in new[] {{ 1, 2 }}) {{ {ONE} }}", 1),
        (f"for (int i = 0; i < 3; i++) {{ {ONE} }}", 1),
        (f"for (int i = 0; i < count; i++) {{ {ONE} }}", 0),
        (f"for (;;) {{ {ONE} if (b) break; }}", 1),
        (f"while (b) {{ {ONE} }}", 0),
        (f"do {{ {ONE} }} while (b);", 1),
        (f"do {{ if (b) continue; {ONE} }} while (b);", 0),
        (f"switch (n) {{ case 1: {ONE} break; case 2: {ONE} break; }}", 0),
        (f"switch (n) {{ case 1: {ONE} break; default: {ONE} {ONE} break; }}", 1),
        (f"switch (n) {{ default: {ONE} break; case 1: return; }}", 0),
        (f"foreach (var each in list) {{ switch (n) {{ case 1: continue; }} break; }} {ONE}", 1),
        (f"try {{ {ONE} }} finally {{ {ONE} }}", 2),
        (f"try {{ Run(); {ONE} }} catch (Exception) {{ }}", 0),
        (f"try {{ Run(); }} catch (InvalidOperationException) {{ {ONE} return; }} {ONE}", 1),
        (f"using (var x = Make()) {{ {ONE} }}", 1),
        (f"lock (gate) {{ {ONE} }}", 1),
        ("var x = b ? Check(1) : Check(2);", 1),
        ("var x = b && Check(1) > 1;", 0),
        ("var x = Check(1) > 1 && b;", 1),
        ("var x = b ? Check(1) : 2;", 0),
        ("var x = text ?? Check(1);", 0),
        ("var x = n switch { 1 => Check(1), _ => Check(2) };", 1),
        ("var x = n switch { 1 => Check(1), _ => 2 };", 0),
        ("list?.Add(Check(1));", 1),
        (f"Assert.Multiple(() => {{ {ONE} {ONE} }});", 2),
        (f"list.ForEach(each => {{ {ONE} }});", 0),
        ("Helper();", 2),
        ("if (!TryHelp()) return; Helper();", 3),
        ("Loop();", 0),
        (f"Assert.Ignore(); {ONE}", 0),
    ],
)
def test_the_way_with_the_fewest_counts(statements: str, number: int) -> None:
    more = (
        "    void Helper() { Assert.Pass(); Assert.Pass(); }\n    int Check(int m) { Assert.Pass(); return m; }\n"
        "    bool TryHelp() { Assert.Pass(); return true; }\n    void Loop() { if (_b) { Loop(); Assert.Pass(); } }\n"
    )
    assert least(statements, more) == number
