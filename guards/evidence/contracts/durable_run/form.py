"""J: the form of records and lines."""

from guards.evidence.condition import INCOMPLETE, REJECT, WARNING, Change, Condition
from guards.evidence.contracts.durable_run.claim import Words, claim
from guards.evidence.readers.durable.reader import DurableRun

_AGAIN = "keep the bundle as it is, find out what wrote to it, and run again"
_TOOL = "ask what wrote the file: the editor's writer never does this; then run again"

FORM: tuple[Condition[DurableRun], ...] = (
    claim(
        "EVD101",
        "utf-8",
        "J-01",
        {"ENCODING_INVALID": REJECT},
        Words("Every file and line is UTF-8.", "A byte that is not UTF-8 says that something else wrote here.", _AGAIN),
        (Change("*/events.jsonl", "Grove", "\udcffrove", "one byte was damaged", ("ENCODING_INVALID",)),),
    ),
    claim(
        "EVD102",
        "no-byte-order-mark",
        "J-02",
        {"ENCODING_BOM": REJECT},
        Words("No file begins with a byte-order mark.", "The writer never writes one; editors of text do.", _TOOL),
        (Change("*/run.json", "{", "\ufeff{", "an editor of text saved the file", ("ENCODING_BOM",)),),
    ),
    claim(
        "EVD103",
        "keys-once",
        "J-03",
        {"JSON_DUPLICATE_KEY": REJECT},
        Words(
            "No object has a key twice.",
            "Of two equal keys one reader takes the first, another the last: two truths in one record.",
            _TOOL,
        ),
        (
            Change(
                "*/run.json",
                '"outcome":',
                '"outcome": "failed",\n    "outcome":',
                "a second truth",
                ("JSON_DUPLICATE_KEY",),
            ),
        ),
    ),
    claim(
        "EVD104",
        "fields-complete",
        "J-04",
        {"FIELD_MISSING": REJECT},
        Words(
            "Every declared field is there.",
            "The writer's own reader takes a default for an absent field, which for `schema_version` is the valid one.",
            _TOOL,
        ),
        (Change("*/run.json", '    "build_error": "",\n', "", "the error of the build is gone", ("FIELD_MISSING",)),),
    ),
    claim(
        "EVD105",
        "fields-typed",
        "J-05",
        {"FIELD_TYPE": REJECT},
        Words("Every field has its type.", "A boolean is no integer, and an integer has no fraction.", _TOOL),
        (
            Change(
                "*/run.json", '"build_coherent": true', '"build_coherent": 1', "a number for a truth", ("FIELD_TYPE",)
            ),
        ),
    ),
    claim(
        "EVD106",
        "fields-known",
        "J-06",
        {"FIELD_UNKNOWN": WARNING},
        Words(
            "No undeclared field is there.",
            "A newer writer may add fields; what they mean nobody here can say.",
            "look whether a newer version of Suiteguard knows the field",
        ),
        (Change("*/run.json", '"source":', '"note": "",\n    "source":', "a field nobody knows", ("FIELD_UNKNOWN",)),),
    ),
    claim(
        "EVD107",
        "times-well-formed",
        "J-07",
        {"TIMESTAMP_MALFORMED": REJECT},
        Words(
            "Every time is UTC with seven digits of a second.",
            "Times of one form compare as text; an offset of a zone would hide their order.",
            _TOOL,
        ),
        (Change("*/events.jsonl", "1450Z", "1450+02:00", "a time with a zone", ("TIMESTAMP_MALFORMED",)),),
    ),
    claim(
        "EVD108",
        "lines-whole",
        "J-08",
        {"MANIFEST_LINE_CORRUPT": REJECT, "EVENT_LINE_CORRUPT": REJECT, "TORN_TAIL": INCOMPLETE},
        Words(
            "Every line is one object and ends with a line feed.",
            "Only the last line of the journal can be torn by a crash: then evidence is missing. Damage anywhere else "
            "is no crash.",
            "run again; where the journal's tail is torn, find out what ended the editor",
        ),
        (
            Change("*/events.jsonl", "}\n{", "}\n\n{", "an empty line", ("EVENT_LINE_CORRUPT",)),
            Change("*/expected-tests.jsonl", "}\n{", "}{", "two lines in one", ("MANIFEST_LINE_CORRUPT",)),
        ),
    ),
)
