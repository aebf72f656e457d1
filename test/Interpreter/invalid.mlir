// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-test-run-tile
// Programs that mean nothing, or not on these arguments.

// Two elements for one place.
// expected-error-re @+1 {{KILN-E0273{{.*}}two elements go to place 1}}
tile.kernel @scatter_collides(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0]> : tensor<2xf32>, dense<[1, 1]> : tensor<2xi32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<2xf32, [1]> -> !tile.frag<2xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<2xi32, [1]> -> !tile.frag<2xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  tile.scatter %f, %w[] at %a : !tile.frag<2xf32>, !tile.view<2xf32, [1]>, !tile.frag<2xi32>
}

// -----

// A scatter that is not masked.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.scatter' of task 0: element [2]}}
tile.kernel @scatter_outside(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0]> : tensor<2xf32>, dense<[1, 2]> : tensor<2xi32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<2xf32, [1]> -> !tile.frag<2xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<2xi32, [1]> -> !tile.frag<2xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  tile.scatter %f, %w[] at %a : !tile.frag<2xf32>, !tile.view<2xf32, [1]>, !tile.frag<2xi32>
}

// -----

// A staged tile past its view.
// expected-error-re @+1 {{KILN-E0270{{.*}}'tile.stage' of task 0: element [2, 0] is outside}}
tile.kernel @stage_outside(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %l = tile.stage %v[%c1, %c0] : !tile.view<2x2xf32, [2, 1]> -> !tile.staged<2x2xf32>
}

// -----

// A staged tile of -1 columns.
// expected-error-re @+1 {{KILN-E0270{{.*}}a staged tile has a negative extent}}
tile.kernel @stage_negative(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>],
                room = [1], values = [-1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %l = tile.stage %v[%c1, %c0] sizes(%n) : !tile.view<2x2xf32, [2, 1]> -> !tile.staged<2x?xf32>
}

// -----

// No quotient.
// expected-error-re @+1 {{KILN-E0273{{.*}}'arith.divsi' divides by 0}}
tile.kernel @division_by_zero() -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [1]} {
  %c0 = arith.constant 0 : index
  %q = arith.divsi %n, %c0 : index
}

// -----

// -128 / -1 in 8 bits.
// expected-error-re @+1 {{KILN-E0273{{.*}}has a quotient that does not fit}}
tile.kernel @quotient_does_not_fit() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                room = [1]} {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  %q = arith.divsi %a, %b : i8
}

// -----

// A loop that stands still.
// expected-error-re @+1 {{KILN-E0273{{.*}}a loop has the step 0}}
tile.kernel @loop_step() -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [0]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %n {
  }
}

// -----

// A pipeline that runs backwards.
// expected-error-re @+1 {{KILN-E0273{{.*}}a pipeline has the step -1}}
tile.kernel @pipeline_step() -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [-1]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.pipeline %c0 to %c1 step %n load {
  ^bb0(%k: index):
    tile.yield
  } compute {
  ^bb0(%k: index):
    tile.yield
  }
}

// -----

// Ticket 1 of 1.
// expected-error-re @+1 {{KILN-E0270{{.*}}ticket 1 of 1}}
tile.kernel @ticket_outside() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                workspace = affine_map<() -> (12)>, tickets = affine_map<() -> (1)>,
                room = [1]} {
  %c1 = arith.constant 1 : index
  %last = tile.ticket %c1 of 2
}

// -----

// Three tasks take a ticket for two.
// expected-error-re @+1 {{KILN-E0271{{.*}}a ticket is not 0 after the last task}}
tile.kernel @ticket_left_over() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (3)>, scratch = affine_map<() -> (0)>,
                workspace = affine_map<() -> (12)>, tickets = affine_map<() -> (1)>,
                room = [1]} {
  %c0 = arith.constant 0 : index
  %last = tile.ticket %c0 of 2
}

// -----

// A grid below 0.
// expected-error-re @+1 {{KILN-E0274: @grid_negative: the grid has no valid value}}
tile.kernel @grid_negative() -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [-2]} {
  %c = arith.constant 0 : index
}

// -----

// A buffer of another number.
// expected-error-re @+1 {{KILN-E0274{{.*}}the number of buffers does not fit}}
tile.kernel @room_is_missing() -> (%y: !tile.buffer<f32>, %z: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                room = [1]} {
  %c = arith.constant 0 : index
}
