// The record of a compile: which phase may follow which, and with which options.
// RUN: kiln-opt %s --kiln-begin-phase="phase=import options={precision=bf16 shard=tp=2}" --kiln-begin-phase="phase=graph after=import options={precision=bf16 shard=tp=2}" | FileCheck %s
// RUN: kiln-opt %s --kiln-begin-phase="phase=kernels after=graph" | FileCheck %s --check-prefix=ENTRY
// RUN: not kiln-opt %s --kiln-begin-phase="phase=graph after=import" --kiln-begin-phase="phase=graph after=import" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not kiln-opt %s --kiln-begin-phase="phase=import" --kiln-begin-phase="phase=import" 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not kiln-opt %s --kiln-begin-phase="phase=import" --kiln-begin-phase="phase=kernels after=graph" 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not kiln-opt %s --kiln-begin-phase="phase=import options=precision=bf16" --kiln-begin-phase="phase=graph after=import options=precision=f16" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: sed -e "s/^module {/module attributes {graph.compile = {version = \"0.0.0\", phase = \"import\"}} {/" %s | not kiln-opt --kiln-begin-phase="phase=graph after=import" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: sed -e "s/^module {/module attributes {graph.compile = 3 : i64} {/" %s | not kiln-opt 2>&1 | FileCheck %s --check-prefix=FORM

// CHECK: module attributes {graph.compile = {options = "precision=bf16 shard=tp=2", phase = "graph", version = "{{.+}}"}}
// A module that was written by hand enters anywhere.
// ENTRY: module attributes {graph.compile = {phase = "kernels", version = "{{.+}}"}}
// TWICE: KILN-E0301: phase graph: it has run on the module already; expected a module behind phase import, found one behind phase graph
// FIRST: KILN-E0301: phase import: it has run on the module already; expected a module as it was imported
// EARLY: KILN-E0301: phase kernels: the module is not at its level; expected a module behind phase graph, found one behind phase import
// OPTIONS: KILN-E0304: phase graph: the module was compiled with other options; expected 'precision=bf16', found 'precision=f16'; fix: give the pipeline the same: --kiln-graph-pipeline='precision=bf16'
// VERSION: KILN-E0304: phase graph: another version of Kiln wrote the module; expected {{.+}}, found '0.0.0'
// FORM: carries graph.compile, which is for modules, and a dictionary
module {
}
