"""The lints against planted faults, in a tree made for each case."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import io
import pathlib
import tempfile
import unittest

import architecture
import check_constraints
import class_sizes
import cxx
import error_pages
import file_sizes
import folder_cycles
import forbidden_text
import include_directions
import measure
import pass_tests
import private_words
import tiers
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


class Architecture(Lint):
    def plant(self, row="| lib/A, lib/B | KilnA*, B (`tools/b`) | kiln | all |"):
        self.write(architecture.PAGE, f"text\n\n| folder | target | x |\n| --- | --- | --- |\n{row}\n\ntext\n")
        self.write("lib/A/CMakeLists.txt", "add_kiln_library(KilnAll\n  a.cpp)\n")
        self.write("lib/B/deep/CMakeLists.txt", "add_executable(B b.cpp)\n")

    def test_as_it_is(self):
        self.plant()
        self.assert_passes(architecture)

    def test_no_table(self):
        self.write(architecture.PAGE, "text\n")
        self.assert_fails(architecture, "no table")

    def test_a_folder_without_a_row(self):
        self.plant()
        self.write("runtime/new/a.h", "")
        self.assert_fails(architecture, "runtime/new has no row", "1 problems")

    def test_a_row_without_folder_or_target(self):
        self.plant("| lib/A, lib/B, lib/C | KilnA*, B | kiln | all |")
        self.assert_fails(architecture, "architecture.md:5: there is no folder lib/C", "1 problems")
        self.plant("| lib/A, lib/B | KilnA, B | kiln | all |")
        self.assert_fails(architecture, "no CMakeLists.txt of lib/A, lib/B defines KilnA", "1 problems")


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
    def setUp(self):
        super().setUp()
        self.write(error_pages.HEADERS, "kiln_write_error_codes(Usage 00)\n")

    def test_range_without_header(self):
        self.write(LIST, ENTRY + 'KILN_ERROR(0800, A, 2, "x")\n')
        for code in ("0001", "0800"):
            self.write(f"docs/errors/KILN-E{code}.md", f"# KILN-E{code}\n")
        self.assert_fails(error_pages, "0800 A is in no range")

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
    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, file_sizes, "FOLDERS", file_sizes.FOLDERS)
        file_sizes.FOLDERS = {}

    def test_folders(self):
        file_sizes.FOLDERS = {"lib/A": 5}
        self.assert_fails(file_sizes, "lib/A: 0 lines; at most 5")
        self.write("lib/A/a.cpp", "x\n" * 3)
        self.write("lib/A/b.cpp", "x\n" * 2)
        self.assert_passes(file_sizes)
        self.write("lib/A/c.cpp", "x\n")
        self.assert_fails(file_sizes, "lib/A: 6 lines; at most 5")

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


class Cxx(unittest.TestCase):
    def test_functions_and_their_lines(self):
        functions, _ = cxx.read(
            "#define A {\n"
            "namespace a {\n"
            "// void no() {\n"
            "template <typename T>\nstd::function<void(int)> B<T>::one(int x) const {\n  auto f = [] { return '{'; };\n}\n"
            "C::C(int x) : a{x}, b(x) {\n}\n"
            'const char *kText = "f() {";\n'
            "const int table[] = {g(1), 2};\n"
            "bool operator<(A, A) { return a < b; }\n"
            "int late();\n"
            "}\n")
        self.assertEqual(functions[1].signature, "C::C(int x) : a{x}, b(x)")
        self.assertEqual([(f.line, f.lines) for f in functions], [(4, 4), (8, 2), (12, 1)])

    def test_methods(self):
        _, classes = cxx.read(
            "class A final : public B<int> {\n"
            "public:\n  A();\n  ~A();\n  A(const A &) = delete;\n  explicit A(int x) : x{x} {}\n"
            "  [[nodiscard]] int one() const;\n  int two() { return x; }\n  std::function<void()> field;\n"
            "  int x = f(3), y{4};\n  using F = void (*)(int);\n  void (*pointer)(int) = nullptr;\n"
            "  template <typename T> void three(T t);\n  bool operator==(const A &) const = default;\n"
            "  struct Inner { int four(); };\n  friend void five();\n};\n"
            "enum class E { X };\n")
        self.assertEqual([(c.name, c.methods) for c in classes],
                         [("A", ["one", "two", "three"]), ("Inner", ["four"])])


class ClassSizes(Lint):
    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, class_sizes, "KNOWN", class_sizes.KNOWN)
        class_sizes.KNOWN = {}

    def write_class(self, methods):
        self.write("lib/A/a.h", "class A {\n" + "".join(f"  int f{i}();\n" for i in range(methods)) + "};\n")

    def test_methods_stop_at_40(self):
        self.write_class(40)
        self.assert_passes(class_sizes)
        self.write_class(41)
        self.assert_fails(class_sizes, "lib/A/a.h A: 41 methods; at most 40")

    def test_an_exception_only_shrinks(self):
        class_sizes.KNOWN = {"lib/A/a.h A": 50}
        for methods, message in ((51, "at most 50"), (49, "lower the number"), (40, "strike the entry out")):
            self.write_class(methods)
            self.assert_fails(class_sizes, message)
        self.write_class(50)
        self.assert_passes(class_sizes)

    def test_functions_stop_at_100(self):
        self.write("lib/A/a.cpp", "void f() {\n" + "  x();\n" * 98 + "}\n")
        self.assert_passes(class_sizes)
        self.write("lib/A/a.cpp", "void f() {\n" + "  x();\n" * 99 + "}\n")
        self.assert_fails(class_sizes, "lib/A/a.cpp:1 f: 101 lines; at most 100")


class FolderCycles(Lint):
    def setUp(self):
        super().setUp()
        self.addCleanup(setattr, folder_cycles, "KNOWN", folder_cycles.KNOWN)
        folder_cycles.KNOWN = {}

    def plant(self):
        self.write("runtime/sim/a/x.h", '#include "runtime/sim/b/y.h"\n')
        self.write("runtime/sim/b/y.h", "")
        self.write("runtime/sim/b/z.cpp", '#include "runtime/sim/c/deep/z.h"\n')
        self.write("runtime/sim/c/deep/z.h", "")

    def test_a_chain(self):
        self.plant()
        self.assert_passes(folder_cycles)

    def test_a_cycle_below(self):
        self.plant()
        self.write("runtime/sim/c/deep/z.h", '#include "runtime/sim/a/x.h"\n')
        self.assert_fails(folder_cycles, "runtime/sim: a cycle of a, b, c", "runtime/sim/b/z.cpp includes")

    def test_a_folder_and_a_file_beside_it(self):
        self.write("lib/A/Core.h", "")
        self.write("lib/A/Table.cpp", '#include "B/b.h"\n')
        self.write("lib/A/B/b.h", '#include "../Core.h"\n')
        self.assert_passes(folder_cycles)
        self.write("lib/A/Core.cpp", '#include "B/b.h"\n')
        self.assert_fails(folder_cycles, "lib/A: a cycle of B, Core.*")

    def test_public_headers_belong_to_their_folder(self):
        self.write("include/kiln/A/a.h", '#include "kiln/B/b.h"\n')
        self.write("include/kiln/B/b.h", "")
        self.write("lib/B/b.cpp", '#include "kiln/A/a.h"\n')
        self.assert_fails(folder_cycles, "lib: a cycle of A, B")

    def test_known(self):
        self.plant()
        folder_cycles.KNOWN = {"runtime/sim": [("a", "b", "c")]}
        self.assert_fails(folder_cycles, "a cycle that is none (any more)")
        self.write("runtime/sim/c/deep/z.h", '#include "runtime/sim/a/x.h"\n')
        self.assert_passes(folder_cycles)


class Tiers(unittest.TestCase):
    def test_each_test_is_in_one_tier(self):
        def entry(name, *labels):
            return {"name": name, "properties": [{"name": "TIMEOUT", "value": 9.0}, {"name": "LABELS", "value": [*labels]}]}

        good = [entry("a", "check-kiln", "unit"), entry("b", "fuzz", "check-kiln-all")]
        self.assertEqual(list(tiers.problems(good)), [])
        found = list(tiers.problems([*good, entry("c", "unit"), {"name": "d"}, entry("e", "check-kiln", "check-kiln-e2e")]))
        self.assertEqual([line.split(";")[0] for line in found],
                         ["c is in no tier", "d is in no tier", "e is in check-kiln, check-kiln-e2e"])


class PrivateWords(Lint):
    def setUp(self):
        super().setUp()
        self.write(private_words.WORDS, "# words\nteam, teams | lib | text | thread group\nmost | lib | names | max\n"
                   "lanes meet | lib | text | reconverges\n")

    def update(self):
        self.addCleanup(setattr, private_words.sys, "argv", private_words.sys.argv)
        private_words.sys.argv = ["private_words.py", "--update"]
        result = self.run_lint(private_words)
        private_words.sys.argv = ["private_words.py"]
        return result

    def test_words_and_parts_of_identifiers(self):
        self.write("lib/A/a.cpp", "teamOf epilogueTeam the_team TEAM_SIZE\ntile.team steam teamed Teamster\n"
                   "lanes meet lanesMeet lanes_meet\n")
        self.write("docs/a.md", "team\n")
        self.assert_fails(private_words, "lib/A: 5 times 'team'; at most 0; the field says: thread group",
                          "3 times 'lanes meet'")

    def test_names_are_not_comments(self):
        self.write("lib/A/a.cpp", '// the most\nauto x = "most";\n')
        self.assert_passes(private_words)
        self.write("lib/A/a.cpp", "int mostRows, almost;\n")
        self.assert_fails(private_words, "lib/A: 1 times 'most'")

    def test_folders_of_an_installation_are_no_words(self):
        self.write("lib/A/a.cpp", "// team/doc/kiln, prefix/team/kiln\n")
        self.assert_passes(private_words)
        self.write("lib/A/a.cpp", "// team/docks, team/other\n")
        self.assert_fails(private_words, "lib/A: 2 times 'team'")

    def test_headers_belong_to_lib(self):
        self.write("include/kiln/A/a.h", "// a team\n")
        self.assert_fails(private_words, "include/kiln/A: 1 times 'team'")

    def test_counts_only_shrink(self):
        self.write("lib/A/a.h", "// team team\n")
        self.assertEqual(self.update()[0], 0)
        self.assert_passes(private_words)
        self.write("lib/A/a.h", "// team team team\n")
        self.assert_fails(private_words, "lib/A: 3 times 'team'; at most 2")
        self.assertEqual(self.update()[0], 1)
        self.write("lib/A/a.h", "// team\n")
        self.assert_fails(private_words, "1 times now, not 2")
        self.assertEqual(self.update()[0], 0)
        self.assert_passes(private_words)

    def test_a_file_that_moves_takes_its_words_along(self):
        self.write("lib/A/a.h", "// team team\n")
        self.update()
        (tree.ROOT / "lib/A/a.h").rename(tree.ROOT / "lib/a.h")
        self.assertEqual(self.update()[0], 0)
        self.assert_passes(private_words)


class Measure(Lint):
    def test_all_tables(self):
        self.write(private_words.WORDS, "team | lib | text | thread group\n")
        self.write("lib/A/a.cpp", '#include "a.h"\nvoid f() {\n}\n')
        self.write("lib/A/a.h", "// team\nclass A {\n  int f();\n};\n")
        self.write("test/A/a.mlir", "x\n" * 14)
        result = measure.measure()
        self.assertEqual(result["totals"]["lit lines per compiler line"], 2)
        self.assertEqual(result["totals"]["lines of the longest function"], 2)
        self.assertEqual((result["lines per folder"], result["words"]), ({"lib/A": 7}, {"team": 1}))


if __name__ == "__main__":
    unittest.main()
