// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// Shapes are canonical: symbols sorted, unused ones dropped, terms in one order.

// CHECK-DAG: #[[AB:.*]] = #graph.shape<[a, b] -> [a * b + a + 3, a]>
// CHECK-DAG: #[[DIV:.*]] = #graph.shape<[a] -> [(a floordiv 2), (a ceildiv 3), ((a + 1) mod 4)]>

// CHECK: func.func @canonical(%{{.*}}: tensor<?x?xf32, #[[AB]]>, %{{.*}}: tensor<?x?xf32, #[[AB]]>)
func.func @canonical(%x: tensor<?x?xf32, #graph.shape<[b, a, c] -> [3 + a + b * a, 2 * a - a]>>,
                     %y: tensor<?x?xf32, #graph.shape<[a, b] -> [a * (b + 1) + 3, a]>>) {
  return
}

// CHECK: func.func @quotients(%{{.*}}: tensor<?x?x?xf32, #[[DIV]]>)
func.func @quotients(%x: tensor<?x?x?xf32, #graph.shape<[a] -> [a floordiv 2, a ceildiv 3, (a + 1) mod 4]>>) {
  return
}
