// RUN: kiln-opt %s --split-input-file --kiln-choose-configs=targets=sm_80 --kiln-emit-kernels=targets=sm_80 | FileCheck %s --check-prefix=GPU
// RUN: kiln-opt %s --split-input-file --kiln-choose-configs="targets=sm_80 batch-invariant" --kiln-emit-kernels=targets=sm_80 | FileCheck %s --check-prefix=ONE
// RUN: kiln-opt %s --split-input-file --kiln-choose-configs=targets=x86-64-v3 --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=ONE

// One kernel per product if asked for, and always on a host.
// ONE: tile.kernel @matmul_0(
// ONE-NOT: replaces

// Rows known at run time only: a stream for eight, tiles that share K for 64, and tiles for all.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU-NOT: replaces
// GPU: tile.kernel @matmul_0_rows8(
// GPU-SAME: #tile.gemv_config
// GPU-SAME: replaces = @matmul_0,
// GPU-SAME: when = [#tile.bound<#map{{[0-9]*}} max 8>]
// GPU: tile.kernel @matmul_0_rows64(
// GPU-SAME: #tile.block_gemm_config<rows = 64, {{.*}}split = {{[0-9]+}}>
// GPU-SAME: replaces = @matmul_0, {{.*}}tickets = {{.*}}when = [#tile.bound<#map{{[0-9]*}} max 64>], workspace =
graph.symbol @m in [1, 600]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// -----

// Rows of several dims are counted as one.
// GPU: affine_map<()[s0, s1] -> (s0 * s1)>
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU: tile.kernel @matmul_0_rows8(
// GPU: tile.kernel @matmul_0_rows64(
graph.symbol @batch in [1, 8]
graph.symbol @seq in [1, 512]
func.func @main(%x: tensor<?x?x512xf32, #graph.shape<[batch, seq] -> [batch, seq, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x?x96xf32, #graph.shape<[batch, seq] -> [batch, seq, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x?x512xf32, #graph.shape<[batch, seq] -> [batch, seq, 512]>>, tensor<6x512x16xf32>) -> tensor<?x?x96xf32, #graph.shape<[batch, seq] -> [batch, seq, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x?x512xf32, #graph.shape<[batch, seq] -> [batch, seq, 512]>>, tensor<512x96xf32>) -> tensor<?x?x96xf32, #graph.shape<[batch, seq] -> [batch, seq, 96]>>
    graph.yield %2 : tensor<?x?x96xf32, #graph.shape<[batch, seq] -> [batch, seq, 96]>>
  }
  return %0 : tensor<?x?x96xf32, #graph.shape<[batch, seq] -> [batch, seq, 96]>>
}

// -----

// Ranges exclude few rows ...
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU-NOT: @matmul_0_rows8(
// GPU: tile.kernel @matmul_0_rows64(
graph.symbol @m in [9, 600]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// -----

// ... or many: the kernel itself is one for 64 rows.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU: tile.kernel @matmul_0_rows8(
// GPU-NOT: @matmul_0_rows64(
graph.symbol @m in [1, 64]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// -----

// Never more than eight: the stream is the kernel itself.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU-SAME: #tile.gemv_config
// GPU-NOT: replaces
graph.symbol @m in [1, 8]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// -----

// Perhaps no rows at all: a stream reads one that there must be.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU-NOT: replaces
graph.symbol @m in [0, 600]
func.func @main(%x: tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, %w: tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<6x512x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x512xf32, #graph.shape<[m] -> [m, 512]>>, tensor<512x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}

// -----

// A constant.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU-NOT: replaces
func.func @main(%x: tensor<100x512xf32>, %w: tensor<6x512x16xf32>) -> tensor<100x96xf32> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<100x512xf32>, tensor<6x512x16xf32>) -> tensor<100x96xf32> {
    %1 = graph.unpack %b : (tensor<6x512x16xf32>) -> tensor<512x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<100x512xf32>, tensor<512x96xf32>) -> tensor<100x96xf32>
    graph.yield %2 : tensor<100x96xf32>
  }
  return %0 : tensor<100x96xf32>
}

// -----

// A short K cannot be shared: at 64 rows the model does not tell the tiles apart.
// GPU-LABEL: module @sm_80
// GPU: tile.kernel @matmul_0(
// GPU: tile.kernel @matmul_0_rows8(
// GPU-NOT: @matmul_0_rows64(
graph.symbol @m in [1, 600]
func.func @main(%x: tensor<?x16xf32, #graph.shape<[m] -> [m, 16]>>, %w: tensor<6x16x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<?x16xf32, #graph.shape<[m] -> [m, 16]>>, tensor<6x16x16xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>> {
    %1 = graph.unpack %b : (tensor<6x16x16xf32>) -> tensor<16x96xf32>
    %2 = graph.matmul %a, %1 : (tensor<?x16xf32, #graph.shape<[m] -> [m, 16]>>, tensor<16x96xf32>) -> tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
    graph.yield %2 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
  }
  return %0 : tensor<?x96xf32, #graph.shape<[m] -> [m, 96]>>
}
