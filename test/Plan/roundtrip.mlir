// RUN: kiln-opt %s --verify-roundtrip --mlir-print-local-scope | FileCheck %s --strict-whitespace

// CHECK: plan.program {
// CHECK: plan.arena @activations activations size <[n] -> [64 * n, 128]>
// CHECK: plan.buffer @w in @weights {{.*}} offset 64
// CHECK: plan.buffer @a in @activations size <[n] -> [64 * n]> live[0, 1]
// CHECK: plan.buffer @b in @activations {{.*}} above [@a]
// CHECK: plan.buffer @c in @activations {{.*}} alias @b source "view"
// CHECK: plan.launch @k reads [@w, @a] writes [@b] grid {{.*}} nodes ["node 'x' (Add, opset 17)"]
// CHECK: plan.copy @a to @b
// CHECK: plan.buffer @p in @weights {{.*}} offset 64 stride 128
// CHECK: plan.collective all_reduce by sum from @a to @b element f32 outer <[] -> [1]> inner <[n] -> [16 * n]> nodes ["node 'x' (MatMul, opset 17)"]
// CHECK: plan.collective all_gather from @a to @b element bf16
// CHECK: plan.launch @k reads [@w] writes [@b] {{.*}} workspace @c tickets @t
// CHECK: plan.launch @k reads [@w] writes [@b] {{.*}} variants [#plan.variant<@k_rows2 on 1 when [#plan.bound<<[n] -> [n]> max 2>] grid <[] -> [1]>>, #plan.variant<@k_rows4 on 1 when [#plan.bound<<[n] -> [n]> max 4>] grid <[n] -> [(n ceildiv 2)]>>]
// CHECK: plan.program "main" stages 2 {
// CHECK: plan.buffer @s in @state {{.*}} stage 1
// CHECK: plan.launch @k {{.*}} flops <[] -> [0]> stage 1
// CHECK: plan.copy @s to @s stage 1
// CHECK: plan.collective broadcast from @s to @s element i8 {{.*}} stage 1
// CHECK: plan.collective permute from @s to @s element i8 {{.*}} stage 1 takers 0
// CHECK: plan.collective all_to_all from @a to @s element f32 {{.*}} stage 1
graph.symbol @n in [1, 8]
plan.program {
  plan.arena @weights weights size #graph.shape<[] -> [128]>
  plan.arena @activations activations size #graph.shape<[n] -> [n * 64, 128]>
  plan.arena @state state size #graph.shape<[] -> [4]>
  plan.buffer @w in @weights size #graph.shape<[] -> [64]> live [0, 1] offset 64 source "w"
  plan.buffer @a in @activations size #graph.shape<[n] -> [n * 64]> live [0, 1]
  plan.buffer @b in @activations size #graph.shape<[n] -> [n * 64]> live [1, 1] above [@a]
  plan.buffer @c in @activations size #graph.shape<[n] -> [n * 64]> live [1, 1] alias @b source "view"
  plan.buffer @t in @state size #graph.shape<[] -> [4]> live [0, 2]
  plan.launch @k reads [@w, @a] writes [@b] grid #graph.shape<[n] -> [n, n ceildiv 2]>
    bytes #graph.shape<[n] -> [n * 192]> flops #graph.shape<[n] -> [n]> nodes ["node 'x' (Add, opset 17)"]
  plan.copy @a to @b
  plan.buffer @p in @weights size #graph.shape<[] -> [64]> live [0, 1] offset 64 stride 128 source "p"
  plan.collective all_reduce by sum from @a to @b element f32 outer #graph.shape<[] -> [1]>
    inner #graph.shape<[n] -> [n * 16]> nodes ["node 'x' (MatMul, opset 17)"]
  plan.collective all_gather from @a to @b element bf16 outer #graph.shape<[n] -> [n]> inner #graph.shape<[] -> [4]>
  plan.launch @k reads [@w] writes [@b] grid #graph.shape<[n] -> [n]> bytes #graph.shape<[n] -> [n]>
    flops #graph.shape<[n] -> [n]> workspace @c tickets @t
  plan.launch @k reads [@w] writes [@b] grid #graph.shape<[n] -> [n, n]> bytes #graph.shape<[n] -> [n]>
    flops #graph.shape<[n] -> [n]>
    variants [#plan.variant<@k_rows2 on 1 when [#plan.bound<<[n] -> [n]> max 2>] grid <[] -> [1]>>, #plan.variant<@k_rows4 on 1 when [#plan.bound<<[n] -> [n]> max 4>] grid <[n] -> [n ceildiv 2]>>]
}
plan.program "main" stages 2 {
  plan.arena @state state size #graph.shape<[] -> [4]>
  plan.buffer @s in @state size #graph.shape<[] -> [4]> live [0, 2] stage 1
  plan.launch @k reads [@s] writes [@s] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [0]> flops #graph.shape<[] -> [0]> stage 1
  plan.copy @s to @s stage 1
  plan.collective broadcast from @s to @s element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 1
  plan.collective permute from @s to @s element i8 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 1 takers 0
  plan.buffer @a in @state size #graph.shape<[] -> [4]> live [0, 2] stage 1
  plan.collective all_to_all from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [4]> stage 1
}
