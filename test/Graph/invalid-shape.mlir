// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// C1 cannot be written down: the parser makes shapes canonical. See
// test/unit/Graph/ShapeAttrTest.cpp.

// #graph.shape C2
// expected-error@below {{(C2) expected 2 dim expressions, found 1}}
func.func private @f(tensor<?x4xf32, #graph.shape<[n] -> [n]>>)

// -----

// #graph.shape C2
// expected-error@below {{(C2) dim 1: the type says 4, the expression is 5}}
func.func private @f(tensor<?x4xf32, #graph.shape<[n] -> [n, 5]>>)

// -----

// #graph.shape C2
// expected-error@below {{(C2) dim 1: the type says 4, the expression is n}}
func.func private @f(tensor<?x4xf32, #graph.shape<[n] -> [n, n]>>)

// -----

// #graph.shape C2
// expected-error@below {{(C2) dim 0: the type says ?, the expression is 4}}
func.func private @f(tensor<?x4xf32, #graph.shape<[n] -> [4, 4]>>)
