// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// What tasks share.

// expected-error @+1 {{(C3) expects workspace with no dims, 0 symbols and one result}}
tile.kernel @kernel_c3_workspace() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, tickets = affine_map<() -> (1)>,
                workspace = affine_map<() -> (8, 8)>} {
}

// -----
// expected-error @+1 {{(C4) expects workspace, tickets and threads together}}
tile.kernel @kernel_c4() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, workspace = affine_map<() -> (8)>} {
}

// -----
// expected-error @+1 {{(C4) expects workspace, tickets and threads together}}
tile.kernel @kernel_c4_host() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, workspace = affine_map<() -> (8)>,
                tickets = affine_map<() -> (1)>} {
}

// -----
tile.kernel @workspace_c1() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32} {
  // expected-error @+1 {{(C1) expects a kernel that states a workspace}}
  %0 = tile.workspace : !tile.buffer<f32>
}

// -----
tile.kernel @ticket_c1() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32} {
  // expected-error @+1 {{(C1) expects a kernel that states tickets}}
  %0 = tile.ticket %t of 2
}

// -----
tile.kernel @ticket_c2() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, workspace = affine_map<() -> (8)>,
                tickets = affine_map<() -> (1)>} {
  // expected-error @+1 {{(C2) expects at least 2 tasks, found 1}}
  %0 = tile.ticket %t of 1
}

// -----
tile.kernel @ticket_c3() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 64, workspace = affine_map<() -> (8)>,
                tickets = affine_map<() -> (1)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @+1 {{(C3) stands in a loop that teams share}}
    %0 = tile.ticket %t of 2
  } {tile.team = 32}
}

// -----
// expected-error @+1 {{(C5) expects replaces, bounds and threads together}}
tile.kernel @kernel_c5_alone() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, replaces = @k} {
}

// -----
// expected-error @+1 {{(C5) expects replaces, bounds and threads together}}
tile.kernel @kernel_c5_of_none() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, when = [#tile.bound<affine_map<() -> (1)> max 8>]} {
}

// -----
// expected-error @+1 {{(C5) expects replaces, bounds and threads together}}
tile.kernel @kernel_c5_of_a_host() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, replaces = @k, when = [#tile.bound<affine_map<() -> (1)> max 8>]} {
}

// -----
// expected-error @+1 {{(C5) expects replaces, bounds and threads together}}
tile.kernel @kernel_c5_without_bounds() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, replaces = @k, when = []} {
}

// -----
// expected-error @+1 {{(C5) expects a bound that is not negative, found -1}}
tile.kernel @kernel_c5_for_no_rows() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, replaces = @k, when = [#tile.bound<affine_map<() -> (1)> max -1>]} {
}

// -----
// expected-error @+1 {{(C3) expects a bound with no dims}}
tile.kernel @k9() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 32, replaces = @k, when = [#tile.bound<affine_map<(d0) -> (d0)> max 8>]} {
}
