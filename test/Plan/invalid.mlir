// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// program C1
plan.program {
  // expected-error@below {{(C1) cannot stand in a plan.program}}
  graph.symbol @n in [1, 8]
}

// -----

// arena C1
plan.program {
  // expected-error@below {{(C1) expected at least one size}}
  plan.arena @a weights size #graph.shape<[] -> []>
}

// -----

// buffer C1
plan.program {
  // expected-error@below {{(C1) @a is no plan.arena}}
  plan.buffer @b in @a size #graph.shape<[] -> [64]> live [0, 1]
}

// -----

// buffer C2
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [64]>
  // expected-error@below {{(C2) @c is no earlier buffer of the same arena}}
  plan.buffer @b in @a size #graph.shape<[] -> [64]> live [0, 1] above [@c]
  plan.buffer @c in @a size #graph.shape<[] -> [64]> live [0, 1]
}

// -----

// buffer C3
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [64]>
  // expected-error@below {{(C3) expected one size, found 2}}
  plan.buffer @b in @a size #graph.shape<[] -> [64, 32]> live [0, 1]
}

// -----

// buffer C4
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [64]>
  // expected-error@below {{(C4) live from 2 to 1}}
  plan.buffer @b in @a size #graph.shape<[] -> [64]> live [2, 1]
}

// -----

// launch C1
plan.program {
  // expected-error@below {{(C1) @b is no plan.buffer}}
  plan.launch @k reads [@b] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]>
}

// -----

// launch C2
plan.program {
  // expected-error@below {{(C2) expected one expression, found 2}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1, 2]> flops #graph.shape<[] -> [1]>
}

// -----

// launch C1
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.buffer @w in @activations size #graph.shape<[] -> [64]> live [0, 0]
  // expected-error@below {{(C1) @t is no plan.buffer}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> workspace @w tickets @t
}

// -----

// launch C3
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [64]>
  plan.buffer @w in @activations size #graph.shape<[] -> [64]> live [0, 0]
  // expected-error@below {{(C3) expected a workspace and tickets, or neither}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> workspace @w
}

// -----

// launch C3
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @w in @activations size #graph.shape<[] -> [64]> live [0, 0]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [0, 0] above [@w]
  // expected-error@below {{(C3) @t lies in activations, expected state}}
  plan.launch @k reads [] writes [] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> workspace @w tickets @t
}

// -----

// copy C1
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [64]>
  plan.buffer @b in @a size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @c in @a size #graph.shape<[] -> [32]> live [0, 1]
  // expected-error@below {{(C1) sizes differ}}
  plan.copy @b to @c
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected a bound of @a}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected bounds of one expression each, found #plan.bound<<[n] -> [n, n]> max 8>}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [#plan.bound<<[n] -> [n, n]> max 8>] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected a variant at least}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants []
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) @b never runs: the bounds of @a hold wherever its own do}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [#plan.bound<<[n] -> [n]> max 8>] grid <[n] -> [n]>>, #plan.variant<@b on 1 when [#plan.bound<<[n] -> [n]> max 8>] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) @b is out of order}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [#plan.bound<<[n] -> [n]> max 8>] grid <[n] -> [n]>>, #plan.variant<@b on 0 when [#plan.bound<<[n] -> [n]> max 16>] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected a bound that is not negative, found -1}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [#plan.bound<<[n] -> [n]> max -1>] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected a target that the launch has a grid for, found 2}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 2 when [#plan.bound<<[n] -> [n]> max 8>] grid <[n] -> [n]>>]
}

// -----

// launch C4
plan.program {
  // expected-error@below {{(C4) expected one grid of @a}}
  plan.launch @k reads [] writes [] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]> variants [#plan.variant<@a on 1 when [#plan.bound<<[n] -> [n]> max 8>] grid <[n] -> [n, n]>>]
}

// -----

// buffer C5
plan.program {
  plan.arena @weights weights size #graph.shape<[] -> [128]>
  // expected-error@below {{(C5) expected a positive stride beside an offset}}
  plan.buffer @w in @weights size #graph.shape<[] -> [64]> live [0, 1] offset 0 stride 0
}

// -----

// collective C1
plan.program {
  // expected-error@below {{(C1) @a is no plan.buffer}}
  plan.collective all_gather from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]>
}

// -----

// collective C2
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C2) expected one expression, found 2}}
  plan.collective all_gather from @a to @a element f32 outer #graph.shape<[] -> [1, 2]> inner #graph.shape<[] -> [4]>
}

// -----

// collective C3
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C3) expected a reduction}}
  plan.collective all_reduce by sum_square from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]>
}

// -----

// collective C3
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C3) expected no reduction}}
  plan.collective all_gather by sum from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]>
}

// -----

// collective C4
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C4) expected takers, which are another stage}}
  plan.collective permute from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 0
}

// -----

// collective C4
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C4) expected takers, which are another stage}}
  plan.collective permute from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 0 takers 0
}

// -----

// collective C4
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C4) expected no takers}}
  plan.collective broadcast from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 0 takers 1
}

// -----

// collective C4
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C4) expected a stage, and one buffer}}
  plan.collective broadcast from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]>
}

// -----

// collective C4
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @b in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C4) expected a stage, and one buffer}}
  plan.collective broadcast from @a to @b element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 0
}

// -----

// collective C5
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C5) expected ranks [size, apart] of no handover}}
  plan.collective broadcast from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 0 ranks [2, 1]
}

// -----

// collective C5
plan.program {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C5) expected ranks [size, apart] of no handover}}
  plan.collective all_reduce by sum from @a to @a element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> ranks [2, 0]
}

// -----

// buffer C5
plan.program {
  plan.arena @weights weights size #graph.shape<[] -> [128]>
  // expected-error@below {{(C5) expected ranks [size, apart] beside a stride}}
  plan.buffer @a in @weights size #graph.shape<[] -> [64]> live [0, 1] offset 0 ranks [2, 1]
}

// -----

// program C3
// expected-error@below {{(C3) expected from 2 to 1024 stages, found 1}}
plan.program stages 1 {
}

// -----

// program C3
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @b in @activations size #graph.shape<[] -> [64]> live [0, 1]
  // expected-error@below {{(C3) expected one of 2 stages, found 2}}
  plan.copy @a to @b stage 2
}

// -----

// buffer C6
plan.program stages 2 {
  plan.arena @activations activations size #graph.shape<[] -> [128]>
  // expected-error@below {{(C6) expected a stage of a state that is no alias}}
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1] stage 0
}

// -----

plan.program {
  // expected-error @below {{'plan.arena' op carries the unknown attribute 'plan.kind'; there is none of plan}}
  plan.arena @a activations size #graph.shape<[] -> [64]> {plan.kind = "x"}
}

// -----

// expected-error @below {{'plan.program' op (C3) expected from 2 to 1024 stages, found 2147483648}}
plan.program stages 2147483648 {
}

// -----

plan.program {
  plan.arena @a activations size #graph.shape<[] -> [64]>
  // expected-error @below {{'plan.buffer' op (C4) live from 5 to -1}}
  plan.buffer @x in @a size #graph.shape<[] -> [64]> live [5, -1]
}

// -----

plan.program {
  plan.arena @a weights size #graph.shape<[] -> [64]>
  // expected-error @below {{'plan.buffer' op (C4) expected an offset that is not negative, found -64}}
  plan.buffer @x in @a size #graph.shape<[] -> [64]> live [0, 1] offset -64
}
