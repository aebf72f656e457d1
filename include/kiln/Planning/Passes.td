//===- Passes.td - Planning passes -------------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLANNING_PASSES_TD
#define KILN_PLANNING_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildPlanPass : Pass<"kiln-build-plan", "::mlir::ModuleOp"> {
  let summary = "Give every value a place in an arena and every kernel a step";
  let description = [{
    Reads each program, a graph of kernels whose `code` is known, and adds a
    `plan.program`. Weights and named states lie at the same places in all of them. A value becomes a buffer live from the step that writes it to
    the last that reads it; a reshape is the same buffer under another shape; a
    result may take the place of an operand that dies in the same step and is
    read element by element (in place). Results of a program are written straight
    into the caller's memory.

    Activations are packed greedily by the most that each can need; the packing is
    kept as an order (`above`), so that offsets hold for all dims. `memory-limit`
    (bytes, 0 for none) makes a plan that may need more an error that names the largest
    contributors. What a buffer needs at most holds for every dim of the envelope, also
    for sizes that shrink as a symbol grows; ranges for which a dim is negative at one
    end, or a size has no bound, are an error.

    `stages` makes a pipeline: weights have the stages that their `graph.stage` says, if one
    has it; else they are cut into ranges in the order in which steps read them, near equal
    shares and where the fewest values are handed on, which is
    between two layers. A step is of the stage of the last weight that it depends on; what
    depends on no large one is of all ranks. Behind a step whose result one other stage reads
    stands a permute to that stage, and behind one whose result several stages read, or that
    writes an output, a broadcast. A state is of the stage that writes it, and states of
    different stages lie at the same place.

    `overlap` gives collectives a stream of their own: steps are ordered anew, so that kernels
    that do not depend on a collective stand behind it, and the collective states the step in
    front of which kernels wait for it (`join`): the first one that reads its result, or writes
    its operand or its result. The memory of both is nobody else's until then.

    `micro-batches` orders the steps of a program that is written in parts
    (kiln-split-micro-batches), so that stages compute at the same time: in wave p + s stage s
    computes part p, and what all stages hand on stands at the end of the wave.

    Before:
    ```mlir
    func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
      %0 = graph.kernel "pointwise" (%a = %x) : ... {code = @pointwise_0} {...}
      return %0 : tensor<4xf32>
    }
    ```
    After (added):
    ```mlir
    plan.program {
      plan.arena @input input size #graph.shape<[] -> [64]>
      plan.arena @output output size #graph.shape<[] -> [64]>
      plan.buffer @b0 in @input size #graph.shape<[] -> [16]> live [0, 0] type tensor<4xf32> source "x"
      plan.buffer @b1 in @output size #graph.shape<[] -> [16]> live [0, 0] type tensor<4xf32> source "y"
      plan.launch @pointwise_0 reads [@b0] writes [@b1] ...
    }
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `in-place` | passed | a result that overwrites an operand, in bytes, or the state that its kernel updates |
    | `in-place` | missed | why a result has memory of its own, or an operand is copied before it is updated |
    | `write-output` | missed | why an output is copied |
    | `write-state` | missed | why the new value of a state is copied |
  }];
  let options = [Option<"memoryLimit", "memory-limit", "uint64_t", "0",
                        "Bytes all arenas may take at any dims; 0 for no limit">,
                 Option<"stages", "stages", "int64_t", "1",
                        "Stages of a pipeline of ranks">,
                 Option<"overlap", "overlap", "bool", "false",
                        "Collectives run beside kernels that do not depend on them">,
                 Option<"microBatches", "micro-batches", "bool", "false",
                        "Stages compute parts of a run at the same time">];
  let statistics = [
    Statistic<"numInPlace", "in-place", "Results that took an operand's place">,
  ];
  let dependentDialects = ["::kiln::plan::PlanDialect"];
}

def VerifyPlanPass : Pass<"kiln-verify-plan", "::mlir::ModuleOp"> {
  let summary = "Prove a plan's memory at all dims of the envelope";
  let description = [{
    Evaluates every offset and size at the smallest and the largest dims, and
    with each symbol in turn at its smallest and the others at their largest,
    and checks that live buffers of an arena do not overlap, that they end
    inside the arena, and that everything read was written before. Nobody reads a value
    of a state that another step has overwritten, and two steps do not write one state
    side by side. The programs of a model have the same states, each of one type and at
    one place.

    For all other dims it proves, by interval arithmetic on ever smaller ranges, that no
    size is negative and no buffer ends behind its arena, and that of two buffers that are
    live together one lies above the other. Where it can neither prove that nor find dims
    that show the opposite, an analysis remark says of which arena: "is checked at
    corners". The runtime proves it for the dims of a run in any case.

    Before and after: the module is not changed. Two buffers live in the same
    step at the same offset are an error.

    | remark | kind | says |
    | --- | --- | --- |
    | `checked-at-corners` | analysis | an arena whose bounds are proved at the smallest and largest dims alone |
  }];
}

def PrintPlanPass : Pass<"kiln-print-plan", "::mlir::ModuleOp"> {
  let summary = "Print byte offsets of a plan at given dims";
  let description = [{
    Prints a table of each program's buffers to stdout, by arena, with offset, size and live steps where symbols
    have the values in `dims`; symbols that it leaves out have their largest value.

    Before and after: the module is not changed. With dims=n=4 the plan of kiln-build-plan's example is printed as
    ```
    program main
    arena @input: 64 bytes
            offset        bytes  steps      buffer       source
                 0           16  0..0       @b0          x
    ```
  }];
  let options = [Option<"dims", "dims", "std::string", "\"\"", "Values of symbols, as n=4,sequence=16">];
}

#endif // KILN_PLANNING_PASSES_TD
