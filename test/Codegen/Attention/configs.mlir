// RUN: kiln-opt %s --kiln-test-rank-configs=target=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: kiln-opt %s --kiln-test-rank-configs=target=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

// Two registers of keys per row of the tile first, then one.
// CHECK-LABEL: kernel "attention" for
// V3-NEXT: #tile.attention_config<mr = 6, nr = 16, mc = 128>
// V3-NEXT: #tile.attention_config<mr = 12, nr = 8, mc = 128>
// V4-NEXT: #tile.attention_config<mr = 12, nr = 32, mc = 128>
// V4-NEXT: #tile.attention_config<mr = 12, nr = 16, mc = 128>
// CHECK-NOT: #tile.attention_config
// CHECK: module {
#h = #graph.shape<[b, s] -> [b, 4, s, 32]>
graph.symbol @b in [1, 8]
graph.symbol @s in [1, 512]
func.func @main(%q: tensor<?x4x?x32xf32, #h>, %k: tensor<?x4x?x32xf32, #h>, %v: tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h> {
  %0 = graph.kernel "attention" (%a = %q, %c = %k, %d = %v) : (tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h> {
    %1 = graph.attention %a, %c, %d {scale = 0.25 : f64} : (tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>) -> tensor<?x4x?x32xf32, #h>
    graph.yield %1 : tensor<?x4x?x32xf32, #h>
  }
  return %0 : tensor<?x4x?x32xf32, #h>
}
