// Memory at all dims, not at the ends of their ranges alone.
// RUN: kiln-opt %s --split-input-file --kiln-verify-plan --verify-diagnostics
// RUN: not kiln-opt %s --split-input-file --kiln-verify-plan --remarks-filter=kiln-verify-plan 2>&1 >%t | FileCheck %s --implicit-check-not=@proved

// Right at n = 1 and n = 9, and 0 bytes at n = 5.
graph.symbol @n in [1, 9]
plan.program {
  // expected-error @below {{KILN-E0303: memory plan: buffers of arena @a end behind it, at 1024; found at n=}}
  plan.arena @a activations size #graph.shape<[n] -> [64 * n * n - 640 * n + 1600]>
  plan.buffer @x in @a size #graph.shape<[] -> [1024]> live [0, 1]
}

// -----

// The same formula has room for as little as it has.
graph.symbol @n in [1, 9]
plan.program {
  plan.arena @proved activations size #graph.shape<[n] -> [64 * n * n - 640 * n + 1600]>
  plan.buffer @x in @proved size #graph.shape<[] -> [0]> live [0, 1]
}

// -----

// The larger of two formulas, neither of which is enough alone.
graph.symbol @n in [1, 1000]
plan.program {
  plan.arena @proved activations size #graph.shape<[n] -> [n * 64, 6400]>
  plan.buffer @x in @proved size #graph.shape<[n] -> [n * 64]> live [0, 0]
  plan.buffer @y in @proved size #graph.shape<[] -> [6400]> live [1, 1]
}

// -----

graph.symbol @n in [1, 8]
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [640]>
  // expected-error @below {{KILN-E0303: memory plan: the size of buffer @x is negative, or has no 63 bits; found at n=1}}
  plan.buffer @x in @a size #graph.shape<[n] -> [n * 64 - 128]> live [0, 1]
}

// -----

// Not negative at 1 and 9, but between them.
graph.symbol @n in [1, 9]
plan.program {
  plan.arena @a activations size #graph.shape<[] -> [6400]>
  // expected-error @below {{KILN-E0303: memory plan: the size of buffer @x is negative; found at n=}}
  plan.buffer @x in @a size #graph.shape<[n] -> [64 * n * n - 640 * n + 1024]> live [0, 1]
}

// -----

plan.program {
  // expected-error @below {{KILN-E0303: memory plan: the size of arena @a is negative, or has no 63 bits; found at static dims}}
  plan.arena @a activations size #graph.shape<[] -> [-128]>
}

// -----

plan.program {
  plan.arena @a weights size #graph.shape<[] -> [9223372036854775807]>
  // expected-error @below {{KILN-E0303: memory plan: the end of buffer @x has no 63 bits}}
  plan.buffer @x in @a size #graph.shape<[] -> [64]> live [0, 1] offset 9223372036854775807
}

// -----

// Live together, and in no order: at both ends of the range one of them has no bytes.
// CHECK: arena @corners is checked at corners
graph.symbol @n in [0, 1]
plan.program {
  plan.arena @corners activations size #graph.shape<[] -> [64]>
  plan.buffer @x in @corners size #graph.shape<[n] -> [n * 64]> live [0, 1]
  plan.buffer @y in @corners size #graph.shape<[n] -> [64 - n * 64]> live [0, 1]
}
