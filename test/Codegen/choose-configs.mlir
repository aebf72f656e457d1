// RUN: rm -rf %t && split-file %s %t
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs=targets=x86-64-v3,sm_80 | FileCheck %s
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=sm_80 batch-invariant" | FileCheck %s --check-prefix=ONE
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/given.txt" | FileCheck %s --check-prefix=GIVEN
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/given.txt" --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=CODE
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/other.txt" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/impossible.txt" 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/early.txt" 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/parameters.txt" 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/family.txt" 2>&1 | FileCheck %s --check-prefix=FAMILY
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/twice.txt" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not kiln-opt %t/kernels.mlir --kiln-choose-configs="targets=x86-64-v3 configs=%t/none.txt" 2>&1 | FileCheck %s --check-prefix=NONE
// A config that a kernel has already, as by hand in a dump.
// RUN: kiln-opt %t/kernels.mlir --kiln-choose-configs=targets=x86-64-v3 -o %t/chosen.mlir
// RUN: sed 's/mr = 6/mr = 4/' %t/chosen.mlir | kiln-opt --kiln-choose-configs=targets=x86-64-v3,sm_80 --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=KEPT
// RUN: sed '0,/lanes = 32/s//lanes = 16/; /%2 = graph.kernel/s/attributes {.*}} {/{/' %t/chosen.mlir | kiln-opt --kiln-choose-configs=targets=x86-64-v3 | FileCheck %s --check-prefix=SHARED
// RUN: sed 's/mr = 6/mr = 14/' %t/chosen.mlir | not kiln-opt --kiln-choose-configs=targets=x86-64-v3 2>&1 | FileCheck %s --check-prefix=KEPT-IMPOSSIBLE
// RUN: not kiln-opt %t/chosen.mlir --kiln-choose-configs=targets=x86-64-v4 2>&1 | FileCheck %s --check-prefix=KEPT-TARGET
// RUN: sed '0,/lanes = 32/s//lanes = 16/' %t/chosen.mlir | not kiln-opt --kiln-choose-configs=targets=x86-64-v3 2>&1 | FileCheck %s --check-prefix=KEPT-TWICE

// The keys are those that kiln explain prints: they change with the text of a kernel.

// One entry per target, and one per variant for few rows on a GPU. Equal kernels have equal configs.
// CHECK: graph.kernel "matmul" {{.*}} attributes {tile.configs = {sm_80 = #tile.block_gemm_config<{{.*}}>, "sm_80/rows<=64" = #tile.block_gemm_config<{{.*}}split{{.*}}>, "sm_80/rows<=8" = #tile.gemv_config<{{.*}}>, "x86-64-v3" = #tile.gemm_config<mr = 6, {{.*}}>}}
// CHECK: graph.kernel "pointwise" {{.*}} attributes {tile.configs = {sm_80 = [[P:#tile.pointwise_config<.*threads = 128.*>]], "x86-64-v3" = [[H:#tile.pointwise_config<.*>]]}}
// CHECK: graph.kernel "pointwise" {{.*}} attributes {tile.configs = {sm_80 = [[P]], "x86-64-v3" = [[H]]}}
// A transpose is tiled by an emitter of its own: there is nothing to choose here.
// CHECK: graph.kernel "transpose"
// CHECK-NOT: tile.configs

// ONE: graph.kernel "matmul" {{.*}} attributes {tile.configs = {sm_80 = #tile.block_gemm_config<{{[^>]*}}>}}

// GIVEN: graph.kernel "matmul" {{.*}}"x86-64-v3" = #tile.gemm_config<mr = 4, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>
// CODE: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 4, nr = 16, mc = 48,

// KEPT: graph.kernel "matmul" {{.*}}tile.configs = {sm_80 = #tile.block_gemm_config<{{.*}}"x86-64-v3" = #tile.gemm_config<mr = 4, nr = 16, mc = 96,
// KEPT: tile.kernel @matmul_0({{.*}}#tile.gemm_config<mr = 4, nr = 16, mc = 96,
// It is for all kernels that are equal to this one.
// SHARED-COUNT-2: graph.kernel "pointwise" {{.*}}tile.configs = {"x86-64-v3" = #tile.pointwise_config<lanes = 16,
// KEPT-IMPOSSIBLE: KILN-E0410: tile.configs: x86-64-v3: {{.*}} needs more vector registers than the target has; expected at most 16, found 31
// KEPT-TARGET: KILN-E0410: tile.configs: a config is for code that this kernel does not have; expected x86-64-v4, found x86-64-v3; fix: rename or delete the entry
// KEPT-TWICE: KILN-E0410: tile.configs: a kernel has other configs than one that is equal to it; expected configs on one of them, or the same on all, found both; fix: edit the configs of the first, and delete the others

// OTHER: warning: {{.*}}other.txt:1: unused: no kernel of this model is matmul-0123456789abcdef on x86-64-v3
// OTHER: warning: {{.*}}other.txt:2: unused: no kernel of this model is {{.*}} on sm_80
// OTHER: graph.kernel "matmul"

// IMPOSSIBLE: KILN-E0410: {{.*}}impossible.txt:1: matmul-{{.*}} on x86-64-v3: {{.*}} needs more vector registers than the target has; expected at most 16, found 31
// EARLY: KILN-E0407: {{.*}}early.txt:2: the line ends early; expected KEY TARGET FAMILY NAME = VALUE, ..., found 'matmul-0123456789abcdef x86-64-v3'
// PARAMETERS: KILN-E0407: {{.*}}parameters.txt:1: not a config of family gemm: {{.*}}; expected the parameters that kiln explain prints, found 'mr = 6'
// FAMILY: KILN-E0408: {{.*}}family.txt:1: no kernel family has this name; expected attention, {{.*}}, gemm, {{.*}}, found 'gem'
// TWICE: KILN-E0409: {{.*}}twice.txt:3: a second config for matmul-0123456789abcdef on x86-64-v3; {{.*}}found the first at {{.*}}twice.txt:1
// NONE: KILN-E0004: {{.*}}none.txt: the file cannot be read

//--- given.txt
# By hand, with a name of before.
matmul-550421c74e917efe x86-64-v3 gemm mr = 4, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, strip = false # the end
//--- other.txt
matmul-0123456789abcdef x86-64-v3 gemm mr = 4, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false
matmul-550421c74e917efe sm_80 gemv columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4
//--- impossible.txt
matmul-550421c74e917efe x86-64-v3 gemm mr = 14, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false
//--- early.txt

matmul-0123456789abcdef x86-64-v3
//--- parameters.txt
matmul-0123456789abcdef x86-64-v3 gemm mr = 6
//--- family.txt
matmul-0123456789abcdef x86-64-v3 gem mr = 6
//--- twice.txt
matmul-0123456789abcdef x86-64-v3 gemm mr = 4, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false
# The same on another target is no second one.
matmul-0123456789abcdef x86-64-v3 gemm mr = 5, nr = 16, mc = 48, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false
//--- kernels.mlir
graph.symbol @m in [1, 600]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>, %p: tensor<4096xf32>, %t: tensor<512x512xf32>)
    -> (tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>, tensor<4096xf32>, tensor<512x512xf32>) {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  %3 = graph.kernel "pointwise" (%a = %p) : (tensor<4096xf32>) -> tensor<4096xf32> {
    %4 = graph.unary exp %a : (tensor<4096xf32>) -> tensor<4096xf32>
    graph.yield %4 : tensor<4096xf32>
  }
  %5 = graph.kernel "pointwise" (%a = %3) : (tensor<4096xf32>) -> tensor<4096xf32> {
    %6 = graph.unary exp %a : (tensor<4096xf32>) -> tensor<4096xf32>
    graph.yield %6 : tensor<4096xf32>
  }
  %7 = graph.kernel "transpose" (%a = %t) : (tensor<512x512xf32>) -> tensor<512x512xf32> {
    %8 = graph.transpose %a [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    graph.yield %8 : tensor<512x512xf32>
  }
  return %0, %5, %7 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>, tensor<4096xf32>, tensor<512x512xf32>
}
