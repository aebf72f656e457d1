// RUN: kiln-opt %s --split-input-file --kiln-verify-plan --verify-diagnostics

// Fits: two buffers that are live together lie above each other.
graph.symbol @n in [1, 8]
plan.program {
  plan.arena @activations activations size #graph.shape<[n] -> [n * 128]>
  plan.buffer @b0 in @activations size #graph.shape<[n] -> [n * 64]> live [0, 1]
  plan.buffer @b1 in @activations size #graph.shape<[n] -> [n * 64]> live [1, 2] above [@b0]
}

// -----

// Fits: lifetimes do not meet, so sharing is right.
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.buffer @b0 in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @b1 in @activations size #graph.shape<[] -> [64]> live [2, 3]
}

// -----

// plan.program C2
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{KILN-E0303: memory plan: buffers @b0 and @b1 overlap while both are live}}
  plan.buffer @b1 in @activations size #graph.shape<[] -> [64]> live [1, 2]
}

// -----

graph.symbol @n in [1, 8]
plan.program {
  plan.arena @activations activations size #graph.shape<[n] -> [n * 64]>
  plan.buffer @b0 in @activations size #graph.shape<[n] -> [n * 64]> live [0, 1]
  // expected-error@below {{buffer @b1 ends at 128 of 64 bytes}}
  plan.buffer @b1 in @activations size #graph.shape<[n] -> [n * 64]> live [1, 2] above [@b0]
}

// -----

plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.buffer @b0 in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @b1 in @output size #graph.shape<[] -> [64]> live [1, 1]
  // expected-error@below {{buffer @b0 is read before it is written}}
  plan.launch @k reads [@b0] writes [@b1] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]>
}

// -----

// Two steps one after the other share the memory of their workspaces, not tickets.
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @w0 in @activations size #graph.shape<[] -> [64]> live [0, 0]
  plan.buffer @w1 in @activations size #graph.shape<[] -> [64]> live [1, 1]
  plan.buffer @t0 in @state size #graph.shape<[] -> [4]> live [0, 1]
  plan.buffer @t1 in @state size #graph.shape<[] -> [4]> live [0, 1] above [@t0]
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> workspace @w0 tickets @t0
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> workspace @w1 tickets @t1
}

// -----

plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @w in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @t in @state size #graph.shape<[] -> [4]> live [0, 1]
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> workspace @w tickets @t
  // expected-error@below {{KILN-E0303: memory plan: tickets @t are of two steps}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> workspace @w tickets @t
}

// -----

plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @w in @activations size #graph.shape<[] -> [64]> live [1, 1]
  plan.buffer @t in @state size #graph.shape<[] -> [4]> live [0, 1]
  // expected-error@below {{workspace @w is not live at its step}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> workspace @w tickets @t
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]>
}

// -----

// Variants that some dims choose, the launch's own kernel others.
graph.symbol @n in [2, 40]
plan.program {
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 0 when [#plan.bound<<[n] -> [n * 2]> max 4>] grid <[n] -> [n]>>, #plan.variant<@b on 0 when [#plan.bound<<[n] -> [n * 2]> max 79>] grid <[n] -> [n]>>]
}

// -----

graph.symbol @n in [2, 40]
plan.program {
  // expected-error@below {{@a runs always or never}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 0 when [#plan.bound<<[n] -> [n * 2]> max 3>] grid <[n] -> [n]>>]
}

// -----

graph.symbol @n in [2, 40]
plan.program {
  // expected-error@below {{@a runs always or never}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 0 when [#plan.bound<<[n] -> [n * 2]> max 80>] grid <[n] -> [n]>>]
}

// -----

graph.symbol @n in [2, 40]
plan.program {
  // expected-error@below {{@a has no tasks where its launch has some}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 0 when [#plan.bound<<[n] -> [n * 2]> max 8>] grid <[n] -> [n floordiv 8]>>]
}

// -----

// Programs of one model: their states are the same ones, of one type and at one place; what a kernel keeps there for itself is not.
plan.program "prefill" {
  plan.arena @state state size #graph.shape<[] -> [192]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
  plan.buffer @b1 in @state size #graph.shape<[] -> [8]> live [0, 1] above [@b0] type tensor<1xi64> source "lengths"
  plan.buffer @t in @state size #graph.shape<[] -> [4]> live [0, 1] above [@b1]
}
plan.program "decode" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
  plan.buffer @b1 in @state size #graph.shape<[] -> [8]> live [0, 1] above [@b0] type tensor<1xi64> source "lengths"
}

// -----

plan.program "prefill" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
}
plan.program "decode" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "other"
  // expected-error@above {{state 'other' is of one program alone}}
}

// -----

plan.program "prefill" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
}
plan.program "decode" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xi32> source "cache"
  // expected-error@above {{state 'cache' differs in type between programs}}
}

// -----

plan.program "prefill" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
}
plan.program "decode" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @t in @state size #graph.shape<[] -> [4]> live [0, 1]
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] above [@t] type tensor<16xf32> source "cache"
  // expected-error@above {{state 'cache' lies elsewhere in another program; expected 64 bytes at 0, found 64 at 64}}
}

// -----

plan.program "prefill" {
  plan.arena @state state size #graph.shape<[] -> [128]>
  plan.buffer @b0 in @state size #graph.shape<[] -> [64]> live [0, 1] type tensor<16xf32> source "cache"
}
// expected-error@below {{programs of one model differ in the number of states; expected 1, found 0}}
plan.program "decode" {
}

// -----

plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @b in @activations size #graph.shape<[] -> [64]> live [0, 1] above [@a]
  // expected-error@below {{buffer @a is read before it is written}}
  plan.collective all_reduce by sum from @a to @b element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]>
}

// -----

// The part of the second rank begins where another weight lies.
module attributes {graph.ranks = 2 : i64} {
  plan.program {
    plan.arena @weights weights size #graph.shape<[] -> [192]>
    plan.buffer @part in @weights size #graph.shape<[] -> [64]> live [0, 0] offset 0 stride 64
    // expected-error@below {{buffers @part and @whole overlap while both are live}}
    plan.buffer @whole in @weights size #graph.shape<[] -> [64]> live [0, 0] offset 64
  }
}

// -----

module attributes {graph.ranks = 3 : i64} {
  plan.program {
    plan.arena @weights weights size #graph.shape<[] -> [128]>
    // expected-error@below {{buffer @part ends at 192 of 128 bytes}}
    plan.buffer @part in @weights size #graph.shape<[] -> [64]> live [0, 0] offset 0 stride 64
  }
}

// -----

module attributes {graph.ranks = 2 : i64} {
  plan.program {
    plan.arena @weights weights size #graph.shape<[] -> [128]>
    // expected-error@below {{KILN-E0303: memory plan: the parts of buffer @part overlap}}
    plan.buffer @part in @weights size #graph.shape<[] -> [64]> live [0, 0] offset 0 stride 32
  }
}

// -----

// Of a pipeline: what stage 1 reads of stage 0 is broadcast, states of two stages lie at
// one place, and all ranks have the output.
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  plan.buffer @s1 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 1
  plan.launch @k reads [@s0] writes [@a] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 0
  plan.collective broadcast from @a to @a element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 0
  plan.launch @k reads [@a, @s1] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 1
  plan.collective broadcast from @y to @y element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 1
}

// -----

// What stage 0 hands to stage 1 alone.
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  plan.buffer @s1 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 1
  plan.launch @k reads [@s0] writes [@a] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 0
  plan.collective permute from @a to @a element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 0 takers 1
  plan.launch @k reads [@a, @s1] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 1
  plan.collective broadcast from @y to @y element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 1
}

// -----

// Stage 2 has not what was handed to stage 1.
plan.program stages 3 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  plan.buffer @s1 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 1
  plan.launch @k reads [@s0] writes [@a] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 0
  plan.collective permute from @a to @a element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 0 takers 1
  // expected-error@below {{buffer @a is read before it is written; found on the ranks of stage 2}}
  plan.launch @k reads [@a] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 2
  plan.collective broadcast from @y to @y element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 2
}

// -----

plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  plan.launch @k reads [@s0] writes [@a] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 0
  // expected-error@below {{buffer @a is read before it is written; found on the ranks of stage 1}}
  plan.launch @k reads [@a] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 1
  plan.collective broadcast from @y to @y element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 1
}

// -----

// The ranks of stage 1 do not have the state of stage 0.
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  // expected-error@below {{buffer @s0 is read before it is written; found on the ranks of stage 1}}
  plan.launch @k reads [@s0] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 1
  plan.collective broadcast from @y to @y element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [64]> stage 1
}

// -----

// Nor do all ranks have an output that one stage alone writes.
plan.program stages 2 {
  plan.arena @output output size #graph.shape<[] -> [64]>
  // expected-error@below {{buffer @y is read before it is written; found on the ranks of stage 0}}
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.launch @k reads [] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]> stage 1
}

// -----

// A state that all ranks have does not lie where one of a stage does.
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.arena @output output size #graph.shape<[] -> [64]>
  plan.arena @state state size #graph.shape<[] -> [64]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @y in @output size #graph.shape<[] -> [64]> live [0, 3] type tensor<16xf32> source "y"
  plan.buffer @s0 in @state size #graph.shape<[] -> [64]> live [0, 3] stage 0
  // expected-error@below {{buffers @s0 and @s overlap while both are live}}
  plan.buffer @s in @state size #graph.shape<[] -> [64]> live [0, 3]
  plan.launch @k reads [@s] writes [@y] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [128]> flops #graph.shape<[] -> [0]>
}
