// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// Buffers, barriers, asynchronous copies and products.

// mem C1
// expected-error @+1 {{(C1) expects positive stages, rows and columns}}
func.func private @mem_c1(!tile.mem<64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>)

// -----
// mem C2
// expected-error @+1 {{expects a signless integer or float element, found 'si8'}}
func.func private @mem_c2(!tile.mem<2x64x128xsi8, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>)

// -----
// mem C3
// expected-error @+1 {{(C3) expects lines of a multiple of 128 bytes, found 512 bits}}
func.func private @mem_c3(!tile.mem<2x64x32xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>)

// -----
// expected-error @+1 {{expects global, shared or tensor, found texture}}
func.func private @mem_space(!tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, texture>)

// -----
// expected-error @+1 {{expects a swizzle of 32, 64 or 128 bytes, found 48}}
func.func private @layout(!tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 48>, shared>)

// -----
// expected-error @+1 {{expects dim 0 or 1 to be contiguous, found 2}}
func.func private @layout(!tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 2, swizzle = 64>, shared>)

// -----
// barrier C1
// expected-error @+1 {{(C1) expects at least one barrier, found 0}}
func.func private @barrier_c1(!tile.barrier<0>)

// -----
// pending C1
// expected-error @+1 {{(C1) expects two positive extents}}
func.func private @pending_c1(!tile.pending<64xf32>)

// -----
tile.kernel @create_barriers_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  // expected-error @+1 {{(C1) expects at least one arrival}}
  %r = tile.create_barriers 0 : !tile.barrier<2>
}

// -----
tile.kernel @expect_bytes_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // expected-error @+1 {{(C1) expects at least one byte}}
  tile.expect_bytes %r[%s], 0 : !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // expected-error @+1 {{(C1) expects one index and one extent per dim}}
  tile.async_copy %A[%c0] box [64] to %m[%s] at [0, 0] barrier %r : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c1_box(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // expected-error @+1 {{(C1) expects a box of positive extents}}
  tile.async_copy %A[%c0, %c0] box [0, 64] to %m[%s] at [0, 0] barrier %r : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c2(%a: !tile.buffer<f16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<128x64xf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // expected-error @+1 {{(C2) expects equal element types}}
  tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r : !tile.view<128x64xf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c3(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  // expected-error @+1 {{(C3) expects a box within the tile}}
  tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 32] barrier %r : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c4(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<3>
  // expected-error @+1 {{(C4) expects 2 barriers, found 3}}
  tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<3>
}

// -----
tile.kernel @prefetch_box_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C1) expects one index and one extent per dim}}
  tile.prefetch_box %A[%c0, %c0] box [64] swizzle 128 : !tile.view<128x64xbf16, [64, 1]>
}

// -----
tile.kernel @issue_mma_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x32xf32>
  // expected-error @+1 {{(C1) expects MxK, KxN and accumulators of MxN together}}
  %p = tile.issue_mma %m[%s], %m[%s] into(%f) : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.frag<64x32xf32> -> !tile.pending<64x32xf32>
}

// -----
tile.kernel @issue_mma_c2(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  // expected-error @+1 {{(C2) expects a stage for a buffer, and none for registers}}
  %p = tile.issue_mma %m, %m[%s] into(%f) : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.frag<64x64xf32> -> !tile.pending<64x64xf32>
}

// -----
tile.kernel @issue_mma_c3(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  // expected-error @+1 {{(C3) expects results like the accumulators}}
  %p = tile.issue_mma %m[%s], %m[%s] into(%f) : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.frag<64x64xf32> -> !tile.pending<64x32xf32>
}

// -----
tile.kernel @wait_mma_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  %p = tile.issue_mma %m[%s], %m[%s] into(%f) : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.frag<64x64xf32> -> !tile.pending<64x64xf32>
  // expected-error @+1 {{(C1) expects results like the values}}
  %q = tile.wait_mma 0 of %p : !tile.pending<64x64xf32> -> !tile.frag<64x32xf32>
}

// -----
tile.kernel @wait_mma_c2(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  // expected-error @+1 {{(C2) expects a number of groups that is not negative}}
  tile.wait_mma -1
}

// -----
tile.kernel @as_pending_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  // expected-error @+1 {{(C1) expects a result like the fragment}}
  %p = tile.as_pending %f : !tile.frag<64x64xf32> -> !tile.pending<64x32xf32>
}

// -----
tile.kernel @warp_specialize_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  // expected-error @+1 {{(C1) expects multiples of 8 registers from 24 to 256, or 0, found 41 and 232}}
  tile.warp_specialize registers(41, 232) producer {
  } consumer {
  }
}

// -----
tile.kernel @pack_operand_c1() -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %z = arith.constant 0.0 : bf16
  %f = tile.fill %z : bf16 -> !tile.frag<64x64xbf16>
  // expected-error @+1 {{(C1) expects a result like the fragment}}
  %p = tile.pack_operand %f : !tile.frag<64x64xbf16> -> !tile.operand<64x32xbf16>
}

// -----
// operand C1
// expected-error @+1 {{(C1) expects two positive extents}}
func.func private @operand_c1(!tile.operand<64xbf16>)

// -----
// operand C2
// expected-error @+1 {{(C2) expects an element of 16 bits, found 'f32'}}
func.func private @operand_c2(!tile.operand<64x64xf32>)

// -----
tile.kernel @write_buffer_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %z = arith.constant 0.0 : f32
  %f = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  // expected-error @+1 {{(C1) expects equal element types of 16 bits}}
  tile.write_buffer %f to %m[%s] at [0, 0] : !tile.frag<64x64xf32> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
}

// -----
tile.kernel @write_buffer_c2(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %z = arith.constant 0.0 : bf16
  %f = tile.fill %z : bf16 -> !tile.frag<64x32xbf16>
  // expected-error @+1 {{(C2) expects a fragment within the tile of}}
  tile.write_buffer %f to %m[%s] at [0, 48] : !tile.frag<64x32xbf16> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
}

// -----
tile.kernel @async_store_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C1) expects one index per dim of}}
  tile.async_store %m[%s] to %A[%c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared> to !tile.view<128x64xbf16, [64, 1]>
}

// -----
tile.kernel @async_store_c2(%a: !tile.buffer<f16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<128x64xf16, [64, 1]>
  // expected-error @+1 {{(C2) expects equal element types}}
  tile.async_store %m[%s] to %A[%c0, %c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared> to !tile.view<128x64xf16, [64, 1]>
}

// -----
tile.kernel @async_store_c3(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [1, 128]>
  // expected-error @+1 {{(C3) expects contiguous rows in buffer and view}}
  tile.async_store %m[%s] to %A[%c0, %c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared> to !tile.view<128x64xbf16, [1, 128]>
}

// -----
tile.kernel @wait_stores_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  // expected-error @+1 {{(C1) expects a number of stores that is not negative}}
  tile.wait_stores -1
}

// -----
// expected-error @+1 {{(C6) expects a cluster of 2 blocks at least, with threads}}
tile.kernel @kernel_c6() -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128, cluster = 1} {
}

// -----
tile.kernel @async_copy_c5_no_cluster(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C5) expects a dim to multicast that a cluster of 1 divides, found 0}}
  tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r multicast 0 : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c5_contiguous(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>, threads = 128, cluster = 2} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C5) expects a dim to multicast that a cluster of 2 divides, found 1}}
  tile.async_copy %A[%c0, %c0] box [64, 64] to %m[%s] at [0, 0] barrier %r multicast 1 : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @async_copy_c5_odd(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>, threads = 128, cluster = 2} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C5) expects a dim to multicast that a cluster of 2 divides, found 0}}
  tile.async_copy %A[%c0, %c0] box [63, 64] to %m[%s] at [0, 0] barrier %r multicast 0 : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>, !tile.barrier<2>
}

// -----
tile.kernel @arrive_barrier_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C1) expects a kernel whose blocks run in clusters}}
  tile.arrive_barrier %r[%s] cluster : !tile.barrier<2>
}

// -----
tile.kernel @sync_cluster_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %s = arith.constant 0 : i32
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  %r = tile.create_barriers 1 : !tile.barrier<2>
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  // expected-error @+1 {{(C1) expects a kernel whose blocks run in clusters}}
  tile.sync_cluster
}

// -----
tile.kernel @wait_order_c1() -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  tile.warp_specialize registers(0, 0) producer {
  } consumer {
    // expected-error @+1 {{(C1) expects to be run by two consumer warpgroups or more}}
    tile.wait_order
  }
}

// -----
tile.kernel @arrive_order_c1() -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 256,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  tile.warp_specialize registers(0, 0) producer {
    // expected-error @+1 {{(C1) expects to be run by two consumer warpgroups or more}}
    tile.arrive_order
  } consumer {
  }
}
