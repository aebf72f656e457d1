// RUN: kiln-opt %s --kiln-find-state="pairs=cache=new_cache keep-inputs=position_ids" | FileCheck %s
// RUN: not kiln-opt %s --kiln-find-state="pairs=cache=none" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not kiln-opt %s --kiln-find-state="pairs=cache=new_cache,cache=new_cache" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not kiln-opt %s --kiln-find-state="pairs=position_ids=ids" 2>&1 | FileCheck %s --check-prefix=TYPE
// Pairs that are given, and inputs that stay.

// NAME: KILN-E0206: --state: the model has no such output; expected names of an input and an output, found cache=none; fix: kiln inspect lists the names
// TWICE: KILN-E0206: --state: a name stands in two pairs; expected each name once, found cache=new_cache; fix: leave one of them out
// TYPE: KILN-E0206: input 'position_ids': it is no past of output 'ids'; expected one type, and one dim that is longer by the new rows, found [batch, 1] and [batch, 1]; fix: with --no-state pasts and presents stay inputs and outputs

// CHECK: func.func @main(%{{.*}}: tensor<?x1xi64, #{{.*}}> {graph.name = "position_ids"}, %{{.*}} {graph.name = "new"}, %{{.*}} {graph.name = "cache", graph.past = "cache"})
// CHECK-SAME: -> (tensor<{{.*}}> {graph.name = "new_cache", graph.past = "cache"}, tensor<{{.*}}> {graph.name = "ids"})
#past = #graph.shape<[batch, past] -> [batch, 2, past, 4]>
#new = #graph.shape<[batch] -> [batch, 2, 1, 4]>
#present = #graph.shape<[batch, past] -> [batch, 2, past + 1, 4]>
#ids = #graph.shape<[batch] -> [batch, 1]>

graph.symbol @batch in [1, 4]
graph.symbol @past in [0, 64]

func.func @main(%ids: tensor<?x1xi64, #ids> {graph.name = "position_ids"}, %new: tensor<?x2x1x4xf32, #new> {graph.name = "new"}, %past: tensor<?x2x?x4xf32, #past> {graph.name = "cache"})
    -> (tensor<?x2x?x4xf32, #present> {graph.name = "new_cache"}, tensor<?x1xi64, #ids> {graph.name = "ids"}) {
  %0 = graph.concat %past, %new axis 2 : (tensor<?x2x?x4xf32, #past>, tensor<?x2x1x4xf32, #new>) -> tensor<?x2x?x4xf32, #present>
  return %0, %ids : tensor<?x2x?x4xf32, #present>, tensor<?x1xi64, #ids>
}
