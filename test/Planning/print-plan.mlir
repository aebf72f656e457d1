// RUN: kiln-opt %s --kiln-print-plan=dims=n=5 | FileCheck %s
// RUN: kiln-opt %s --kiln-print-plan | FileCheck %s --check-prefix=LARGEST
// RUN: not kiln-opt %s --kiln-print-plan=dims=k=5 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not kiln-opt %s --kiln-print-plan=dims=n=65 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not kiln-opt %s --kiln-print-plan=dims=n=many 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: sed 's/\[8 \* n\]> live/[4611686018427387904 * n]> live/' %s > %t.mlir
// RUN: not kiln-opt %t.mlir --kiln-print-plan=dims=n=5 2>&1 | FileCheck %s --check-prefix=HUGE
// Offsets follow from the buffers below, at multiples of 64; an alias has the offset of its storage.

// CHECK: program main
// CHECK-NEXT: arena @input: 64 bytes
// CHECK-NEXT: offset        bytes  steps      buffer       source
// CHECK-NEXT: 0           20  0..1       @b0          x
// CHECK-NEXT: arena @activations: 128 bytes
// CHECK-NEXT: offset        bytes  steps      buffer       source
// CHECK-NEXT: 0           20  0..1       @b1          first
// CHECK-NEXT: 64           40  0..1       @b2
// CHECK-NEXT: 64           20  1..1       @b3 = @b2

// LARGEST: arena @activations: 768 bytes
// LARGEST: 256          512  0..1       @b2

// NAME: KILN-E0001: dims of the plan: cannot be used; expected the name of a symbol of the model, found 'k'; fix: write for example n=4,sequence=16
// RANGE: expected n from 1 to 64, found '65'
// NUMBER: expected n from 1 to 64, found 'many'
// HUGE: KILN-E0303: memory plan: the size of buffer @b2 is negative, or has no 63 bits; found at these dims; fix: see what kiln-verify-plan says of the plan

module {
  graph.symbol @n in [1, 64]
  plan.program {
    plan.arena @input input size #graph.shape<[n] -> [64 * ((4 * n) ceildiv 64)]>
    plan.arena @activations activations size #graph.shape<[n] -> [64 * ((4 * n) ceildiv 64) + 64 * ((8 * n) ceildiv 64)]>
    plan.buffer @b0 in @input size #graph.shape<[n] -> [4 * n]> live [0, 1] source "x"
    plan.buffer @b1 in @activations size #graph.shape<[n] -> [4 * n]> live [0, 1] source "first"
    plan.buffer @b2 in @activations size #graph.shape<[n] -> [8 * n]> live [0, 1] above [@b1]
    plan.buffer @b3 in @activations size #graph.shape<[n] -> [4 * n]> live [1, 1] alias @b2
  }
}
