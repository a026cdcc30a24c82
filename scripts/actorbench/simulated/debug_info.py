"""What a program's debug information says: where a place in its code comes from, and the types of variables.

DWARF as gcc writes it without link-time optimisation: each unit has all types and functions that it uses.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

Die = Any  # an entry of the debug information, or what holds some; to elftools it has no type

FUNCTION, INLINED, BLOCK = "DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block"
PARAMETER, VARIABLE, MEMBER = "DW_TAG_formal_parameter", "DW_TAG_variable", "DW_TAG_member"
POINTER, ARRAY, TYPEDEF = "DW_TAG_pointer_type", "DW_TAG_array_type", "DW_TAG_typedef"
AGGREGATES = ("DW_TAG_structure_type", "DW_TAG_union_type")
CALL = b"\xe8"  # x86-64's, followed by how far it is from there
WRAPPERS = ("DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_atomic_type", "DW_TAG_restrict_type")


@dataclass(frozen=True)
class Spot:
    """A place in a source file, whose name is as in the debug information; line and column from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Frame:
    """A function that runs at a place in the code, and where in it that is."""

    function: Die
    spot: Spot


@dataclass(frozen=True)
class Variable:
    """A function's variable; `position` is that of a parameter, from 0."""

    name: str
    line: int
    type: Die | None
    position: int | None


class DebugInfo:
    """A program's, read unit by unit as it is asked for."""

    def __init__(self, program: Path) -> None:
        elf = ELFFile(BytesIO(program.read_bytes()))
        self._code = elf.get_section_by_name(".text")
        self._symbols = elf.get_section_by_name(".symtab")
        self._dwarf = elf.get_dwarf_info()
        self._ranges = self._dwarf.get_aranges()
        self._units: dict[int, Unit] = {}

    def called(self, code: int) -> str:
        """Name the function whose direct call returns to a place in the code; "" if there is no such call."""
        offset = code - self._code["sh_addr"]
        call = self._code.data()[offset - 5 : offset] if offset >= 5 else b""
        if call[:1] != CALL:
            return ""
        return self._names.get(code + int.from_bytes(call[1:], "little", signed=True), "")

    @cached_property
    def _names(self) -> dict[int, str]:
        return {one["st_value"]: one.name for one in self._symbols.iter_symbols()}

    def unit(self, code: int) -> "Unit | None":
        """Find the unit that holds a place in the code; None if none does."""
        offset = self._ranges and self._ranges.cu_offset_at_addr(code)
        if offset is None:
            return None
        if offset not in self._units:
            self._units[offset] = Unit(self._dwarf, self._dwarf.get_CU_at(offset))
        return self._units[offset]


class Unit:
    """A source file with all that it includes, as it was compiled."""

    def __init__(self, dwarf: Die, unit: Die) -> None:
        self._dwarf, self._unit = dwarf, unit
        self._top = unit.get_top_DIE()
        self._lines = dwarf.line_program_for_CU(unit)
        self._variables: dict[int, list[Variable]] = {}

    def frames(self, code: int) -> list[Frame]:
        """List the functions at a place in the code, each inlined into the one before; [] if unknown."""
        spot = self._spot(code)
        outer = next((die for die in self._functions if self._holds(die, code)), None)
        if outer is None or spot is None:
            return []
        chain = [outer, *self._inlined(outer, code)]
        spots = [*(self._call_of(die) for die in chain[1:]), spot]
        return [Frame(origin_of(die), where) for die, where in zip(chain, spots, strict=True)]

    def variable(self, function: Die, name: str, line: int) -> Variable | None:
        """Find a function's variable as one of its lines sees it: the last that was declared before."""
        if function.offset not in self._variables:
            self._variables[function.offset] = list(_variables(function))
        found = [one for one in self._variables[function.offset] if one.name == name and one.line <= line]
        return max(found, key=lambda one: one.line, default=None)

    @cached_property
    def globals(self) -> dict[str, Die | None]:
        """The types of the variables outside of functions, by their names."""
        return {
            name_of(die): type_of(origin_of(die)) or type_of(die)
            for die in self._top.iter_children()
            if die.tag == VARIABLE
        }

    @cached_property
    def results(self) -> dict[str, Die | None]:
        """What functions return, by their names."""
        return {name_of(die): type_of(origin_of(die)) for die in self._functions}

    @cached_property
    def types(self) -> dict[str, Die]:
        """The types that are defined, by their names without `struct` and `union`."""
        return {
            name_of(die): die
            for die in self._top.iter_children()
            if die.tag in (*AGGREGATES, TYPEDEF) and "DW_AT_declaration" not in die.attributes
        }

    @cached_property
    def _functions(self) -> list[Die]:
        return [die for die in self._top.iter_children() if die.tag == FUNCTION]

    def _inlined(self, outer: Die, code: int) -> Iterator[Die]:
        scope: Die | None = outer
        while scope is not None:
            inner = (die for die in scope.iter_children() if die.tag in (INLINED, BLOCK))
            scope = next((die for die in inner if self._holds(die, code)), None)
            if scope is not None and scope.tag == INLINED:
                yield scope

    def _holds(self, die: Die, code: int) -> bool:
        low, high = die.attributes.get("DW_AT_low_pc"), die.attributes.get("DW_AT_high_pc")
        if "DW_AT_ranges" in die.attributes:
            return any(start <= code < end for start, end in self._ranges_of(die))
        if low is None or high is None:
            return False
        return bool(
            low.value <= code < (high.value if high.form == "DW_FORM_addr" else low.value + high.value)
        )

    def _ranges_of(self, die: Die) -> Iterator[tuple[int, int]]:
        first = self._top.attributes.get("DW_AT_low_pc")
        base = first.value if first else 0
        listed = self._dwarf.range_lists().get_range_list_at_offset(
            die.attributes["DW_AT_ranges"].value, self._unit
        )
        for entry in listed:
            if hasattr(entry, "base_address"):
                base = entry.base_address
            else:
                shift = 0 if entry.is_absolute else base
                yield entry.begin_offset + shift, entry.end_offset + shift

    def _call_of(self, die: Die) -> Spot:
        file, line, column = (
            die.attributes[f"DW_AT_call_{part}"].value if f"DW_AT_call_{part}" in die.attributes else 0
            for part in ("file", "line", "column")
        )
        return Spot(self._file(file), line, column)

    def _spot(self, code: int) -> Spot | None:
        addresses, states = self._rows
        state = states[max(0, bisect_right(addresses, code) - 1)]
        return None if state.end_sequence else Spot(self._file(state.file), state.line, state.column)

    @cached_property
    def _rows(self) -> tuple[list[int], list[Any]]:
        states = [entry.state for entry in self._lines.get_entries() if entry.state is not None]
        states.sort(key=lambda state: (state.address, not state.end_sequence))
        return [state.address for state in states], states

    def _file(self, number: int) -> str:
        """Name a file of the unit's list, which counts from 1 before DWARF 5."""
        is_old = self._lines["version"] < 5
        entry = self._lines["file_entry"][number - is_old]
        folders = [b"", *self._lines["include_directory"]] if is_old else self._lines["include_directory"]
        return str(Path(folders[entry.dir_index].decode(), entry.name.decode()))


def _variables(function: Die) -> Iterator[Variable]:
    position = 0
    for die in function.iter_children():
        if die.tag == BLOCK:
            yield from _variables(die)
        elif die.tag in (PARAMETER, VARIABLE):
            declared = origin_of(die)
            at = declared.attributes.get("DW_AT_decl_line")
            is_parameter = die.tag == PARAMETER
            yield Variable(
                name_of(declared),
                at.value if at else 0,
                type_of(declared),
                position if is_parameter else None,
            )
            position += is_parameter


# ---- Entries ----


def origin_of(die: Die) -> Die:
    """Find the entry that an inlined function, or a definition apart, is of."""
    for link in ("DW_AT_abstract_origin", "DW_AT_specification"):
        if link in die.attributes:
            return origin_of(die.get_DIE_from_attribute(link))
    return die


def name_of(die: Die) -> str:
    """Read an entry's name; "" if it has none."""
    name = origin_of(die).attributes.get("DW_AT_name")
    return name.value.decode() if name else ""


def type_of(die: Die) -> Die | None:
    """Read an entry's type; None for void."""
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def bare(die: Die | None) -> Die | None:
    """Take off what a type is but named or qualified by."""
    while die is not None and die.tag in (TYPEDEF, *WRAPPERS):
        die = type_of(die)
    return die


def type_name(die: Die | None) -> str:
    """Name a type, without `struct` and qualifiers."""
    while die is not None and die.tag in WRAPPERS:
        die = type_of(die)
    if die is None:
        return "void"
    if die.tag == POINTER:
        return f"{type_name(type_of(die))} *"
    return name_of(die) or "unnamed"


def member_of(die: Die, name: str) -> Die | None:
    """Find a member of a struct or union, or of one without a name within it."""
    for member in die.iter_children():
        if member.tag != MEMBER:
            continue
        if name_of(member) == name:
            return member
        inside = bare(type_of(member))
        if not name_of(member) and inside is not None and inside.tag in AGGREGATES:
            found = member_of(inside, name)
            if found is not None:
                return found
    return None
