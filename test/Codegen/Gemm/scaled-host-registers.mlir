// RUN: kiln-opt %s --kiln-choose-configs=targets=x86-64-v3,x86-64-v4,sapphirerapids -o %t.mlir
// RUN: FileCheck %s --check-prefix=CHOSEN < %t.mlir
// RUN: kiln-opt %t.mlir --kiln-choose-configs=targets=x86-64-v3,x86-64-v4,sapphirerapids --kiln-emit-kernels=targets=x86-64-v3,x86-64-v4,sapphirerapids | FileCheck %s --check-prefixes=CHOSEN,CODE
// RUN: sed 's/mr = 12/mr = 14/' %t.mlir | kiln-opt --kiln-choose-configs=targets=x86-64-v3,x86-64-v4,sapphirerapids --kiln-emit-kernels=targets=x86-64-v3,x86-64-v4,sapphirerapids | FileCheck %s --check-prefix=FULL
// RUN: sed 's/mr = 12/mr = 15/' %t.mlir | not kiln-opt --kiln-choose-configs=targets=x86-64-v3,x86-64-v4,sapphirerapids 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: sed 's/mr = 12/mr = 15/' %t.mlir | not kiln-opt --kiln-emit-kernels=targets=x86-64-v4 2>&1 | FileCheck %s --check-prefix=EMITTED
// RUN: sed 's/mr = 6/mr = 7/' %t.mlir | not kiln-opt --kiln-choose-configs=targets=x86-64-v3,x86-64-v4,sapphirerapids 2>&1 | FileCheck %s --check-prefix=SHORT
// Registers of quantized GEMMs on hosts: integer accumulators, not those of f32, which wait on the stack. A config that the family chooses
// passes the check, on a kernel as by hand too.

// CHOSEN: graph.kernel "matmul" {{.*}}tile.configs = {sapphirerapids = #tile.gemm_config<mr = 16, {{.*}} group = 1, {{.*}}>, "x86-64-v3" = #tile.gemm_config<mr = 6, {{.*}} group = 1, {{.*}}>, "x86-64-v4" = #tile.gemm_config<mr = 12, {{.*}} group = 2, {{.*}}>}
// CODE: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 6,
// CODE: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 12,
// CODE: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 16,
// All 32 but one: 28 accumulators, two of the weight, one of the activations.
// FULL: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 14,
// CHECKED: KILN-E0410: tile.configs: x86-64-v4: {{.*}} needs more vector registers than the target has; expected at most 32, found 33
// EMITTED: KILN-E0410: kernel 'matmul_0' for x86-64-v4: {{.*}} needs more vector registers than the target has; expected at most 32, found 33
// SHORT: KILN-E0410: tile.configs: x86-64-v3: {{.*}} needs more vector registers than the target has; expected at most 16, found 17
func.func @main(%x0: tensor<64x128xi8>, %s0: tensor<64x1xf32>, %u0: tensor<64x1xi32>, %w0: tensor<3x32x16x4xui8>, %t0: tensor<3x1x16xbf16>, %z0: tensor<3x1x16xui8>) -> tensor<64x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<64x128xi8>, tensor<64x1xf32>, tensor<64x1xi32>, tensor<3x32x16x4xui8>, tensor<3x1x16xbf16>, tensor<3x1x16xui8>) -> tensor<64x48xf32> {
    %m = graph.scaled_matmul %x <i8, block 128, scale f32> scales %s totals %u by %w <ui8, block 128, scale bf16, zero_point> scales %t zeros %z columns 48 accumulate wide : (tensor<64x128xi8>, tensor<64x1xf32>, tensor<64x1xi32>, tensor<3x32x16x4xui8>, tensor<3x1x16xbf16>, tensor<3x1x16xui8>) -> tensor<64x48xf32>
    graph.yield %m : tensor<64x48xf32>
  }
  return %k : tensor<64x48xf32>
}
