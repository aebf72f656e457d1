// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// #graph.format C1
// expected-error@+1 {{(C1) expected a format of i8, ui4, ui8, f16, bf16, f8E4M3FN}}
module attributes {test.format = #graph.format<i4>} {}

// -----

// #graph.format C1
// expected-error@+1 {{(C1) expected a format of}}
module attributes {test.format = #graph.format<f64>} {}

// -----

// #graph.format C2
// expected-error@+1 {{(C2) expected a block of at least 1 step, found 0}}
module attributes {test.format = #graph.format<ui4, block 0, scale bf16>} {}

// -----

// #graph.format C2
// expected-error@+1 {{(C2) expected a block of at least 1 step, found -4}}
module attributes {test.format = #graph.format<ui4, block -4, scale bf16>} {}

// -----

// #graph.format C2
// expected-error@+1 {{(C2) expected a block of at least 1 step with a type of its scale, found block 32 without a scale}}
module attributes {test.format = #graph.format<ui4, block 32>} {}

// -----

// #graph.format C2
// expected-error@+1 {{(C2) expected a block of at least 1 step with a type of its scale, found block 0 with a scale}}
module attributes {test.format = #graph.format<ui4, scale bf16>} {}

// -----

// #graph.format C2
// expected-error@+1 {{(C2) expected scales of f16, bf16, f32, f8E4M3FN or f8E8M0FNU}}
module attributes {test.format = #graph.format<ui4, block 32, scale f64>} {}

// -----

// #graph.format C3
// expected-error@+1 {{(C3) expected zero points of blocks of ui4 or ui8}}
module attributes {test.format = #graph.format<f4E2M1FN, block 32, scale bf16, zero_point>} {}

// -----

// #graph.format C3
// expected-error@+1 {{(C3) expected zero points of blocks of ui4 or ui8}}
module attributes {test.format = #graph.format<ui8, zero_point>} {}

// -----

// #graph.format C4
// expected-error@+1 {{(C4) expected a scale of f32 per row or tensor}}
module attributes {test.format = #graph.format<f8E4M3FN, per_row bf16>} {}

// -----

// #graph.format C4
// expected-error@+1 {{(C4) expected a scale of f32 per row or tensor, and none of f16 and bf16}}
module attributes {test.format = #graph.format<f16, per_tensor f32>} {}

// -----

// A word that a format does not have.
// expected-error@+1 {{to have no scales, found a block of 32}}
module attributes {test.format = #graph.format<bf16, block 32, scale f32>} {}

// -----

// A word that a format does not have.
// expected-error@+1 {{expected block, scale, zero_point, per_row or per_tensor, found 'axis'}}
module attributes {test.format = #graph.format<ui4, axis 1>} {}
