// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4 partition" -o /dev/null | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Weights of 16 bits in panels of 64 columns, of which a host's tiles take 16 at a time
// (nr), and tasks whole panels.

// One row: tiles side by side over a panel.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 4 tasks, 256 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 4 tasks, 256 elements equal
func.func @row(%x0: tensor<1x48xbf16>, %w0: tensor<4x48x64xbf16>) -> tensor<1x256xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x48xbf16>, tensor<4x48x64xbf16>) -> tensor<1x256xf32> {
    %u = graph.unpack %w : (tensor<4x48x64xbf16>) -> tensor<48x256xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<1x48xbf16>, tensor<48x256xbf16>) -> tensor<1x256xf32>
    graph.yield %m : tensor<1x256xf32>
  }
  return %k : tensor<1x256xf32>
}

// Few rows, an odd K, panels that do not divide evenly among tasks.
// CHECK-LABEL: func.func @few
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 3 tasks, 576 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 3 tasks, 576 elements equal
func.func @few(%x0: tensor<3x33xbf16>, %w0: tensor<3x33x64xbf16>) -> tensor<3x192xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<3x33xbf16>, tensor<3x33x64xbf16>) -> tensor<3x192xf32> {
    %u = graph.unpack %w : (tensor<3x33x64xbf16>) -> tensor<33x192xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<3x33xbf16>, tensor<33x192xbf16>) -> tensor<3x192xf32>
    graph.yield %m : tensor<3x192xf32>
  }
  return %k : tensor<3x192xf32>
}

// Rows for whole register tiles, which fetch what the next tile of the panel reads.
// CHECK-LABEL: func.func @tall
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 8960 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 8960 elements equal
func.func @tall(%x0: tensor<70x40xf16>, %w0: tensor<2x40x64xf16>) -> tensor<70x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<70x40xf16>, tensor<2x40x64xf16>) -> tensor<70x128xf32> {
    %u = graph.unpack %w : (tensor<2x40x64xf16>) -> tensor<40x128xf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<70x40xf16>, tensor<40x128xf16>) -> tensor<70x128xf32>
    graph.yield %m : tensor<70x128xf32>
  }
  return %k : tensor<70x128xf32>
}

// K in passes, one panel.
// CHECK-LABEL: func.func @deep
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 704, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 896 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 1056, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 896 elements equal
func.func @deep(%x0: tensor<14x2100xbf16>, %w0: tensor<1x2100x64xbf16>) -> tensor<14x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<14x2100xbf16>, tensor<1x2100x64xbf16>) -> tensor<14x64xf32> {
    %u = graph.unpack %w : (tensor<1x2100x64xbf16>) -> tensor<2100x64xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<14x2100xbf16>, tensor<2100x64xbf16>) -> tensor<14x64xf32>
    graph.yield %m : tensor<14x64xf32>
  }
  return %k : tensor<14x64xf32>
}

// Gates in tiles, halves of 8 columns.
// CHECK-LABEL: func.func @gate
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 4 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 4 tasks, 128 elements equal
func.func @gate(%x0: tensor<1x32xbf16>, %w0: tensor<4x32x64xbf16>) -> tensor<1x128xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x32xbf16>, tensor<4x32x64xbf16>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<4x32x64xbf16>) -> tensor<32x256xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<1x32xbf16>, tensor<32x256xbf16>) -> tensor<1x256xf32>
    %s = graph.reshape %m : (tensor<1x256xf32>) -> tensor<1x16x2x8xf32>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x16x2x8xf32>) -> tensor<1x16x1x8xf32>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<1x16x2x8xf32>) -> tensor<1x16x1x8xf32>
    %g = graph.reshape %a : (tensor<1x16x1x8xf32>) -> tensor<1x128xf32>
    %o = graph.reshape %b : (tensor<1x16x1x8xf32>) -> tensor<1x128xf32>
    %f = graph.unary silu %g : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %y = graph.binary mul %f, %o : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    graph.yield %y : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}

// The same with many rows.
// CHECK-LABEL: func.func @gates
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 3200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 3200 elements equal
func.func @gates(%x0: tensor<50x21xbf16>, %w0: tensor<2x21x64xbf16>) -> tensor<50x64xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<50x21xbf16>, tensor<2x21x64xbf16>) -> tensor<50x64xf32> {
    %u = graph.unpack %w : (tensor<2x21x64xbf16>) -> tensor<21x128xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<50x21xbf16>, tensor<21x128xbf16>) -> tensor<50x128xf32>
    %s = graph.reshape %m : (tensor<50x128xf32>) -> tensor<50x8x2x8xf32>
    %a = graph.slice %s starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<50x8x2x8xf32>) -> tensor<50x8x1x8xf32>
    %b = graph.slice %s starts #graph.shape<[] -> [0, 0, 1, 0]> steps [1, 1, 1, 1] : (tensor<50x8x2x8xf32>) -> tensor<50x8x1x8xf32>
    %g = graph.reshape %a : (tensor<50x8x1x8xf32>) -> tensor<50x64xf32>
    %o = graph.reshape %b : (tensor<50x8x1x8xf32>) -> tensor<50x64xf32>
    %f = graph.unary silu %g : (tensor<50x64xf32>) -> tensor<50x64xf32>
    %y = graph.binary mul %f, %o : (tensor<50x64xf32>, tensor<50x64xf32>) -> tensor<50x64xf32>
    graph.yield %y : tensor<50x64xf32>
  }
  return %k : tensor<50x64xf32>
}

// Not: columns that fill no whole number of panels.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 1, nr = 64, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 208 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 6, nr = 64, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 208 elements equal
func.func @partial(%x0: tensor<2x24xbf16>, %w0: tensor<2x24x64xbf16>) -> tensor<2x104xf32> {
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<2x24xbf16>, tensor<2x24x64xbf16>) -> tensor<2x104xf32> {
    %u = graph.unpack %w : (tensor<2x24x64xbf16>) -> tensor<24x104xbf16>
    %m = graph.matmul %x, %u {result_element = f32} : (tensor<2x24xbf16>, tensor<24x104xbf16>) -> tensor<2x104xf32>
    graph.yield %m : tensor<2x104xf32>
  }
  return %k : tensor<2x104xf32>
}
