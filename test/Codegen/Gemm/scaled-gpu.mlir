// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=m:1 partition" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=m:37 partition" -o /dev/null | FileCheck %s --check-prefix=AT1
// NOTE: checks by tools/update-lit-checks
// Products of codes by warps: rows that fill no tile, panels that fill no block, blocks
// of one instruction and of several.

graph.symbol @m in [1, 600]

// Rows of the launch: code for few of them, and for all; halves of a gate.
// AT0-LABEL: func.func @gate
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 3 tasks, 40 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 64, stages = 1, threads = 128, row_threads = 4>: 2 tasks, 40 elements equal
// AT1-LABEL: func.func @gate
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 1, threads = 64, row_threads = 4>: 9 tasks, 1480 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 4, block_k = 64, stages = 1, threads = 128, row_threads = 4>: 10 tasks, 1480 elements equal
func.func @gate(%x0: tensor<?x64xi8, #graph.shape<[m] -> [m, 64]>>, %s0: tensor<?x2xf32, #graph.shape<[m] -> [m, 2]>>, %u0: tensor<?x2xi32, #graph.shape<[m] -> [m, 2]>>, %w0: tensor<5x8x16x4xui8>, %t0: tensor<5x2x16xbf16>, %z0: tensor<5x2x16xui8>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<?x64xi8, #graph.shape<[m] -> [m, 64]>>, tensor<?x2xf32, #graph.shape<[m] -> [m, 2]>>, tensor<?x2xi32, #graph.shape<[m] -> [m, 2]>>, tensor<5x8x16x4xui8>, tensor<5x2x16xbf16>, tensor<5x2x16xui8>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>> {
    %p = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %u by %w <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 80 accumulate wide : (tensor<?x64xi8, #graph.shape<[m] -> [m, 64]>>, tensor<?x2xf32, #graph.shape<[m] -> [m, 2]>>, tensor<?x2xi32, #graph.shape<[m] -> [m, 2]>>, tensor<5x8x16x4xui8>, tensor<5x2x16xbf16>, tensor<5x2x16xui8>) -> tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>
    %r = graph.reshape %p : (tensor<?x80xf32, #graph.shape<[m] -> [m, 80]>>) -> tensor<?x5x2x8xf32, #graph.shape<[m] -> [m, 5, 2, 8]>>
    %a = graph.slice %r starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<?x5x2x8xf32, #graph.shape<[m] -> [m, 5, 2, 8]>>) -> tensor<?x5x1x8xf32, #graph.shape<[m] -> [m, 5, 1, 8]>>
    %b = graph.slice %r starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<?x5x2x8xf32, #graph.shape<[m] -> [m, 5, 2, 8]>>) -> tensor<?x5x1x8xf32, #graph.shape<[m] -> [m, 5, 1, 8]>>
    %g = graph.reshape %a : (tensor<?x5x1x8xf32, #graph.shape<[m] -> [m, 5, 1, 8]>>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
    %o = graph.reshape %b : (tensor<?x5x1x8xf32, #graph.shape<[m] -> [m, 5, 1, 8]>>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
    %f = graph.unary silu %g : (tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
    %y = graph.binary mul %f, %o : (tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>, tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>) -> tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
    graph.yield %y : tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
  }
  return %k : tensor<?x40xf32, #graph.shape<[m] -> [m, 40]>>
}

// Blocks of 16 steps, 4 bits, a partial panel.
// AT0-LABEL: func.func @short4
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-LABEL: func.func @short4
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 16>: 9 tasks, 629 elements equal
func.func @short4(%x0: tensor<17x48xi8>, %s0: tensor<17x3xf32>, %u0: tensor<17x3xi32>, %w0: tensor<3x6x16x4xui8>, %t0: tensor<3x3x16xf16>, %z0: tensor<3x3x16xui8>) -> tensor<17x37xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<17x48xi8>, tensor<17x3xf32>, tensor<17x3xi32>, tensor<3x6x16x4xui8>, tensor<3x3x16xf16>, tensor<3x3x16xui8>) -> tensor<17x37xf32> {
    %p = graph.scaled_matmul %x <i8, block 16, scale f32> scales %s totals %u by %w <ui4, block 16, scale f16, zero_point> scales %t zeros %z columns 37 accumulate wide : (tensor<17x48xi8>, tensor<17x3xf32>, tensor<17x3xi32>, tensor<3x6x16x4xui8>, tensor<3x3x16xf16>, tensor<3x3x16xui8>) -> tensor<17x37xf32>
    graph.yield %p : tensor<17x37xf32>
  }
  return %k : tensor<17x37xf32>
}

// The same, 8 bits.
// AT0-LABEL: func.func @short8
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT1-LABEL: func.func @short8
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 48, stages = 1, threads = 32, row_threads = 4>: 9 tasks, 816 elements equal
func.func @short8(%x0: tensor<17x48xi8>, %s0: tensor<17x3xf32>, %u0: tensor<17x3xi32>, %w0: tensor<3x12x16x4xui8>, %t0: tensor<3x3x16xf32>) -> tensor<17x48xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<17x48xi8>, tensor<17x3xf32>, tensor<17x3xi32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf32>) -> tensor<17x48xf32> {
    %p = graph.scaled_matmul %x <i8, block 16, scale f32> scales %s totals %u by %w <ui8, block 16, scale f32> scales %t columns 48 accumulate wide : (tensor<17x48xi8>, tensor<17x3xf32>, tensor<17x3xi32>, tensor<3x12x16x4xui8>, tensor<3x3x16xf32>) -> tensor<17x48xf32>
    graph.yield %p : tensor<17x48xf32>
  }
  return %k : tensor<17x48xf32>
}

// A block of two long instructions and a short one.
// AT0-LABEL: func.func @long
// AT0-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 80, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 3 elements equal
// AT0-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 80, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 3 elements equal
// AT1-LABEL: func.func @long
// AT1-NEXT: sm_80 #tile.block_gemm_config<rows = 8, panels = 1, block_k = 80, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 3 elements equal
// AT1-NEXT: sm_90a #tile.block_gemm_config<rows = 8, panels = 1, block_k = 80, stages = 1, threads = 32, row_threads = 4>: 1 tasks, 3 elements equal
func.func @long(%x0: tensor<3x80xi8>, %s0: tensor<3x1xf32>, %u0: tensor<3x1xi32>, %w0: tensor<1x10x16x4xui8>, %t0: tensor<1x1x16xbf16>, %z0: tensor<1x1x16xui8>) -> tensor<3x1xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<3x80xi8>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<1x10x16x4xui8>, tensor<1x1x16xbf16>, tensor<1x1x16xui8>) -> tensor<3x1xf32> {
    %p = graph.scaled_matmul %x <i8, block 80, scale f32> scales %s totals %u by %w <ui4, block 80, scale bf16, zero_point> scales %t zeros %z columns 1 accumulate wide : (tensor<3x80xi8>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<1x10x16x4xui8>, tensor<1x1x16xbf16>, tensor<1x1x16xui8>) -> tensor<3x1xf32>
    graph.yield %p : tensor<3x1xf32>
  }
  return %k : tensor<3x1xf32>
}
