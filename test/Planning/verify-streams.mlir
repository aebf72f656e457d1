// RUN: kiln-opt %s --split-input-file --kiln-verify-plan --verify-diagnostics

// A copy runs beside the sum, and the reader of the sum waits.
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 3
  plan.copy @x to @t
  plan.copy @s to @a
}
}

// -----

// Nobody reads the sum: it is waited for at the end.
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 4
  plan.copy @x to @t
  plan.copy @x to @t
}
}

// -----

// plan.collective C6: a missing wait in front of a reader
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 3
  // expected-error@below {{KILN-E0303: streams of the plan: buffer @s is read while a collective may still write it; found no wait in front of the step}}
  plan.copy @s to @t
  plan.copy @x to @t
}
}

// -----

// In front of a writer of the operand
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 3
  // expected-error@below {{KILN-E0303: streams of the plan: buffer @a is written while a collective may still read it}}
  plan.copy @x to @a
  plan.copy @s to @t
}
}

// -----

// In front of a writer of the result
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 4
  plan.copy @x to @t
  // expected-error@below {{KILN-E0303: streams of the plan: buffer @s is written while a collective may still write it}}
  plan.copy @x to @s
}
}

// -----

// The memory of the operand is given to another buffer.
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 1]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  // expected-error@below {{KILN-E0303: streams of the plan: the memory of buffer @a is free while a collective may still use it; found its last step is 1, and step 3 waits for the collective}}
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 3
  plan.copy @x to @t
  plan.copy @s to @t
}
}

// -----

// The same of the result
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 2] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  // expected-error@below {{KILN-E0303: streams of the plan: the memory of buffer @s is free while a collective may still use it}}
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 4
  plan.copy @x to @t
  plan.copy @x to @t
}
}

// -----

// It waits for itself.
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  // expected-error@below {{KILN-E0303: streams of the plan: a collective is waited for where it has not begun; found step 1, join 1}}
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 1
  plan.copy @x to @t
  plan.copy @s to @t
}
}

// -----

// There is no such step.
module attributes {graph.ranks = 2 : i64} {
plan.program {
  plan.arena @input input size #graph.shape<[] -> [256]>
  plan.arena @activations activations size #graph.shape<[] -> [256]>
  plan.buffer @x in @input size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @a in @activations size #graph.shape<[] -> [64]> live [0, 3]
  plan.buffer @s in @activations size #graph.shape<[] -> [64]> live [1, 3] above [@a]
  plan.buffer @t in @activations size #graph.shape<[] -> [64]> live [2, 3] above [@s]
  plan.copy @x to @a
  // expected-error@below {{KILN-E0303: streams of the plan: a collective is waited for where it has not begun; found step 1, join 5}}
  plan.collective all_reduce by sum from @a to @s element f32 outer #graph.shape<[] -> [1]> inner #graph.shape<[] -> [16]> join 5
  plan.copy @x to @t
  plan.copy @s to @t
}
}
