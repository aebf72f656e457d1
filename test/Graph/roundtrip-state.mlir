// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-DAG: #[[$STATE:.*]] = #graph.shape<[capacity, rows] -> [rows, 2, capacity, 8]>
// CHECK-DAG: #[[$NEW:.*]] = #graph.shape<[rows, seq] -> [rows, 2, seq, 8]>

!state = tensor<?x2x?x8xf32, #graph.shape<[capacity, rows] -> [rows, 2, capacity, 8]>>
!new = tensor<?x2x?x8xf32, #graph.shape<[rows, seq] -> [rows, 2, seq, 8]>>
!per_row = tensor<?xi64, #graph.shape<[rows] -> [rows]>>

graph.symbol @capacity in [1, 64]
graph.symbol @rows in [1, 4]
graph.symbol @seq in [1, 16]

// CHECK-LABEL: func.func @write
// CHECK: graph.kv_write %{{.*}}, %{{.*}} starts %{{.*}} counts %{{.*}} axis 2 : (tensor<?x2x?x8xf32, #[[$STATE]]>, tensor<?x2x?x8xf32, #[[$NEW]]>, {{.*}}) -> tensor<?x2x?x8xf32, #[[$STATE]]>
func.func @write(%s: !state, %n: !new, %starts: !per_row, %counts: !per_row) -> !state {
  %0 = graph.kv_write %s, %n starts %starts counts %counts axis 2 : (!state, !new, !per_row, !per_row) -> !state
  return %0 : !state
}
