// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-test-run-tile
// Accesses outside of views, buffers and scratch, tasks that meddle with each other.

// A load that is not masked.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.load' of task 0: element [3] is outside of a view of [3]}}
tile.kernel @load_outside(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c2] : !tile.view<3xf32, [1]> -> !tile.frag<2xf32>
}

// -----

// Masked, but not in front.
// expected-error-re @+1 {{KILN-E0270{{.*}}element [-1] is outside}}
tile.kernel @load_before(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [1]} {
  %m = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%m] pad %p : f32 masked [0] : !tile.view<3xf32, [1]> -> !tile.frag<2xf32>
}

// -----

// A view that is larger than its buffer.
// expected-error-re @+1 {{KILN-E0270{{.*}}element [3] is byte 12 of operand 0, which has 12 bytes}}
tile.kernel @view_past_buffer(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
}

// -----

// A view of -1 rows.
// expected-error-re @+1 {{KILN-E0270{{.*}}a view has the extent -1}}
tile.kernel @negative_extent(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [1], values = [-1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
}

// -----

// Past the result.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.store' of task 0: element [2] is outside}}
tile.kernel @store_outside() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                room = [2]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  tile.store %z, %w[%c2] : f32, !tile.view<2xf32, [1]>
}

// -----

// Operands are read.
// expected-error-re @+1 {{KILN-E0270{{.*}}operand 0 is read through an operand and cannot be written}}
tile.kernel @store_to_operand(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  tile.store %z, %w[%c0] : f32, !tile.view<1xf32, [1]>
}

// -----

// Two tasks, one element.
// expected-error-re @+1 {{KILN-E0271{{.*}}tasks 0 and 1 both write element 0 of result 0}}
tile.kernel @two_writers() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>,
                room = [1]} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  tile.store %z, %w[%c0] : f32, !tile.view<1xf32, [1]>
}

// -----

// Task 1 reads what task 0 wrote.
// expected-error-re @+1 {{KILN-E0271{{.*}}task 1 reads element 0 of result 0, which task 0 wrote}}
tile.kernel @reads_what_another_wrote() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (2)>, scratch = affine_map<() -> (0)>,
                room = [2]} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    tile.store %z, %w[%c0] : f32, !tile.view<2xf32, [1]>
  } else {
    %f = tile.load %w[%c0] : !tile.view<2xf32, [1]> -> f32
  }
}

// -----

// A result is no operand.
// expected-error-re @+1 {{KILN-E0271{{.*}}task 0 reads element 0 of result 0, which nothing has written}}
tile.kernel @reads_what_nobody_wrote() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                room = [2]} {
  %c0 = arith.constant 0 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %w[%c0] : !tile.view<2xf32, [1]> -> f32
}

// -----

// Scratch has as many bytes as the kernel says.
// expected-error-re @+1 {{KILN-E0270{{.*}}element [3] is byte 12 of the scratch, which has 8 bytes}}
tile.kernel @scratch_outside() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (8)>,
                room = [1]} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %w = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %c3 = arith.constant 3 : index
  tile.store %z, %w[%c3] : f32, !tile.view<4xf32, [1]>
}

// -----

// Its offset is a multiple of the element's size.
// expected-error-re @+1 {{KILN-E0270{{.*}}scratch at byte 2 is not aligned to its element}}
tile.kernel @scratch_unaligned() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (8)>,
                room = [1]} {
  %c2 = arith.constant 2 : index
  %s = tile.scratch %c2 : !tile.buffer<f32>
}

// -----

// And not in front of it.
// expected-error-re @+1 {{KILN-E0270{{.*}}scratch at byte -4}}
tile.kernel @scratch_negative() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (8)>,
                room = [1]} {
  %m = arith.constant -4 : index
  %s = tile.scratch %m : !tile.buffer<f32>
}

// -----

// A gather without a pad has every element inside.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.gather' of task 0: element [3]}}
tile.kernel @gather_outside(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, dense<[0, 3]> : tensor<2xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<2xi32, [1]> -> !tile.frag<2xi32>
  %f = tile.gather %v[] at %a : !tile.view<3xf32, [1]>, !tile.frag<2xi32> -> !tile.frag<2xf32>
}
