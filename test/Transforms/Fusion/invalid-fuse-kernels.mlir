// RUN: kiln-opt %s --kiln-fuse-kernels --verify-diagnostics
// Values of kernels are tensors.

// expected-error @below {{KILN-E0115: invalid-fuse-kernels.mlir:6:1: func.func: argument 0 of @main is no tensor; expected a ranked tensor, found i32}}
// expected-error @below {{func.func: result 0 of @main is no tensor; expected a ranked tensor, found i32}}
func.func @main(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
