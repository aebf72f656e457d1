// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --verify-diagnostics

!h = tensor<1x2x8x8xf32>
func.func @main(%q: !h, %k: !h, %v: !h) -> !h {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the query operand is computed in the kernel; expected one attention between views and elementwise ops}}
  %0 = graph.kernel "attention" (%a = %q, %b = %k, %c = %v) : (!h, !h, !h) -> !h {
    %1 = graph.unary exp %a : (!h) -> !h
    %2 = graph.attention %1, %b, %c {scale = 0.25 : f64} : (!h, !h, !h) -> !h
    graph.yield %2 : !h
  }
  return %0 : !h
}

// -----

!h = tensor<1x2x8x8xf32>
func.func @main(%q: !h, %k: !h, %v: !h) -> !h {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the kernel has more than one attention}}
  %0 = graph.kernel "attention" (%a = %q, %b = %k, %c = %v) : (!h, !h, !h) -> !h {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (!h, !h, !h) -> !h
    %2 = graph.attention %1, %b, %c {scale = 0.25 : f64} : (!h, !h, !h) -> !h
    graph.yield %2 : !h
  }
  return %0 : !h
}

// -----

!h = tensor<1x2x8x8xf32>
func.func @main(%q: !h, %k: !h, %v: !h) -> !h {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the kernel has a matmul beside its attention}}
  %0 = graph.kernel "attention" (%a = %q, %b = %k, %c = %v) : (!h, !h, !h) -> !h {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (!h, !h, !h) -> !h
    %2 = graph.matmul %1, %b : (!h, !h) -> !h
    graph.yield %2 : !h
  }
  return %0 : !h
}

// -----

!h = tensor<1x2x8x8xf32>
!l = tensor<1x2x8xf32>
func.func @main(%q: !h, %k: !h, %v: !h) -> (!h, !l) {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the kernel has a log-sum-exp that is not that of its attention}}
  %0:2 = graph.kernel "attention" (%a = %q, %b = %k, %c = %v) : (!h, !h, !h) -> (!h, !l) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (!h, !h, !h) -> !h
    %2 = graph.attention_lse %a, %b {scale = 0.5 : f64} : (!h, !h) -> !l
    graph.yield %1, %2 : !h, !l
  }
  return %0#0, %0#1 : !h, !l
}

// -----

!h = tensor<1x2x8x8xf32>
!l = tensor<1x2x8xf32>
func.func @main(%q: !h, %k: !h) -> !l {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the kernel has no attention}}
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (!h, !h) -> !l {
    %1 = graph.attention_lse %a, %b {scale = 0.5 : f64} : (!h, !h) -> !l
    graph.yield %1 : !l
  }
  return %0 : !l
}
