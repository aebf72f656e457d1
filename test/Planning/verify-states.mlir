// RUN: kiln-opt %s --split-input-file --kiln-verify-plan --verify-diagnostics
// Values of a state follow each other: nobody reads one that has been overwritten, and two steps do not write one state side by side.

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// Reads of the old value in front of the write, of the new one behind it.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@y] grid #one bytes #one flops #one
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@new] writes [@y] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// One value after the other.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.buffer @newer in @state size #four live [0, 3] alias @new source "past"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@new] writes [@newer] grid #one bytes #one flops #one
  plan.launch @k reads [@newer] writes [@y] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// Two states; a copy into one of them where it lies.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@other] writes [@y] grid #one bytes #one flops #one
  plan.copy @y to @other
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@other] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@new] writes [@y] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// A reader that is late.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @old is read after another step has overwritten the state}}
  plan.launch @k reads [@old] writes [@y] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// A copy that is late.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @old is read after another step has overwritten the state}}
  plan.copy @old to @y
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.buffer @newer in @state size #four live [0, 3] alias @new source "past"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  plan.launch @k reads [@new] writes [@newer] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @new is read after another step has overwritten the state}}
  plan.launch @k reads [@new] writes [@y] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// Two steps make a new value of the same old one.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.buffer @side in @state size #four live [0, 3] alias @old source "past"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @side is written to a state that another step writes, too}}
  plan.launch @k reads [@other] writes [@side] grid #one bytes #one flops #one
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

// A copy over the value that another step wrote.
plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.launch @k reads [@old] writes [@new] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @old is written to a state that another step writes, too}}
  plan.copy @other to @old
}

// -----

#one = #graph.shape<[] -> [1]>
#four = #graph.shape<[] -> [4]>
#both = #graph.shape<[] -> [68]>

plan.program {
  plan.arena @output output size #four
  plan.arena @state state size #both
  plan.buffer @y in @output size #four live [0, 3]
  plan.buffer @old in @state size #four live [0, 3] source "past"
  plan.buffer @new in @state size #four live [0, 3] alias @old source "past"
  plan.buffer @other in @state size #four live [0, 3] above [@old] source "lengths"
  plan.buffer @side in @state size #four live [0, 3] alias @old source "past"
  plan.launch @k reads [] writes [@y] grid #one bytes #one flops #one
  plan.copy @y to @old
  plan.launch @k reads [@other] writes [@new] grid #one bytes #one flops #one
  // expected-error@below {{KILN-E0303: states of the plan: buffer @side is written to a state that another step writes, too}}
  plan.launch @k reads [@other] writes [@side] grid #one bytes #one flops #one
}
