"""The one exception of the package."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re

from . import _runtime

_LINE_ENDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MESSAGE = re.compile(r"KILN-E(\d{4}): (.*)", re.DOTALL)


class Error(Exception):
    """Something went wrong, with a stable code: ``error.code == "KILN-E0604"``.

    ``where``, ``what``, ``expected``, ``found`` and ``fix`` are the parts of the message; a part that does not apply
    is the empty string. ``exit_code`` is what the kiln program ends with for this error: 2 usage, 3 the model or
    package is at fault, 4 the machine is.
    """

    def __init__(self, code, where, what, expected="", found="", fix="", exit_code=3):
        super().__init__(code, where, what, expected, found, fix, exit_code)
        self.code = code
        self.where, self.what, self.expected, self.found, self.fix = map(_one_line, (where, what, expected, found, fix))
        self.exit_code = exit_code

    def __str__(self):
        text = f"{self.code}: {self.where}: {self.what}" if self.where else f"{self.code}: {self.what}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.found:
            text += (", found " if self.expected else "; found ") + self.found
        return text + f"; fix: {self.fix}" if self.fix else text


def _one_line(text):
    """Names and paths that a message quotes may have line ends in them."""
    return _LINE_ENDS.sub(lambda c: c.group().encode("unicode_escape").decode(), text)


def number(code):
    """604 of "KILN-E0604", "E0604", "604" or 604; None if it is no code."""
    match = re.fullmatch(r"(?:KILN-)?E?(\d{1,4})", str(code), re.IGNORECASE)
    return int(match.group(1)) if match else None


def help(code):
    """The page about an error: what it means and what to do. code: "KILN-E0604" or an Error."""
    code = getattr(code, "code", code)
    path = pathlib.Path(__file__).parent / "errors" / f"KILN-E{number(code) or 0:04}.md"
    if not path.is_file():
        raise Error("KILN-E0001", "kiln.help", "no error has this code", 'a code such as "KILN-E0604"', repr(code),
                    "copy the code from the message", 2)
    return path.read_text(encoding="utf-8")


def parse(line, exit_code):
    """The Error of a message as the kiln program prints it; None if it is none."""
    match = _MESSAGE.search(line)
    if not match:
        return None
    body, fix = _split_last(match.group(2), "; fix: ")
    body, found = _split_last(body, ", found ", "; found ")
    body, expected = _split_last(body, "; expected ")
    where, separator, what = body.partition(": ")
    if not separator:
        where, what = "", body
    return Error(f"KILN-E{match.group(1)}", where, what, expected, found, fix, exit_code)


def _split_last(text, *separators):
    place, separator = max((text.rfind(separator), separator) for separator in separators)
    return (text, "") if place < 0 else (text[:place], text[place + len(separator) :])


_runtime.set_error_class(Error)
