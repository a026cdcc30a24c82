"""Plants an error at a time in the driver's functions, and puts it into the module that is loaded.

The errors are mutmut's: an operator or a number changed, an argument left out or None, a string, a value or a
keyword replaced, and so on. mutmut itself leaves out what is decorated, which here is nearly all: dataclasses
and properties; so its operators alone are taken, and what is planted is the code of one function in a module
that is loaded already. What stands outside of functions is not changed.
"""

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from types import FunctionType
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
RAN: set[tuple[str, str]] = set()  # the functions, as (file, name), that have run since it was emptied


@dataclass(frozen=True)
class Mutant:
    """An error planted in a function: the lines that differ, and the source of the function with it.

    `count` tells mutants apart whose lines are the same, from 1.
    """

    file: str
    function: str
    before: str
    after: str
    count: int
    source: str

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What it is known by, wherever its function moves to."""
        return (self.file, self.function, self.before, self.after, self.count)


class _Visitor(MutationVisitor):
    """mutmut's, which also goes into what is decorated, though not into the decorators."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Decorator):
            return True
        if isinstance(node, cst.FunctionDef | cst.ClassDef) and node.decorators:
            return False
        return super()._skip_node_and_children(node)


def mutants_of(file: str) -> Iterator[Mutant]:
    """Make the mutants of a file, named as below the project's root, in the order of its lines."""
    module = _parsed(file)
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    visitor = _Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    wrapper.visit(visitor)
    names: dict[cst.CSTNode, str] = dict(_functions(module))
    times: Counter[tuple[str, str, str]] = Counter()
    for one in visitor.mutations:
        function = one.contained_by_top_level_function
        if function is None or function not in names or _only_shouts(one.mutated_node, one.original_node):
            continue
        changed = function.deep_replace(one.original_node, one.mutated_node)
        assert isinstance(changed, cst.FunctionDef)
        source = module.code_for_node(changed)
        before, after = _difference(module.code_for_node(function), source)
        times[names[function], before, after] += 1
        yield Mutant(file, names[function], before, after, times[names[function], before, after], source)


def watch(file: str) -> None:
    """Let each function of a file note in RAN that it runs."""
    module = _parsed(file)
    vars(importlib.import_module(module_of(file)))["_ran"] = RAN
    for function, name in _functions(module):
        note = cst.parse_statement(f"_ran.add({(file, name)!r})")
        body = function.body.with_changes(body=[note, *function.body.body])
        source = module.code_for_node(function.with_changes(body=body))
        plant(Mutant(file, name, "", "", 1, source))


def _parsed(file: str) -> cst.Module:
    return cst.parse_module((ROOT / file).read_text(encoding="utf-8"))


def _functions(module: cst.Module) -> Iterator[tuple[cst.FunctionDef, str]]:
    """The functions of a module and the methods of its classes, with their names."""
    for node in module.body:
        if isinstance(node, cst.FunctionDef):
            yield node, node.name.value
        elif isinstance(node, cst.ClassDef):
            for method in node.body.body:
                if isinstance(method, cst.FunctionDef):
                    yield method, f"{node.name.value}.{method.name.value}"


def _only_shouts(mutated: cst.CSTNode, original: cst.CSTNode) -> bool:
    """Whether a string differs in upper and lower case alone: one other text of each is enough."""
    if not isinstance(mutated, cst.SimpleString) or not isinstance(original, cst.SimpleString):
        return False
    return mutated.value.lower() == original.value.lower()


def _difference(before: str, after: str) -> tuple[str, str]:
    """The lines that differ, without their indentation."""
    old, new = before.splitlines(), after.splitlines()
    start = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    lines = (old[start : len(old) - end], new[start : len(new) - end])
    return "\n".join(line.strip() for line in lines[0]), "\n".join(line.strip() for line in lines[1])


def plant(mutant: Mutant) -> None:
    """Give the function of the loaded module the mutant's code, and its defaults of parameters."""
    module = importlib.import_module(module_of(mutant.file))
    owner = mutant.function.rpartition(".")[0]
    source = f"class {owner}:\n{indent(mutant.source, '    ')}" if owner else mutant.source
    space = dict(vars(module))
    exec(compile(source, ROOT / mutant.file, "exec"), space)
    own, changed = _function(vars(module), mutant.function), _function(space, mutant.function)
    own.__code__ = changed.__code__
    own.__defaults__, own.__kwdefaults__ = changed.__defaults__, changed.__kwdefaults__


def module_of(file: str) -> str:
    """Name the module that a file is."""
    return ".".join((ROOT / file).relative_to(SCRIPTS).with_suffix("").parts)


def forget(file: str) -> None:
    """Empty the caches of a file's functions, which hold what a function said before."""
    for value in vars(importlib.import_module(module_of(file))).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def _function(space: dict[str, Any], name: str) -> FunctionType:
    """Find a function or method below its decorators."""
    owner, _, method = name.rpartition(".")
    found = vars(space[owner])[method] if owner else space[method]
    while not isinstance(found, FunctionType) or hasattr(found, "__wrapped__"):
        if isinstance(found, property):
            found = found.fget
        elif isinstance(found, cached_property):
            found = found.func
        elif isinstance(found, staticmethod | classmethod):
            found = found.__func__
        else:
            found = found.__wrapped__
    return found
