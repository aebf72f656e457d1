"""index_maps.py on planted lists."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import unittest

import index_maps
import measure
from test_lint import Lint


class IndexMaps(Lint):
    def test_overloads_are_told_apart_by_their_parameters(self):
        self.write("lib/a.cpp", "int A::visit(B op) {\n  return 1;\n}\nint A::visit(C op) {\n}\nstruct D {\n  int f() { }\n};\n")
        self.write(index_maps.LIST, "# words\nlib/a.cpp | A::visit(B | why\nlib/a.cpp | D::f | why\n")
        self.assert_passes(index_maps)
        self.assertEqual(sum(index_maps.counted()[0].values()), 4)

    def test_a_function_that_is_gone(self):
        self.write("lib/a.cpp", "int f() {\n}\n")
        self.write(index_maps.LIST, "lib/a.cpp | f | why\nlib/a.cpp | g | why\nlib/b.cpp | f | why\n")
        self.assert_fails(index_maps, "there is no lib/a.cpp g;", "there is no lib/b.cpp f;", "2 problems")
        with self.assertRaises(SystemExit):
            measure.map_lines()

    def test_too_many_lines(self):
        self.write("lib/a.cpp", "int f() {\n" + "\n" * index_maps.STOP + "}\n")
        self.write(index_maps.LIST, "lib/a.cpp | f | why\n")
        self.assert_fails(index_maps, "402 lines; at most 400")


if __name__ == "__main__":
    unittest.main()
