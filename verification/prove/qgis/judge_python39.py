"""Judges that the plugin runs with Python 3.9, the one of QGIS 3.40 for macOS. Prints one finding a line."""

import ast
import sys
from pathlib import Path

MINIMUM = (3, 9)
# Arguments that later versions added, by the function.
LATER_ARGUMENTS = {"zip": {"strict"}, "dataclass": {"slots", "kw_only", "match_args"}}
LATER_NAMES = {"datetime": {"UTC"}, "typing": {"Self", "TypeAlias", "ParamSpec", "assert_never"}, "enum": {"StrEnum"}, "itertools": {"pairwise", "batched"}}
LATER_MODULES = {"tomllib"}

EXAMPLE = """
from dataclasses import dataclass
from datetime import UTC
import tomllib
@dataclass(slots=True)
class Search:
    day: str | None = None
def read(value: int | str) -> "int | str":
    return isinstance(value, int | None)
pairs = zip([1], [2], strict=True)
flags = first | second
"""
EXAMPLE_LINES = [3, 4, 5, 7, 8, 9, 10]
EXAMPLE_SYNTAX = ("match value:\n    case 1: pass\n", "try: pass\nexcept* ValueError: pass\n")


def annotations(tree):
    """The expressions of annotations that Python evaluates when it loads the module."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            yield node.returns


def unions(node):
    return [part for part in ast.walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr)]


def is_type(node):
    return isinstance(node, ast.Constant) and node.value is None or isinstance(node, ast.Name) and node.id in {"int", "str", "float", "bool", "bytes", "dict", "list", "tuple"}


def judge_node(node):
    """What one node uses that later versions added."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and (is_type(node.left) or is_type(node.right)):
        yield "evaluates a union of types"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        used = {keyword.arg for keyword in node.keywords} & LATER_ARGUMENTS.get(node.func.id, set())
        yield from (f"calls {node.func.id} with {name}" for name in sorted(used))
    if isinstance(node, ast.Import):
        yield from (f"imports {alias.name}" for alias in node.names if alias.name in LATER_MODULES)
    if isinstance(node, ast.ImportFrom):
        yield from (f"imports {alias.name}" for alias in node.names if alias.name in LATER_NAMES.get(node.module, ()))


def judge(source):
    """The findings of a source as sorted pairs of a line and a text."""
    try:
        tree = ast.parse(source, feature_version=MINIMUM)
    except SyntaxError as error:
        return [(error.lineno, f"does not compile: {error.msg}")]
    is_deferred = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations" for node in tree.body)
    in_annotations = [union for annotation in annotations(tree) for union in unions(annotation)]
    findings = set() if is_deferred else {(union.lineno, "evaluates a union of types") for union in in_annotations}
    for node in ast.walk(tree):
        if node not in in_annotations:
            findings.update((node.lineno, text) for text in judge_node(node))
    return sorted(findings)


if __name__ == "__main__":
    found = judge(EXAMPLE)
    assert [line for line, _ in found] == EXAMPLE_LINES, found
    assert len(judge(f"from __future__ import annotations\n{EXAMPLE}")) == len(EXAMPLE_LINES) - 2
    assert all(judge(source) for source in EXAMPLE_SYNTAX), EXAMPLE_SYNTAX
    files = sorted(Path(sys.argv[1]).rglob("*.py"))
    assert len(files) > 20, files
    for path in files:
        for line, text in judge(path.read_text(encoding="utf-8")):
            print(f"{path.name}:{line}: {text}")
