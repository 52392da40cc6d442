from pathlib import Path

import pytest
from engine.fixed_text import ASMDEF, fixed_text


def fixed(tmp_path: Path, statement: str, *, using: str = "Xunit", unsafe: bool = True) -> str:
    head = f"using System;\nusing {using};\nclass T\n{{\n    void A(Exception e)\n    {{\n        "
    tail = "\n    }\n}\n"
    files = {"Tests/T.cs": head + statement + tail, "Tests/Sample.Tests.asmdef": ASMDEF}
    text = fixed_text(tmp_path, "exact-exception-message", files, unsafe=unsafe)
    return text.removeprefix(head).removesuffix(tail)


@pytest.mark.parametrize(
    ("using", "before", "after"),
    [
        ("Xunit", 'Assert.Equal("bad", e.Message);', 'Assert.Contains("bad", e.Message);'),
        ("Xunit", 'Assert . Equal( e?.Message /* m */, "bad" ); // why', 'Assert . Contains( "bad" /* m */, e?.Message ); // why'),
        ("Xunit", 'Assert.StrictEqual("bad", e.InnerException!.Message);', 'Assert.Contains("bad", e.InnerException!.Message);'),
        ("NUnit.Framework", 'Assert.AreEqual("bad", e.Message);', 'Assert.That(e.Message, Does.Contain("bad"));'),
        ("NUnit.Framework", 'Assert.That(e.Message, Is.EqualTo("bad"));', 'Assert.That(e.Message, Does.Contain("bad"));'),
        ("NUnit.Framework", 'Assert.That(A, Throws.Exception.With.Message\n  .EqualTo("bad"));', 'Assert.That(A, Throws.Exception.With.Message\n  .Contains("bad"));'),
        ("NUnit.Framework", 'Assert.That(e, Has.Message.EqualTo("bad"), "why");', 'Assert.That(e, Has.Message.Contains("bad"), "why");'),
    ],
)  # fmt: skip
def test_an_equality_becomes_a_search(tmp_path: Path, using: str, before: str, after: str) -> None:
    assert fixed(tmp_path, before, using=using) == after
    assert fixed(tmp_path, before, using=using, unsafe=False) == before


@pytest.mark.parametrize(
    ("using", "statement"),
    [
        ("Microsoft.VisualStudio.TestTools.UnitTesting", 'Assert.AreEqual("bad", e.Message);'),
        ("Xunit", 'Assert.Equal(actual: e.Message, expected: "bad");'),
        ("Xunit", 'Assert.Equal("bad", e.Message, ignoreCase: true);'),
        ("Xunit", 'Assert.True(e.Message == "bad");'),
        ("NUnit.Framework", 'Assert.AreEqual("bad", e.Message, "why");'),
        ("NUnit.Framework", 'Assert.That(e.Message, Is.EqualTo("bad").IgnoreCase);'),
        ("NUnit.Framework", 'Assert.That(e.Message, Is.Not.EqualTo("bad"));'),
        ("NUnit.Framework", 'Assert.That(e.Message == "bad");'),
        ("FluentAssertions", 'e.Message.Should().Be("bad");'),
        ("Xunit", 'Assert.Equal("bad", e.Source);'),
    ],
)
def test_what_is_not_plain_is_left_alone(tmp_path: Path, using: str, statement: str) -> None:
    assert fixed(tmp_path, statement, using=using) == statement
