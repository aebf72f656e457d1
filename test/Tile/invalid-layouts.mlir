// RUN: kiln-opt --split-input-file %s -verify-diagnostics

// expected-error @+1 {{(C3) expects bases below 8, found 8}}
func.func private @frag_c3(!tile.frag<8xf32, #tile.linear_layout<registers = [1, 2, 4], threads = [8]>>)

// -----
// expected-error @+1 {{(C3) expects a layout that reaches all 8 elements, found one that reaches 4}}
func.func private @frag_c3_unreached(!tile.frag<8xf32, #tile.linear_layout<registers = [1, 2], threads = [3, 0]>>)

// -----
// expected-error @+1 {{expects bases from 0 to 2^31, found -1}}
func.func private @linear_layout_negative(!tile.frag<8xf32, #tile.linear_layout<registers = [-1], threads = []>>)

// -----
// expected-error @+1 {{expects lines, matrices or words, found rows}}
func.func private @staged_unknown(!tile.staged<8x8xf32, rows>)

// -----
#a = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
#b = #tile.linear_layout<registers = [], threads = [1, 2, 0, 0, 0]>
func.func @convert_layout_c1(%s: !tile.frag<8xf32, #a>) {
  // expected-error @+1 {{(C1) expects one shape and element}}
  %c = tile.convert_layout %s : !tile.frag<8xf32, #a> -> !tile.frag<4xf32, #b>
  return
}

// -----
#a = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
func.func @convert_layout_c2(%s: !tile.frag<8xf32, #a>) {
  // expected-error @+1 {{(C2) expects fragments that say their layouts}}
  %c = tile.convert_layout %s : !tile.frag<8xf32, #a> -> !tile.frag<8xf32>
  return
}
