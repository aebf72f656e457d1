// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --kiln-test-run-tile=reverse -o /dev/null | FileCheck %s
// Loops, branches, pipelines, tasks and what they share; the order of tasks does not show.

// Three steps of two; `stages` changes no value.
// CHECK-LABEL: tile.kernel @pipeline_whole
// CHECK-NEXT: #0 = dense<[1.800000e+01, 9.000000e+00, 4.800000e+01, 2.700000e+01]> : tensor<4xf32>
tile.kernel @pipeline_whole(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>, dense<[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, -1.0]> : tensor<12xf32>],
                room = [4], values = [6]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x6xf32, [6, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6x2xf32, [2, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x2xf32>
  %r = tile.pipeline %c0 to %n step %c2 init(%s) : !tile.frag<2x2xf32> load {
  ^bb0(%k: index):
    %l = tile.stage %v[%c0, %k] masked [1] : !tile.view<2x6xf32, [6, 1]> -> !tile.staged<2x2xf32>
    %q = tile.stage %u[%k, %c0] masked [0] : !tile.view<6x2xf32, [2, 1]> -> !tile.staged<2x2xf32>
    tile.yield %l, %q : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>
  } compute {
  ^bb0(%k: index, %l: !tile.staged<2x2xf32>, %q: !tile.staged<2x2xf32>, %c: !tile.frag<2x2xf32>):
    %d = tile.mma %l, %q, %c : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>, !tile.frag<2x2xf32>
    tile.yield %d : !tile.frag<2x2xf32>
  } {stages = 3 : i64}
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// The upper bound cuts no step: 5 gives three of them, and 6 columns.
// CHECK-LABEL: tile.kernel @pipeline_ragged
// CHECK-NEXT: #0 = dense<[1.800000e+01, 9.000000e+00, 4.800000e+01, 2.700000e+01]> : tensor<4xf32>
tile.kernel @pipeline_ragged(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>, dense<[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, -1.0]> : tensor<12xf32>],
                room = [4], values = [5]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x6xf32, [6, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6x2xf32, [2, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x2xf32>
  %r = tile.pipeline %c0 to %n step %c2 init(%s) : !tile.frag<2x2xf32> load {
  ^bb0(%k: index):
    %l = tile.stage %v[%c0, %k] masked [1] : !tile.view<2x6xf32, [6, 1]> -> !tile.staged<2x2xf32>
    %q = tile.stage %u[%k, %c0] masked [0] : !tile.view<6x2xf32, [2, 1]> -> !tile.staged<2x2xf32>
    tile.yield %l, %q : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>
  } compute {
  ^bb0(%k: index, %l: !tile.staged<2x2xf32>, %q: !tile.staged<2x2xf32>, %c: !tile.frag<2x2xf32>):
    %d = tile.mma %l, %q, %c : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>, !tile.frag<2x2xf32>
    tile.yield %d : !tile.frag<2x2xf32>
  }
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// None: the initial values.
// CHECK-LABEL: tile.kernel @pipeline_none
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<4xf32>
tile.kernel @pipeline_none(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>, dense<[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, -1.0]> : tensor<12xf32>],
                room = [4], values = [0]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x6xf32, [6, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6x2xf32, [2, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x2xf32>
  %r = tile.pipeline %c0 to %n step %c2 init(%s) : !tile.frag<2x2xf32> load {
  ^bb0(%k: index):
    %l = tile.stage %v[%c0, %k] masked [1] : !tile.view<2x6xf32, [6, 1]> -> !tile.staged<2x2xf32>
    %q = tile.stage %u[%k, %c0] masked [0] : !tile.view<6x2xf32, [2, 1]> -> !tile.staged<2x2xf32>
    tile.yield %l, %q : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>
  } compute {
  ^bb0(%k: index, %l: !tile.staged<2x2xf32>, %q: !tile.staged<2x2xf32>, %c: !tile.frag<2x2xf32>):
    %d = tile.mma %l, %q, %c : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>, !tile.frag<2x2xf32>
    tile.yield %d : !tile.frag<2x2xf32>
  }
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// Carried values: 0 + 1 + 2 + 3 + 4.
// CHECK-LABEL: tile.kernel @loop
// CHECK-NEXT: #0 = dense<10> : tensor<1xi32>
tile.kernel @loop() -> (%y: !tile.buffer<i32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [5]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> i32 {
    %j = arith.index_cast %i : index to i32
    %b = arith.addi %a, %j : i32
    scf.yield %b : i32
  }
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  tile.store %sum, %w[%c0] : i32, !tile.view<1xi32, [1]>
}

// The initial value.
// CHECK-LABEL: tile.kernel @loop_without_steps
// CHECK-NEXT: #0 = dense<-3> : tensor<1xi32>
tile.kernel @loop_without_steps() -> (%y: !tile.buffer<i32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [0]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant -3 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> i32 {
    %j = arith.index_cast %i : index to i32
    %b = arith.addi %a, %j : i32
    scf.yield %b : i32
  }
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  tile.store %sum, %w[%c0] : i32, !tile.view<1xi32, [1]>
}

// Four tasks, each its own branch and its own element.
// CHECK-LABEL: tile.kernel @branches
// CHECK-NEXT: #0 = dense<[10, 20, 10, 20]> : tensor<4xi32>
tile.kernel @branches() -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (4)>, scratch = affine_map<() -> (0)>,
                room = [4]} {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %odd = arith.remui %t, %c2 : index
  %is = arith.cmpi eq, %odd, %c0 : index
  %v = scf.if %is -> i32 {
    %a = arith.constant 10 : i32
    scf.yield %a : i32
  } else {
    %b = arith.constant 20 : i32
    scf.yield %b : i32
  }
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  tile.store %v, %w[%t] : i32, !tile.view<4xi32, [1]>
}

// Tasks 0 and 1 write, the others do not: two elements nobody has written.
// CHECK-LABEL: tile.kernel @branch_without_else
// CHECK-NEXT: #0 = dense<[10, 10, 0, 0]> : tensor<4xi32>, 2 not written
tile.kernel @branch_without_else() -> (%y: !tile.buffer<i32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (4)>, scratch = affine_map<()[s0] -> (0)>,
                room = [4], values = [2]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %is = arith.cmpi ult, %t, %n : index
  scf.if %is {
    %a = arith.constant 10 : i32
    tile.store %a, %w[%t] : i32, !tile.view<4xi32, [1]>
  }
}

// By the task: cases 1 and 3, else the default.
// CHECK-LABEL: tile.kernel @switch
// CHECK-NEXT: #0 = dense<[-1, 11, -1, 33]> : tensor<4xi32>
tile.kernel @switch() -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (4)>, scratch = affine_map<() -> (0)>,
                room = [4]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %v = scf.index_switch %t -> i32
  case 1 {
    %a = arith.constant 11 : i32
    scf.yield %a : i32
  }
  case 3 {
    %a = arith.constant 33 : i32
    scf.yield %a : i32
  }
  default {
    %a = arith.constant -1 : i32
    scf.yield %a : i32
  }
  tile.store %v, %w[%t] : i32, !tile.view<4xi32, [1]>
}

// Places (2 t + 5) mod 6 are 5, 1, 3; floordiv and ceildiv by 2 add up to t again.
// CHECK-LABEL: tile.kernel @maps
// CHECK-NEXT: #0 = dense<[0, 1, 0, 2, 0, 0]> : tensor<6xi32>, 3 not written
tile.kernel @maps() -> (%y: !tile.buffer<i32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (3)>, scratch = affine_map<()[s0] -> (0)>,
                room = [6], values = [5]} {
  %z = arith.constant 0 : index
  %w = tile.view %y offset %z sizes() strides() : !tile.buffer<i32> -> !tile.view<6xi32, [1]>
  %p = affine.apply affine_map<(d0)[s0] -> ((d0 * 2 + s0) mod 6)>(%t)[%n]
  %q = affine.apply affine_map<(d0) -> (d0 floordiv 2 + d0 ceildiv 2)>(%t)
  %v = arith.index_cast %q : index to i32
  tile.store %v, %w[%p] : i32, !tile.view<6xi32, [1]>
}

// min(-3, 1) as an unsigned maximum with 0 is itself.
// CHECK-LABEL: tile.kernel @index_is_signed
// CHECK-NEXT: #0 = dense<-3> : tensor<1xi32>
tile.kernel @index_is_signed() -> (%y: !tile.buffer<i32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                room = [1], values = [-3]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  %m = arith.minsi %n, %c1 : index
  %x = arith.maxui %m, %c0 : index
  %v = arith.index_cast %x : index to i32
  tile.store %v, %w[%c0] : i32, !tile.view<1xi32, [1]>
}

// A grid of 0: nothing is written.
// CHECK-LABEL: tile.kernel @no_tasks
// CHECK-NEXT: #0 = dense<0> : tensor<2xi32>, 2 not written
tile.kernel @no_tasks() -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (0)>, scratch = affine_map<() -> (0)>,
                room = [2]} {
  %c0 = arith.constant 0 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %v = arith.constant 1 : i32
  tile.store %v, %w[%t] : i32, !tile.view<2xi32, [1]>
}

// Three tasks leave their numbers in the workspace; the last of them adds all.
// CHECK-LABEL: tile.kernel @split_k
// CHECK-NEXT: #0 = dense<3.000000e+00> : tensor<1xf32>
tile.kernel @split_k() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (3)>, scratch = affine_map<() -> (0)>,
                workspace = affine_map<() -> (12)>, tickets = affine_map<() -> (1)>,
                room = [1]} {
  %c0 = arith.constant 0 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %c1 = arith.constant 1 : index
  %k = tile.workspace : !tile.buffer<f32>
  %a = tile.view %k offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %ti = arith.index_cast %t : index to i32
  %tf = arith.sitofp %ti : i32 to f32
  tile.store %tf, %a[%t] : f32, !tile.view<3xf32, [1]>
  %last = tile.ticket %c0 of 3
  scf.if %last {
    %f = tile.load %a[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
    %s = tile.reduce sum %f axis 0 : !tile.frag<3xf32> -> f32
    tile.store %s, %w[%c0] : f32, !tile.view<1xf32, [1]>
  }
}
