// RUN: kiln-opt --kiln-partition-warps=target=sm_90a --split-input-file %s -verify-diagnostics

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// expected-error @+1 {{KILN-E0403: kernel 'nothing': no pipeline that every task runs once; found tile.kernel}}
tile.kernel @nothing() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, config = #config,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// The view begins where the task says: a map would have to change between tasks.
// expected-error @+1 {{KILN-E0403: kernel 'moving': an operand that is no tensor a map can describe; found tile.kernel}}
tile.kernel @moving(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, config = #config,
                grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  %from = arith.muli %t, %c4096 : index
  %A = tile.view %a offset %from sizes() strides() : !tile.buffer<f16> -> !tile.view<64x64xf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<64x16xf16, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c64 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%c0, %k] : !tile.view<64x64xf16, [64, 1]> -> !tile.staged<64x64xf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xf16, [16, 1]> -> !tile.staged<64x16xf16>
    tile.yield %x, %y : !tile.staged<64x64xf16>, !tile.staged<64x16xf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xf16>, %y: !tile.staged<64x16xf16>, %u: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xf16>, !tile.staged<64x16xf16>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  }
}

// -----

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, epilogue_panels = 1, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// Sums of f32 operands are another instruction's.
// expected-error @+1 {{KILN-E0403: kernel 'wide': operands that are not tiles of two tensors of one 16-bit type; found tile.kernel}}
tile.kernel @wide(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, config = #config,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c64 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<64x64xf32>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<64x16xf32>
    tile.yield %x, %y : !tile.staged<64x64xf32>, !tile.staged<64x16xf32>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xf32>, %y: !tile.staged<64x16xf32>, %u: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xf32>, !tile.staged<64x16xf32>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  }
}
