// A compile that goes on from an edited dump: the config that was written into it by hand is that of the package, and the
// package still computes the same.
// RUN: rm -rf %t && mkdir -p %t && cp %S/Inputs/mlp.onnxtxt %t
// RUN: cd %t
// RUN: kiln compile mlp.onnxtxt --compile-to=kernels --target x86-64-v3 -o kernels.mlir -q
// RUN: sed 's/graph.kernel "matmul" .*\]/&, tile.configs = {"x86-64-v3" = #tile.gemm_config<mr = 4, nr = 16, mc = 48, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>}/' kernels.mlir > edited.mlir
// RUN: kiln compile kernels.mlir -o chosen.kiln -q
// RUN: kiln compile edited.mlir -o edited.kiln -q
// RUN: kiln inspect chosen.kiln --kernels | FileCheck %s --check-prefix=CHOSEN
// RUN: kiln inspect edited.kiln --kernels | FileCheck %s --check-prefix=EDITED
// RUN: kiln verify edited.kiln | FileCheck %s --check-prefix=VERIFIED

// CHOSEN: matmul_0 {{.*}} #tile.gemm_config<mr = 6,
// EDITED: matmul_0 {{.*}} #tile.gemm_config<mr = 4, nr = 16, mc = 48,
// VERIFIED: PASSED
