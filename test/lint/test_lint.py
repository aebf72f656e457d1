"""The lints against planted faults, in a tree made for each case."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import pathlib
import tempfile
import unittest

import check_constraints
import error_pages
import file_sizes
import forbidden_text
import include_directions
import pass_tests
import tree

LIST = error_pages.LIST
ENTRY = 'KILN_ERROR(0001, BadUsage, 2, "x")\n'


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, tree, "ROOT", tree.ROOT)
        tree.ROOT = pathlib.Path(folder.name).resolve()

    def write(self, path, text):
        target = tree.ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def run_lint(self, lint):
        """(exit code, output) of a lint over the planted tree."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as end:
            lint.main()
        return end.exception.code, output.getvalue()

    def assert_fails(self, lint, *words):
        code, output = self.run_lint(lint)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)

    def assert_passes(self, lint):
        code, output = self.run_lint(lint)
        self.assertEqual(code, 0, output)


class IncludeDirections(Lint):
    def test_allowed(self):
        self.write("dialects/Graph/Graph.h", "")
        self.write("include/kiln/Import/Import.h", '#include "dialects/Graph/Graph.h"\n#include <vector>\n')
        self.write("lib/Import/A.cpp", '#include "kiln/Import/Import.h"\n#include "onnx/onnx_pb.h"\n')
        self.assert_passes(include_directions)

    def test_runtime_may_not_include_llvm(self):
        self.write("runtime/base/a.cpp", '\n#include "llvm/ADT/ArrayRef.h"\n')
        self.assert_fails(include_directions, "runtime/base/a.cpp:2", "may not include llvm")

    def test_a_dialect_may_not_include_lib(self):
        self.write("include/kiln/Support/Error.h", "")
        self.write("dialects/Graph/Graph.cpp", '#include "kiln/Support/Error.h"\n')
        self.assert_fails(include_directions, "Graph may not include Support")

    def test_generated_headers_belong_to_their_folder(self):
        self.write("lib/Planning/A.cpp", '#include "kiln/Codegen/Passes.h.inc"\n')
        self.assert_fails(include_directions, "Planning may not include Codegen")

    def test_only_import_includes_onnx(self):
        self.write("lib/Pipeline/A.cpp", "#include <onnx/checker.h>\n")
        self.assert_fails(include_directions, "Pipeline may not include onnx")


class Constraints(Lint):
    TABLE = 'def G_AddOp : G_Op<"add"> { let description = [{ (C1) one. (C2) two. }]; }\n'

    def test_tagged_errors(self):
        self.write("dialects/G/Ops.td", self.TABLE)
        case = "// g.add C{0}\n// expected-error@below {{{{(C{0}) no}}}}\n"
        self.write("test/G/invalid.mlir", case.format(1) + "// -----\n" + case.format(2))
        self.assert_passes(check_constraints)

    def test_missing_case(self):
        self.write("dialects/G/Ops.td", self.TABLE)
        self.write("test/G/invalid.mlir", "// expected-error@+1 {{no}}\nfunc.func @add_c1() {\n")
        self.assert_fails(check_constraints, "no negative test of g.add C2", "1 problems")

    def test_the_error_must_carry_the_tag(self):
        self.write("dialects/G/Ops.td", self.TABLE)
        text = "// add C1\n// expected-error@below {{(C1) no}}\n// -----\n// add C2\n"
        self.write("test/G/invalid.mlir", text + "// expected-error@below {{(C1) no}}\n")
        self.assert_fails(check_constraints, "no negative test of g.add C2")


class ErrorPages(Lint):
    def test_in_order(self):
        self.write(LIST, ENTRY)
        self.write("docs/errors/KILN-E0001.md", "# KILN-E0001: bad usage\n")
        self.assert_passes(error_pages)

    def test_missing_page(self):
        self.write(LIST, ENTRY)
        self.assert_fails(error_pages, "docs/errors/KILN-E0001.md is missing")

    def test_page_without_code(self):
        self.write(LIST, "")
        self.write("docs/errors/KILN-E0002.md", "# KILN-E0002\n")
        self.assert_fails(error_pages, "no such code")

    def test_heading_and_order(self):
        self.write(LIST, 'KILN_ERROR(0002, A, 2, "x")\n' + ENTRY + 'KILN_ERROR(0003, C, 5, "x")\n')
        for code in (1, 2, 3):
            self.write(f"docs/errors/KILN-E000{code}.md", "# something else\n")
        self.assert_fails(error_pages, "in order", "0003 C", "first line")


class FileSizes(Lint):
    def test_comments_of_headers_do_not_count(self):
        self.write("include/kiln/A/A.h", "/// why\n" * 500 + "int a;\n" * 300)
        self.assert_passes(file_sizes)

    def test_each_limit(self):
        for path, limit in (("lib/A/a.cpp", 800), ("a.td", 600), ("test/a.mlir", 400), ("tools/a/main.cpp", 50)):
            self.write(path, "x\n" * limit)
            self.assert_passes(file_sizes)
            self.write(path, "x\n" * (limit + 1))
            self.assert_fails(file_sizes, f"{path}: {limit + 1} lines; at most {limit}")
            (tree.ROOT / path).unlink()


class ForbiddenText(Lint):
    def test_plain(self):
        self.write("a.md", "build/bin/kiln and other/work/x and https://example.com/root/\n")
        self.assert_passes(forbidden_text)

    def test_each_rule(self):
        for text in ("/" + "work/main", "see /" + "root/x", forbidden_text.HOSTS[0], "// " + forbidden_text.MARKERS[0]):
            self.write("lib/a.cpp", text)
            self.assert_fails(forbidden_text, "lib/a.cpp:1")


class PassTests(Lint):
    def test_named_after_the_pass(self):
        self.write("include/kiln/A/Passes.td", 'def FooBarPass : Pass<"kiln-foo-bar", "ModuleOp"> {}\n')
        self.assert_fails(pass_tests, "foo-bar.mlir")
        self.write("test/A/foo-bar.mlir", "")
        self.assert_passes(pass_tests)


if __name__ == "__main__":
    unittest.main()
