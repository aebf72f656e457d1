"""Reads C++ well enough to count: functions with their lines, classes with their methods.

No compiler is needed, so lints run without a build. The reader knows comments, literals, braces and parentheses; what it
takes for a function is text with a parameter list in front of a brace in a namespace or a class.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import re

SUFFIXES = (".h", ".hpp", ".cpp", ".c")
LITERALS = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
STRUCTURE = re.compile(r"[{}();]|(?<!:):(?!:)")
ACCESS = re.compile(r"^\s*(?:public|protected|private)\s*$")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>()]*(?:\([^()<>]*\)[^<>()]*)*>")
ATTRIBUTES = re.compile(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|\b__attribute__\s*\(\(.*?\)\)", re.DOTALL)
CLASS = re.compile(r"^\s*(class|struct|union)\b(?:\s+[A-Z][A-Z_]*(?=\s+(?!final\b)\w))*\s*([\w:]*)")
NAME = re.compile(r"(operator\s*(?:\(\)|[^\s(\w]+|[\w\s:*&]+)|~?[\w:]+)\s*\(")
NOT_METHODS = re.compile(r"^\s*(?:using|typedef|friend|static_assert|return|extern)\b")
INITIALISER = re.compile(r"\)[\w\s&]*:[^:].*[\w>]\s*$", re.DOTALL)
SUFFIX_WORDS = re.compile(r"\b(?:const|override|final|noexcept|mutable|try)\s*$")


@dataclasses.dataclass
class Function:
    name: str
    line: int
    lines: int
    signature: str = ""  # with the class it stands in, and its parameters as they are spelled


@dataclasses.dataclass
class Class:
    name: str
    line: int
    methods: list


def _blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def _blank_literal(match):
    quote = match[0][-1] if match[0][0] not in "/" else ""
    if not quote:
        return _blank(match)
    return quote + re.sub(r"[^\n]", " ", match[0][1:-1]) + quote


def code(text):
    """The text with comments, directives and what literals say blanked; positions and lines stay."""
    return DIRECTIVE.sub(_blank, LITERALS.sub(_blank_literal, text))


def _plain(head):
    """A declaration's head without attributes and template arguments, which hide its parentheses."""
    head = ATTRIBUTES.sub(" ", head)
    # `operator<` is no bracket.
    head = re.sub(r"operator\s*(<=>|<<|>>|<=|>=|<|>|->)", "operator+", head)
    while (shorter := TEMPLATE_ARGUMENTS.sub(" ", head)) != head:
        head = shorter
    return re.sub(r"^\s*(?:template\s+)+", " ", head)


def _function_name(head):
    """The name a head declares a function by; None for anything else."""
    if NOT_METHODS.match(head):
        return None
    match = NAME.search(head)
    if not match or head[match.end() :].lstrip().startswith("*"):
        return None
    if "=" in head[: match.start()]:
        return None
    return " ".join(match[1].split())


class _Reader:
    def __init__(self, text):
        self.text, self.code = text, code(text)
        self.functions, self.classes = [], []
        # Scopes: (kind, what it is, parentheses open around it, where the outer head began).
        self.scopes, self.parentheses, self.head_begin = [("namespace", None)], [0], 0
        self.outer_heads = []

    def line(self, position):
        return self.code.count("\n", 0, position) + 1

    def head_start(self):
        rest = self.code[self.head_begin :]
        return self.head_begin + len(rest) - len(rest.lstrip())

    def open(self, position):
        kind, value, keep = self.classify(self.code[self.head_begin : position])
        self.scopes.append((kind, value))
        self.outer_heads.append(self.head_begin if keep else None)
        self.parentheses.append(0)
        self.head_begin = position + 1

    def classify(self, head):
        outer = self.scopes[-1][0]
        if outer in ("function", "other") or self.parentheses[-1]:
            return "other", None, True
        plain = _plain(head)
        if re.match(r"\s*(?:inline\s+)?namespace\b|\s*extern\s*\"", plain):
            return "namespace", None, False
        if match := CLASS.match(plain):
            found = Class(match[2] or "(unnamed)", self.line(self.head_start()), [])
            self.classes.append(found)
            return "class", found, False
        name = None if re.match(r"\s*enum\b", plain) else _function_name(plain)
        if name is None or (INITIALISER.search(plain) and not SUFFIX_WORDS.search(plain)):
            return "other", None, True
        owner = f"{self.scopes[-1][1].name}::" if outer == "class" else ""
        parameters = " ".join(plain[NAME.search(plain).end() :].split())
        found = Function(name, self.line(self.head_start()), 0, f"{owner}{name}({parameters}")
        if outer == "class":
            self.add_method(name, plain)
        return "function", found, False

    def add_method(self, name, head):
        owner = self.scopes[-1][1]
        constructor = name.lstrip("~") == owner.name
        if not constructor and not re.search(r"=\s*(?:default|delete)\s*$", head):
            owner.methods.append(name)

    def close(self, position):
        if len(self.scopes) == 1:
            return
        kind, value = self.scopes.pop()
        self.parentheses.pop()
        outer_head = self.outer_heads.pop()
        if kind == "function":
            value.lines = self.line(position) - value.line + 1
            self.functions.append(value)
        self.head_begin = position + 1 if outer_head is None else outer_head

    def end_statement(self, position):
        kind, owner = self.scopes[-1]
        if self.parentheses[-1]:
            return
        if kind == "class":
            head = _plain(self.code[self.head_begin : position])
            if not CLASS.match(head) and (name := _function_name(head)):
                self.add_method(name, head)
        self.head_begin = position + 1

    def colon(self, position):
        if self.scopes[-1][0] == "class" and ACCESS.match(self.code[self.head_begin : position]):
            self.head_begin = position + 1

    def read(self):
        for match in STRUCTURE.finditer(self.code):
            position = match.start()
            if match[0] == "(":
                self.parentheses[-1] += 1
            elif match[0] == ")":
                self.parentheses[-1] = max(0, self.parentheses[-1] - 1)
            elif match[0] == "{":
                self.open(position)
            elif match[0] == "}":
                self.close(position)
            elif match[0] == ";":
                self.end_statement(position)
            else:
                self.colon(position)
        return self


def read(text):
    """(functions, classes) of a source file."""
    reader = _Reader(text).read()
    return reader.functions, reader.classes
