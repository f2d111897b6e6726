"""Judges that the plugin runs with Qt 6: it names no version of PyQt, and each enumeration with its scope.

Runs with PyQGIS of Qt 5, which has both spellings: what a name stands for is looked at, not guessed. Prints one finding a line.
"""

import ast
import enum
import importlib
import sys
from pathlib import Path

FORBIDDEN_MODULES = ("PyQt5", "PyQt6", "PySide2", "PySide6", "sip", "requests", "numpy")
FORBIDDEN_CALLS = ("exec_", "print_")
ALLOWED_ROOTS = ("qgis", "osgeo", "processing")


def imported_names(tree):
    """What `from module import name` binds, by name; findings of modules that must not be imported."""
    names, findings = {}, []
    for node in ast.walk(tree):
        modules = [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for module in modules:
            root = module.split(".")[0]
            if root in FORBIDDEN_MODULES or (root not in ALLOWED_ROOTS and root not in sys.stdlib_module_names):
                findings.append((node.lineno, f"imports {module}"))
            elif root == "qgis" and isinstance(node, ast.ImportFrom):
                loaded = importlib.import_module(module)
                names.update({alias.asname or alias.name: getattr(loaded, alias.name) for alias in node.names})
    return names, findings


def is_unscoped(owner, name):
    """True if `owner.name` is a member of an enumeration that is not `owner` itself."""
    if not isinstance(owner, type):
        return False
    value = getattr(owner, name, None)
    kind = type(value)
    if value is None or kind is owner or kind in (int, float, str, bool):
        return False
    return isinstance(value, enum.Enum) or (isinstance(value, int) and getattr(owner, kind.__name__, None) is kind)


# What the judge must find, and what it must not: it would be worthless if it found nothing.
EXAMPLE = """
from PyQt5.QtCore import QUrl
import requests
from qgis.PyQt.QtCore import Qt
from qgis.core import Qgis, QgsTask, QgsMapLayerType
unscoped = [Qt.AlignRight, QgsTask.CanCancel]
scoped = [Qt.AlignmentFlag.AlignRight, QgsTask.Flag.CanCancel, QgsMapLayerType.VectorLayer, Qgis.MessageLevel.Info]
dialog.exec_()
"""
EXAMPLE_LINES = [2, 3, 6, 6, 8]


def judge(source):
    """The findings of a source as pairs of a line and a text."""
    tree = ast.parse(source)
    names, findings = imported_names(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute):
            continue
        if node.attr in FORBIDDEN_CALLS:
            findings.append((node.lineno, f"calls {node.attr}"))
        if isinstance(node.value, ast.Name) and node.value.id in names and is_unscoped(names[node.value.id], node.attr):
            findings.append((node.lineno, f"{node.value.id}.{node.attr} has no scope"))
    return sorted(findings)


if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).rglob("*.py"))
    assert len(files) > 20, files
    found = judge(EXAMPLE)
    assert [line for line, _ in found] == EXAMPLE_LINES, found
    for path in files:
        for line, text in judge(path.read_text(encoding="utf-8")):
            print(f"{path.name}:{line}: {text}")
