// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// One case per constraint tag of the dialect.

// expected-error @+1 {{expects a signless integer or float element, found 'index'}}
func.func private @buffer_c1(!tile.buffer<index>)

// -----
// expected-error @+1 {{expects one stride per extent, found 1 strides for 2 extents}}
func.func private @view_c1(!tile.view<2x3xf32, [1]>)

// -----
// expected-error @+1 {{expects a signless integer or float element, found 'ui8'}}
func.func private @view_c3(!tile.view<2xui8, [1]>)

// -----
// expected-error @+1 {{expects rank 2, found 1}}
func.func private @staged_c1(!tile.staged<2xf32>)

// -----
// expected-error @+1 {{expects a signless integer or float element, found 'index'}}
func.func private @staged_c2(!tile.staged<2x2xindex>)

// -----
// expected-error @+1 {{expects rank 1 or 2, found 3}}
func.func private @frag_c1(!tile.frag<2x2x2xf32>)

// -----
// expected-error @+1 {{expects static extents > 0}}
func.func private @frag_c1_dynamic(!tile.frag<?xf32>)

// -----
// expected-error @+1 {{expects a signless integer, float or index element, found 'ui8'}}
func.func private @frag_c2(!tile.frag<2xui8>)

// -----
// expected-error @+1 {{(C1) expects 1 operand buffers, a result buffer, 0 symbols and the task, found 2 arguments}}
tile.kernel @kernel_c1(%a: !tile.buffer<f32>) -> () symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
}

// -----
// expected-error @+1 {{(C1) argument 0 expects a buffer, found 'f32'}}
tile.kernel @kernel_c1_type(%a: f32) -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
}

// -----
// expected-error @+1 {{(C2) expects symbols sorted and distinct, found 'a' after 'b'}}
tile.kernel @kernel_c2() -> (%b: !tile.buffer<f32>) symbols(%x, %y) task(%t)
    attributes {symbols = ["b", "a"], hero = "x", grid = affine_map<()[s0, s1] -> (1)>, scratch = affine_map<()[s0, s1] -> (0)>} {
}

// -----
// expected-error @+1 {{(C3) expects grid with no dims, 0 symbols and one result}}
tile.kernel @kernel_c3() -> (%b: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<() -> (0)>} {
}

// -----
func.func @pipeline_c1(%n: index, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects the load region to yield staged tiles}}
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    tile.yield %k : index
  } compute {
  ^bb0(%k: index, %x: index):
    tile.yield
  }
  return
}

// -----
func.func @pipeline_c2(%n: index) {
  // expected-error @+1 {{(C2) expects the compute region to take the index, the staged tiles and the carried values}}
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    tile.yield
  } compute {
  ^bb0(%k: index, %x: index):
    tile.yield
  }
  return
}

// -----
func.func @pipeline_c3(%n: index, %v: !tile.view<?xf32, [1]>) {
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    // expected-error @+1 {{(C3) is not address math, tile.stage or tile.prefetch}}
    %f = tile.load %v[%k] : !tile.view<?xf32, [1]> -> f32
    tile.yield
  } compute {
  ^bb0(%k: index):
    tile.yield
  }
  return
}

// -----
func.func @mma_c1(%a: !tile.staged<2x3xf32>, %b: !tile.staged<4x8xf32>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C1) expects MxK, KxN and MxN}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x3xf32>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c2(%a: !tile.staged<?x4xf32>, %b: !tile.staged<4x8xf32>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C2) expects static M and N}}
  %0 = tile.mma %a, %b, %c : !tile.staged<?x4xf32>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c3(%a: !tile.staged<2x4xf64>, %b: !tile.staged<4x8xf32>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C3) cannot widen 'f64' to 'f32'}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x4xf64>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c1_fragment(%a: !tile.frag<4xf16>, %b: !tile.staged<4x8xf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C1) expects MxK, KxN and MxN}}
  %0 = tile.mma %a, %b, %c : !tile.frag<4xf16>, !tile.staged<4x8xf16>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @mma_c4(%a: !tile.staged<2x4xf16>, %b: !tile.staged<4x8xf16>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C4) expects f32 for tf32, found 'f16', 'f16' and 'f32'}}
  %0 = tile.mma %a, %b, %c {tf32} : !tile.staged<2x4xf16>, !tile.staged<4x8xf16>, !tile.frag<2x8xf32>
  return
}

// -----

// Bytes may be the right operand alone.
func.func @mma_c4_bytes(%a: !tile.staged<2x4xf8E4M3FN>, %b: !tile.staged<4x8xf8E4M3FN>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C4) expects f32 for tf32, found 'f8E4M3FN', 'f8E4M3FN' and 'f32'}}
  %0 = tile.mma %a, %b, %c {tf32} : !tile.staged<2x4xf8E4M3FN>, !tile.staged<4x8xf8E4M3FN>, !tile.frag<2x8xf32>
  return
}

// -----
func.func @view_op_c1(%b: !tile.buffer<f32>, %n: index) {
  // expected-error @+1 {{(C1) expects 1 sizes and 0 strides, found 0 and 0}}
  %0 = tile.view %b offset %n sizes() strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  return
}

// -----
func.func @view_op_c2(%b: !tile.buffer<f32>, %n: index) {
  // expected-error @+1 {{(C2) views 'f32' as 'i32'}}
  %0 = tile.view %b offset %n sizes() strides() : !tile.buffer<f32> -> !tile.view<2xi32, [1]>
  return
}

// -----
func.func @load_c1(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C1) expects 2 indices}}
  %0 = tile.load %v[%n] : !tile.view<4x4xf32, [4, 1]> -> f32
  return
}

// -----
func.func @load_c1_rank(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C1) expects a fragment of at most rank 1}}
  %0 = tile.load %v[%n] : !tile.view<4xf32, [1]> -> !tile.frag<2x2xf32>
  return
}

// -----
func.func @load_c2(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C2) expects element type 'f32', found 'i32'}}
  %0 = tile.load %v[%n] : !tile.view<4xf32, [1]> -> !tile.frag<2xi32>
  return
}

// -----
func.func @load_c3(%v: !tile.view<4xf32, [1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  %0 = tile.load %v[%n] pad %p : f32 masked [1] : !tile.view<4xf32, [1]> -> !tile.frag<2xf32>
  return
}

// -----
func.func @load_c3_pad(%v: !tile.view<4xf32, [1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects pad exactly when masked is not empty}}
  %0 = tile.load %v[%n] {masked = array<i64: 0>} : !tile.view<4xf32, [1]> -> !tile.frag<2xf32>
  return
}

// -----
func.func @load_c4(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C4) expects masked to list the last dim beside before}}
  %0 = tile.load %v[%n, %n] pad %p : f32 masked [0] before : !tile.view<4x4xf32, [4, 1]> -> !tile.frag<2x2xf32>
  return
}

// -----
func.func @load_c4_whole(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C4) expects masked to list the last dim beside before}}
  %0 = tile.load %v[%n] before : !tile.view<4xf32, [1]> -> !tile.frag<2xf32>
  return
}

// -----
func.func @store_c2(%v: !tile.view<4xf32, [1]>, %n: index, %f: !tile.frag<2xi32>) {
  // expected-error @+1 {{(C2) expects element type 'f32', found 'i32'}}
  tile.store %f, %v[%n] : !tile.frag<2xi32>, !tile.view<4xf32, [1]>
  return
}

// -----
func.func @gather_c1(%v: !tile.view<4xf32, [1]>, %n: index, %w: !tile.frag<2xi32>) {
  // expected-error @+1 {{(C1) expects 0 indices}}
  %0 = tile.gather %v[%n] at %w : !tile.view<4xf32, [1]>, !tile.frag<2xi32> -> !tile.frag<2xf32>
  return
}

// -----
func.func @gather_c2(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects integer indices of the shape of}}
  %0 = tile.gather %v[] at %w : !tile.view<4xf32, [1]>, !tile.frag<2xf32> -> !tile.frag<2xf32>
  return
}

// -----
func.func @scatter_c3(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<2xi32>, %f: !tile.frag<2xi8>) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'i8'}}
  tile.scatter %f, %v[] at %w : !tile.frag<2xi8>, !tile.view<4xf32, [1]>, !tile.frag<2xi32>
  return
}

// -----
func.func @stage_c1(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C1) expects a view of rank 2 at least}}
  %0 = tile.stage %v[%n] : !tile.view<4xf32, [1]> -> !tile.staged<2x2xf32>
  return
}

// -----
func.func @stage_c2(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C2) expects 1 sizes, found 0}}
  %0 = tile.stage %v[%n, %n] : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x?xf32>
  return
}

// -----
func.func @prefetch_c2(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C2) expects a locality of 0, 1, 2 or 3, found -1}}
  tile.prefetch %v[%n] {locality = -1} : !tile.view<4xf32, [1]>
  return
}

// -----
func.func @fill_c1(%p: f32) {
  // expected-error @+1 {{(C1) fills}}
  %0 = tile.fill %p : f32 -> !tile.frag<2xi32>
  return
}

// -----
func.func @map_c1(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects one shape}}
  %0 = tile.map %f : !tile.frag<2xf32> -> !tile.frag<4xf32> {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
  return
}

// -----
func.func @map_c2(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects the region to take the inputs' element types}}
  %0 = tile.map %f : !tile.frag<2xf32> -> !tile.frag<2xf32> {
  ^bb0(%x: f64):
    tile.yield %x : f64
  }
  return
}

// -----
func.func @map_c3(%f: !tile.frag<2xf32>, %b: i1) {
  %0 = tile.map %f : !tile.frag<2xf32> -> !tile.frag<2xf32> {
  ^bb0(%x: f32):
    // expected-error @+1 {{(C3) is no scalar arith or math op}}
    %y = scf.if %b -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %x : f32
    }
    tile.yield %y : f32
  }
  return
}

// -----
func.func @reduce_c1(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects 0 <= axis < 1, found 1}}
  %0 = tile.reduce sum %f axis 1 : !tile.frag<2xf32> -> f32
  return
}

// -----
func.func @reduce_c2(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C2) expects the result '!tile.frag<2xf32>'}}
  %0 = tile.reduce sum %f axis 1 : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  return
}

// -----
func.func @reduce_c3(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C3) umax expects integers, found 'f32'}}
  %0 = tile.reduce umax %f axis 0 : !tile.frag<2xf32> -> f32
  return
}

// -----
func.func @broadcast_c1(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects rank 1 to rank 2}}
  %0 = tile.broadcast %f axis 0 : !tile.frag<2xf32> -> !tile.frag<2xf32>
  return
}

// -----
func.func @broadcast_c2(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) cannot repeat}}
  %0 = tile.broadcast %f axis 0 : !tile.frag<2xf32> -> !tile.frag<2x4xf32>
  return
}

// -----
func.func @convert_c1(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects one shape}}
  %0 = tile.convert %f : !tile.frag<2xf32> -> !tile.frag<4xf16>
  return
}

// -----
func.func @convert_c2(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects floats}}
  %0 = tile.convert %f : !tile.frag<2xf32> -> !tile.frag<2xi32>
  return
}

// -----
func.func @iota_c1(%n: index) {
  // expected-error @+1 {{(C1) expects 0 <= axis < 1}}
  %0 = tile.iota %n axis 1 : index -> !tile.frag<2xindex>
  return
}

// -----
func.func @iota_c2(%n: index) {
  // expected-error @+1 {{(C2) expects start and elements of one integer type}}
  %0 = tile.iota %n axis 0 : index -> !tile.frag<2xi32>
  return
}

// -----
func.func @select_range_c1(%f: !tile.frag<2xf32>, %n: index, %p: f32) {
  // expected-error @+1 {{(C1) expects 0 <= axis < 1}}
  %0 = tile.select_range %f in[%n, %n) else %p : f32 axis 1 : !tile.frag<2xf32>
  return
}

// -----
func.func @select_range_c2(%f: !tile.frag<2xf32>, %n: index, %p: i32) {
  // expected-error @+1 {{(C2) expects otherwise of type 'f32', found 'i32'}}
  %0 = tile.select_range %f in[%n, %n) else %p : i32 axis 0 : !tile.frag<2xf32>
  return
}

// -----
func.func @transpose_c1(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) cannot transpose}}
  %0 = tile.transpose %f : !tile.frag<2x4xf32> -> !tile.frag<2x4xf32>
  return
}

// -----
func.func @extract_c1(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) coordinate 2 is outside of}}
  %0 = tile.extract %f [2] : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  return
}

// -----
func.func @extract_c2(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C2) expects the result '!tile.frag<4xf32>'}}
  %0 = tile.extract %f [1] : !tile.frag<2x4xf32> -> f32
  return
}

// -----
func.func @stack_c1(%f: !tile.frag<4xf32>) {
  // expected-error @+1 {{(C1) expects the rows of}}
  %0 = tile.stack %f : !tile.frag<4xf32> -> !tile.frag<2x4xf32>
  return
}
