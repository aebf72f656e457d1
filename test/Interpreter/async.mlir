// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// A producer and consumers, with barriers, copies and products in flight.

// Three steps of 16 through two stages. The producer waits until a stage is released, the consumers
// until its bytes have arrived; each sum is 16 (1 + 10 + 100) times an element of the right operand.
// CHECK-LABEL: tile.kernel @specialized
// CHECK-NEXT: #0 = dense<[1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03]> : tensor<64xf32>
tile.kernel @specialized(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]> : tensor<48xf16>, dense<[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]> : tensor<16xf16>],
                room = [64]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %s0 = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4x48xf16, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<48x16xf16, [0, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x16xf32, [16, 1]>
  %left = tile.alloc : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %right = tile.alloc : !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %full = tile.create_barriers 1 : !tile.barrier<2>
  %empty = tile.create_barriers 4 : !tile.barrier<2>
  tile.warp_specialize registers(0, 0) producer {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %released = arith.xori %parity, %s1 : i32
      tile.wait_barrier %empty[%stage] parity %released : !tile.barrier<2>
      tile.expect_bytes %full[%stage], 640 : !tile.barrier<2>
      %k = arith.muli %i, %c16 : index
      tile.async_copy %A[%c0, %k] box [4, 16] to %left[%stage] at [0, 0] barrier %full : !tile.view<4x48xf16, [0, 1]> to !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      tile.async_copy %B[%k, %c0] box [16, 16] to %right[%stage] at [0, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
    }
  } consumer {
    %start = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
    %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// A fragment may go on as a product of which nothing is in flight.
// CHECK-LABEL: tile.kernel @pending
// CHECK-NEXT: #0 = dense<[1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03]> : tensor<64xf32>
tile.kernel @pending(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]> : tensor<48xf16>, dense<[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]> : tensor<16xf16>],
                room = [64]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %s0 = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4x48xf16, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<48x16xf16, [0, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x16xf32, [16, 1]>
  %left = tile.alloc : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %right = tile.alloc : !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %full = tile.create_barriers 1 : !tile.barrier<2>
  %empty = tile.create_barriers 4 : !tile.barrier<2>
  tile.warp_specialize registers(0, 0) producer {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %released = arith.xori %parity, %s1 : i32
      tile.wait_barrier %empty[%stage] parity %released : !tile.barrier<2>
      tile.expect_bytes %full[%stage], 640 : !tile.barrier<2>
      %k = arith.muli %i, %c16 : index
      tile.async_copy %A[%c0, %k] box [4, 16] to %left[%stage] at [0, 0] barrier %full : !tile.view<4x48xf16, [0, 1]> to !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      tile.async_copy %B[%k, %c0] box [16, 16] to %right[%stage] at [0, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
    }
  } consumer {
    %start = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
    %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %piece = tile.as_pending %sums : !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %one = tile.issue_mma %left[%stage], %right[%stage] into(%piece) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.pending<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %one : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// The left operand in registers, which are kept until the product is complete; the left buffer is copied
// in vain.
// CHECK-LABEL: tile.kernel @from_registers
// CHECK-NEXT: #0 = dense<[1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03]> : tensor<64xf32>
tile.kernel @from_registers(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]> : tensor<48xf16>, dense<[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]> : tensor<16xf16>],
                room = [64]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %s0 = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4x48xf16, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<48x16xf16, [0, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x16xf32, [16, 1]>
  %left = tile.alloc : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %right = tile.alloc : !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %full = tile.create_barriers 1 : !tile.barrier<2>
  %empty = tile.create_barriers 4 : !tile.barrier<2>
  tile.warp_specialize registers(0, 0) producer {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %released = arith.xori %parity, %s1 : i32
      tile.wait_barrier %empty[%stage] parity %released : !tile.barrier<2>
      tile.expect_bytes %full[%stage], 640 : !tile.barrier<2>
      %k = arith.muli %i, %c16 : index
      tile.async_copy %A[%c0, %k] box [4, 16] to %left[%stage] at [0, 0] barrier %full : !tile.view<4x48xf16, [0, 1]> to !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      tile.async_copy %B[%k, %c0] box [16, 16] to %right[%stage] at [0, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
    }
  } consumer {
    %start = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
    %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %k = arith.muli %i, %c16 : index
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %ones = tile.load %A[%c0, %k] : !tile.view<4x48xf16, [0, 1]> -> !tile.frag<4x16xf16>
      %packed = tile.pack_operand %ones : !tile.frag<4x16xf16> -> !tile.operand<4x16xf16>
      %one = tile.issue_mma %packed, %right[%stage] into(%sums) : !tile.operand<4x16xf16>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %one : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32> keep(%packed : !tile.operand<4x16xf16>)
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// The consumers release a stage only where another copy follows: here always.
// CHECK-LABEL: tile.kernel @conditional
// CHECK-NEXT: #0 = dense<[1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03]> : tensor<64xf32>
tile.kernel @conditional(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]> : tensor<48xf16>, dense<[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]> : tensor<16xf16>],
                room = [64]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %s0 = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4x48xf16, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<48x16xf16, [0, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x16xf32, [16, 1]>
  %left = tile.alloc : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %right = tile.alloc : !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %full = tile.create_barriers 1 : !tile.barrier<2>
  %empty = tile.create_barriers 4 : !tile.barrier<2>
  tile.warp_specialize registers(0, 0) producer {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %released = arith.xori %parity, %s1 : i32
      tile.wait_barrier %empty[%stage] parity %released : !tile.barrier<2>
      tile.expect_bytes %full[%stage], 640 : !tile.barrier<2>
      %k = arith.muli %i, %c16 : index
      tile.async_copy %A[%c0, %k] box [4, 16] to %left[%stage] at [0, 0] barrier %full : !tile.view<4x48xf16, [0, 1]> to !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      tile.async_copy %B[%k, %c0] box [16, 16] to %right[%stage] at [0, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
    }
  } consumer {
    %start = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
    %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      %more = arith.cmpi ult, %i, %c3 : index
      tile.arrive_barrier %empty[%stage] if %more : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// A tile may come in two boxes, one below the other.
// CHECK-LABEL: tile.kernel @two_boxes
// CHECK-NEXT: #0 = dense<[1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03, 1.776000e+03, 0.000000e+00, 0.000000e+00, 8.880000e+02, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -3.552000e+03]> : tensor<64xf32>
tile.kernel @two_boxes(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0]> : tensor<48xf16>, dense<[1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0]> : tensor<16xf16>],
                room = [64]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %s0 = arith.constant 0 : i32
  %s1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4x48xf16, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<48x16xf16, [0, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x16xf32, [16, 1]>
  %left = tile.alloc : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %right = tile.alloc : !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
  %full = tile.create_barriers 1 : !tile.barrier<2>
  %empty = tile.create_barriers 4 : !tile.barrier<2>
  %c8 = arith.constant 8 : index
  tile.warp_specialize registers(0, 0) producer {
    scf.for %i = %c0 to %c3 step %c1 {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      %released = arith.xori %parity, %s1 : i32
      tile.wait_barrier %empty[%stage] parity %released : !tile.barrier<2>
      tile.expect_bytes %full[%stage], 640 : !tile.barrier<2>
      %k = arith.muli %i, %c16 : index
      tile.async_copy %A[%c0, %k] box [4, 16] to %left[%stage] at [0, 0] barrier %full : !tile.view<4x48xf16, [0, 1]> to !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      %k8 = arith.addi %k, %c8 : index
      tile.async_copy %B[%k, %c0] box [8, 16] to %right[%stage] at [0, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
      tile.async_copy %B[%k8, %c0] box [8, 16] to %right[%stage] at [8, 0] barrier %full : !tile.view<48x16xf16, [0, 1]> to !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.barrier<2>
    }
  } consumer {
    %start = tile.fill %zero : f32 -> !tile.frag<4x16xf32>
    %result = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}
