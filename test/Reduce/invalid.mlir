// RUN: kiln-reduce %s --test "kiln-opt" --message "C1" -o - 2>/dev/null | FileCheck %s

// An input that its verifier refuses is reduced all the same, as the refusal may be what is
// to be kept. The result stands in the generic form: custom printers count on valid ops.

// CHECK: "graph.symbol"() <{max = 1 : i64, min = 4 : i64, sym_name = "n"}>
// CHECK-NOT: graph.
// CHECK-NOT: func.func

graph.symbol @n in [4, 1]
graph.symbol @m in [1, 4]
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  %0 = graph.unary exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
