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
