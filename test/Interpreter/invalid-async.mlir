// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-test-run-tile
// Faults between a producer and consumers: each is found whoever runs first, and told by its name.

// The consumers do not wait for the copies.
// expected-error-re @+1 {{KILN-E0275{{.*}}a product reads a stage whose copies are not waited for}}
tile.kernel @no_wait(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// They wait for the phase before: of that parity one counts as complete from the beginning.
// expected-error-re @+1 {{KILN-E0275{{.*}}a product reads a stage whose copies are not waited for}}
tile.kernel @wrong_parity(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      %other = arith.xori %parity, %s1 : i32
      tile.wait_barrier %full[%stage] parity %other : !tile.barrier<2>
      %flight = tile.issue_mma %left[%stage], %right[%stage] into(%sums) : !tile.mem<2x4x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.mem<2x16x16xf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>, !tile.frag<4x16xf32> -> !tile.pending<4x16xf32>
      %next = tile.wait_mma 0 of %flight : !tile.pending<4x16xf32> -> !tile.frag<4x16xf32>
      tile.arrive_barrier %empty[%stage] : !tile.barrier<2>
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// They release nothing: the producer waits for ever for the third step.
// expected-error-re @+1 {{KILN-E0275{{.*}}nobody completes phase}}
tile.kernel @no_release(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      scf.yield %next : !tile.frag<4x16xf32>
    }
    tile.store %result, %Y[%c0, %c0] : !tile.frag<4x16xf32>, !tile.view<4x16xf32, [16, 1]>
  }
}

// -----

// The producer does not wait for the release.
// expected-error-re @+1 {{KILN-E0275{{.*}}a copy does not wait for the release of its stage}}
tile.kernel @no_wait_for_release(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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

// -----

// More bytes are announced than come.
// expected-error-re @+1 {{KILN-E0275{{.*}}nobody completes phase}}
tile.kernel @too_many_bytes(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
      tile.expect_bytes %full[%stage], 672 : !tile.barrier<2>
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

// -----

// The barrier waits for five arrivals, and there are four warps.
// expected-error-re @+1 {{KILN-E0275{{.*}}nobody completes phase}}
tile.kernel @too_few_arrivals(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
  %empty = tile.create_barriers 5 : !tile.barrier<2>
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

// -----

// It waits for three.
// expected-error-re @+1 {{KILN-E0275{{.*}}more arrivals than the barrier waits for}}
tile.kernel @too_many_arrivals(%a: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
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
  %empty = tile.create_barriers 3 : !tile.barrier<2>
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
