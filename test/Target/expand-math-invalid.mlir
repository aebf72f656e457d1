// RUN: kiln-opt --kiln-expand-math %s -verify-diagnostics

func.func @erf(%x: f64) -> f64 {
  // expected-error @+1 {{a function without a formula; found math.erf of f64}}
  %0 = math.erf %x : f64
  return %0 : f64
}
