// RUN: kiln-opt --kiln-assign-layouts --kiln-lower-tile-to-nvvm --split-input-file %s -verify-diagnostics

// What is wrong between kiln-allocate-shared and the lowering is refused before anything is lowered.
// expected-error @+1 {{KILN-E0403: kernel 'not_allocated', tile.kernel: its shared memory is not allocated; expected an attribute from kiln-allocate-shared, found none}}
tile.kernel @not_allocated(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  %b = tile.alloc : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}

// -----

tile.kernel @no_place(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, tile.shared_bytes = 6144} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  // expected-error @+1 {{kernel 'no_place', tile.alloc: it has no place in shared memory; expected a multiple of 128 up to 3072, found none}}
  %b = tile.alloc : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}

// -----

tile.kernel @misaligned(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, tile.shared_bytes = 6144} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  // expected-error @+1 {{kernel 'misaligned', tile.alloc: it has no place in shared memory; expected a multiple of 128 up to 3072, found 3000}}
  %b = tile.alloc {tile.shared_offset = 3000 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}

// -----

tile.kernel @beyond_the_end(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, tile.shared_bytes = 6144} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  // expected-error @+1 {{it has no place in shared memory; expected a multiple of 128 up to 3072, found 3200}}
  %b = tile.alloc {tile.shared_offset = 3200 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}

// -----

tile.kernel @in_one_place(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, tile.shared_bytes = 6144} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  // expected-error @+1 {{kernel 'in_one_place', tile.alloc: its shared memory is that of tile.alloc, which is in use at the same time; expected bytes outside of 0..3071, found 2944..6015}}
  %b = tile.alloc {tile.shared_offset = 2944 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}

// -----

tile.kernel @scratch_in_use(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>, tile.shared_bytes = 5120} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  // expected-error @+1 {{kernel 'scratch_in_use', tile.scratch: its shared memory is that of tile.alloc, which is in use at the same time; expected bytes outside of 0..3071, found 0..1023}}
  %d = tile.scratch %c0 {tile.shared_offset = 0 : i64} : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  tile.store %f, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
  tile.sync_threads
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  %b = tile.alloc {tile.shared_offset = 3072 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
  tile.sync_threads
  %g = tile.load %S[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.frag<16x16xf32>
}

// -----

// expected-error @+1 {{kernel 'too_much', tile.kernel: it needs more shared memory than a block has; expected at most 166912 bytes, found 200000}}
tile.kernel @too_much(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, tile.shared_bytes = 200000} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %a = tile.alloc {tile.shared_offset = 0 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  %b = tile.alloc {tile.shared_offset = 3072 : i64} : !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
  scf.for %k = %c0 to %c64 step %c16 {
    tile.sync_threads
    tile.issue_copy %X[%c0, %k] to %a[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.issue_copy %X[%k, %c0] to %b[%c0] : !tile.view<64x64xf32, [64, 1]> to !tile.mem<3x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
    tile.commit_copies
  }
}
