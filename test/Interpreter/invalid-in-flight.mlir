// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-test-run-tile
// Faults of what is in flight: products, the stages and registers that they read.

// One group may be in flight, and its result is used.
// expected-error-re @+1 {{KILN-E0275{{.*}}a product is used that is still in flight}}
tile.kernel @still_in_flight(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %next = tile.wait_mma 1 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// A stage is released before the product that reads it is complete.
// expected-error-re @+1 {{KILN-E0275{{.*}}a stage is released that products in flight read}}
tile.kernel @released_in_flight(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// The registers of the left operand are not kept.
// expected-error-re @+1 {{KILN-E0275{{.*}}the left operand of a product is not kept until it is complete}}
tile.kernel @not_kept(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %next = tile.wait_mma 0 of %one : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// A stage is read again after its release.
// expected-error-re @+1 {{KILN-E0275{{.*}}a product reads a stage that has been released}}
tile.kernel @read_after_release(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %again = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %twice = tile.wait_mma 0 of %again : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      scf.yield %twice : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// Barrier 2 of 2.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.wait_barrier' of task 0: barrier 2 of 2}}
tile.kernel @barrier_outside(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %two = arith.constant 2 : i32
      tile.wait_barrier %full[%two] parity %parity : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// Stage 2 of 2.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.issue_mma' of task 0: stage 2 of 2}}
tile.kernel @stage_outside(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %two = arith.constant 2 : i32
      %flight = tile.issue_mma %left[%two], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// A product that nobody waits for.
// expected-error-re @+1 {{KILN-E0275{{.*}}a product is in flight at the end}}
tile.kernel @in_flight_at_the_end(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
    scf.for %i = %c0 to %c1 step %c1 {
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
    %result = scf.for %i = %c0 to %c1 step %c1 iter_args(%sums = %start) -> !tile.frag<4x16xf32> {
      %n = arith.index_cast %i : index to i32
      %stage = arith.andi %n, %s1 : i32
      %half = arith.shrui %n, %s1 : i32
      %parity = arith.andi %half, %s1 : i32
      tile.wait_barrier %full[%stage] parity %parity : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    %lost = tile.issue_mma %left[%s0], %right[%s0] into(%start) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
  }
}
