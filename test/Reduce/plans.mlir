// RUN: kiln-reduce %s --test "kiln-opt --kiln-verify-plan" --message "plan.launch @b " --success -o %t.mlir -q
// RUN: kiln-opt %t.mlir --kiln-verify-plan | FileCheck %s
// RUN: kiln-reduce %s --test "kiln-opt --kiln-verify-plan" --message "plan.copy" --success -o - 2>/dev/null | FileCheck %s --check-prefix=COPY

// Steps in front of the one that is kept go, and lifetimes count those that are left;
// then buffers that no step uses go, and arenas without buffers.

// CHECK: plan.program {
// CHECK: plan.launch @a reads [@{{.*}}] writes [@h]
// CHECK-NEXT: plan.launch @b reads [@h] writes [@i]
// CHECK-NEXT: }

// COPY: plan.copy @i to @y

graph.symbol @n in [1, 8]
plan.program {
  plan.arena @in input size #graph.shape<[n] -> [64 * n]>
  plan.arena @act activations size #graph.shape<[n] -> [128 * n]>
  plan.arena @out output size #graph.shape<[n] -> [64 * n]>
  plan.buffer @x in @in size #graph.shape<[n] -> [64 * n]> live [0, 4]
  plan.buffer @h in @act size #graph.shape<[n] -> [64 * n]> live [0, 2]
  plan.buffer @i in @act size #graph.shape<[n] -> [64 * n]> live [1, 3] above [@h]
  plan.buffer @y in @out size #graph.shape<[n] -> [64 * n]> live [3, 4]
  plan.launch @a reads [@x] writes [@h] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]>
  plan.launch @b reads [@h] writes [@i] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]>
  plan.launch @c reads [@h, @i] writes [@i] grid #graph.shape<[] -> [1]> bytes #graph.shape<[] -> [1]> flops #graph.shape<[] -> [1]>
  plan.copy @i to @y
}
