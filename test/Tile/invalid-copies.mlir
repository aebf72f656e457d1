// RUN: kiln-opt %s --split-input-file --verify-diagnostics
// Copies that the threads of a block issue: each constraint violated once.

tile.kernel @issue_copy_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // expected-error @+1 {{(C1) expects one index per dim of}}
  tile.issue_copy %A[%c0] to %m[%c0] : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
}

// -----
tile.kernel @issue_copy_c2(%a: !tile.buffer<f16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<128x64xf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // expected-error @+1 {{(C2) expects equal element types}}
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !tile.view<128x64xf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
}

// -----
tile.kernel @issue_copy_c2_bytes(%a: !tile.buffer<i8>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<128x64xi8, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xf8E5M2, #tile.mem_layout<contiguous = 1, lines>, shared>
  // expected-error @+1 {{(C2) expects equal element types}}
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !tile.view<128x64xi8, [64, 1]> to !tile.mem<2x64x64xf8E5M2, #tile.mem_layout<contiguous = 1, lines>, shared>
}

// -----
tile.kernel @issue_copy_c3(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
  // expected-error @+1 {{(C3) expects a buffer in the layout of a staged tile}}
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
}

// -----
tile.kernel @issue_copy_c4(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<128x64xbf16, [64, 1]>
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // expected-error @+1 {{(C4) expects dims of the tile, increasing}}
  tile.issue_copy %A[%c0, %c0] to %m[%c0] masked [1, 0] : !tile.view<128x64xbf16, [64, 1]> to !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
}

// -----
tile.kernel @wait_copies_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  // expected-error @+1 {{(C1) expects no negative number of groups in flight}}
  tile.wait_copies -1
}

// -----
tile.kernel @buffer_stage_c1(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  %c0 = arith.constant 0 : index
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
  // expected-error @+1 {{(C1) expects a tile of}}
  %s = tile.buffer_stage %m[%c0] : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared> -> !tile.staged<64x64xbf16, words>
}

// -----
tile.kernel @mem_layout(%a: !tile.buffer<bf16>) -> (%b: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>, threads = 128} {
  // expected-error @+1 {{expects swizzle, lines, matrices or words, found columns}}
  %m = tile.alloc : !tile.mem<2x64x64xbf16, #tile.mem_layout<contiguous = 1, columns>, shared>
}
