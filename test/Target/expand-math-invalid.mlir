// RUN: kiln-opt --kiln-expand-math %s -verify-diagnostics

func.func @atan(%x: f64) -> f64 {
  // expected-error @+1 {{a function without a formula; found math.atan of f64}}
  %0 = math.atan %x : f64
  return %0 : f64
}
