// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --cse | sed '/func.func/,/^  }$/d' | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-run-kernels="targets=sm_80" -o /dev/null | FileCheck %s --check-prefix=VALUES
// NOTE: checks by tools/update-lit-checks
// Tile programs of casts and composite functions.

// f32 to bytes: truncated and saturated.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i8>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[ARG_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<64xf32> -> !tile.frag<64xi8> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant 1.280000e+02 : f32
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant -1.280000e+02 : f32
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ole, %[[CST_0]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[CMPF_2:[^ ,:)]+]] = arith.cmpf olt, %[[ARG_5]], %[[CST_1]] : f32
// CHECK-NEXT: %[[CMPF_3:[^ ,:)]+]] = arith.cmpf uno, %[[ARG_5]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[ORI:[^ ,:)]+]] = arith.ori %[[CMPF]], %[[CMPF_2]] : i1
// CHECK-NEXT: %[[ORI_2:[^ ,:)]+]] = arith.ori %[[ORI]], %[[CMPF_3]] : i1
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ORI_2]], %[[CST]], %[[ARG_5]] : f32
// CHECK-NEXT: %[[FPTOSI:[^ ,:)]+]] = arith.fptosi %[[SELECT]] : f32 to i32
// CHECK-NEXT: %[[TRUNCI:[^ ,:)]+]] = arith.trunci %[[FPTOSI]] : i32 to i8
// CHECK-NEXT: %[[C_128_I8:[^ ,:)]+]] = arith.constant -128 : i8
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 127 : i8
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[CMPF_2]], %[[C_128_I8]], %[[TRUNCI]] : i8
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = arith.select %[[CMPF]], %[[CONSTANT_4]], %[[SELECT_2]] : i8
// CHECK-NEXT: tile.yield %[[SELECT_3]] : i8
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <i8> -> <?xi8, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]]] masked [0] : !tile.frag<64xi8>, <?xi8, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 48 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 48 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 48 elements equal
// VALUES-LABEL: func.func @main
// VALUES-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 48 elements equal
func.func @main(%a0: tensor<48xf32>) -> tensor<48xi8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<48xf32>) -> tensor<48xi8> {
    %1 = graph.cast %a : (tensor<48xf32>) -> tensor<48xi8>
    graph.yield %1 : tensor<48xi8>
  }
  return %k : tensor<48xi8>
}

// -----

// Bytes without a sign to f16.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<i8>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[ARG_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <i8> -> <?xi8, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : i8
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] pad %[[CONSTANT_4]] : i8 masked [0] : <?xi8, [1]> -> !tile.frag<64xi8>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<64xi8> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: i8):
// CHECK-NEXT: %[[UITOFP:[^ ,:)]+]] = arith.uitofp %[[ARG_5]] : i8 to f32
// CHECK-NEXT: tile.yield %[[UITOFP]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[MAP]] : <64xf32> -> <64xf16>
// CHECK-NEXT: %[[CONVERT_2:[^ ,:)]+]] = tile.convert %[[CONVERT]] : <64xf16> -> <64xf32>
// CHECK-NEXT: %[[CONVERT_3:[^ ,:)]+]] = tile.convert %[[CONVERT_2]] : <64xf32> -> <64xf16>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <f16> -> <?xf16, [1]>
// CHECK-NEXT: tile.store %[[CONVERT_3]], %[[VIEW_2]][%[[CONSTANT]]] masked [0] : !tile.frag<64xf16>, <?xf16, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<48xui8>) -> tensor<48xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<48xui8>) -> tensor<48xf16> {
    %1 = graph.cast %a : (tensor<48xui8>) -> tensor<48xf16>
    graph.yield %1 : tensor<48xf16>
  }
  return %k : tensor<48xf16>
}

// -----

// A remainder with the sign of the divisor.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<i32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<i32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <i32> -> <1xi32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <1xi32, [1]> -> i32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_5:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[ARG_5]] : index
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_5]] sizes(%[[SUBI]]) strides() : <i32> -> <?xi32, [1]>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]]] pad %[[CONSTANT_4]] : i32 masked [0] : <?xi32, [1]> -> !tile.frag<64xi32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD_2]] : !tile.frag<64xi32> -> !tile.frag<64xi32> {
// CHECK-NEXT: ^bb0(%[[ARG_6:[^ ,:)]+]]: i32):
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 3 : i32
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[ARG_6]], %[[CONSTANT_5]] : i32
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[LOAD]], %[[CONSTANT_5]] : i32
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi eq, %[[ADDI]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[C_2147483648_I32:[^ ,:)]+]] = arith.constant -2147483648 : i32
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi eq, %[[SUBI_2]], %[[C_2147483648_I32]] : i32
// CHECK-NEXT: %[[C_1_I32:[^ ,:)]+]] = arith.constant -1 : i32
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi eq, %[[ADDI]], %[[C_1_I32]] : i32
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[CMPI_2]], %[[CMPI_3]] : i1
// CHECK-NEXT: %[[ORI:[^ ,:)]+]] = arith.ori %[[CMPI]], %[[ANDI]] : i1
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 1 : i32
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ORI]], %[[CONSTANT_6]], %[[ADDI]] : i32
// CHECK-NEXT: %[[REMSI:[^ ,:)]+]] = arith.remsi %[[SUBI_2]], %[[SELECT]] : i32
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi slt, %[[REMSI]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[CMPI_5:[^ ,:)]+]] = arith.cmpi slt, %[[ADDI]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[XORI:[^ ,:)]+]] = arith.xori %[[CMPI_4]], %[[CMPI_5]] : i1
// CHECK-NEXT: %[[CMPI_6:[^ ,:)]+]] = arith.cmpi ne, %[[REMSI]], %[[CONSTANT_4]] : i32
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[CMPI_6]], %[[XORI]] : i1
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[REMSI]], %[[ADDI]] : i32
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[ANDI_2]], %[[ADDI_2]], %[[REMSI]] : i32
// CHECK-NEXT: tile.yield %[[SELECT_2]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[ARG_5]] sizes(%[[SUBI]]) strides() : <i32> -> <?xi32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_3]][%[[CONSTANT]]] masked [0] : !tile.frag<64xi32>, <?xi32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<48xi32>, %b0: tensor<1xi32>) -> tensor<48xi32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<48xi32>, tensor<1xi32>) -> tensor<48xi32> {
    %1 = graph.fill 3 : i32 : tensor<1xi32>
    %2 = graph.binary sub %a, %1 : (tensor<48xi32>, tensor<1xi32>) -> tensor<48xi32>
    %3 = graph.fill 3 : i32 : tensor<1xi32>
    %4 = graph.binary add %b, %3 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %5 = graph.binary mod %2, %4 : (tensor<48xi32>, tensor<1xi32>) -> tensor<48xi32>
    graph.yield %5 : tensor<48xi32>
  }
  return %k : tensor<48xi32>
}

// -----

// softplus: the larger of x and 0, and log1p of what is small.
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @pointwise_0(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {config = #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>, grid = #map, hero = "pointwise", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 48 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT]] to %[[CONSTANT_2]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[ARG_4]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] pad %[[CST]] : f32 masked [0] : <?xf32, [1]> -> !tile.frag<64xf32>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<64xf32> -> !tile.frag<64xf32> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[ABSF:[^ ,:)]+]] = math.absf %[[ARG_5]] : f32
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ABSF]] : f32
// CHECK-NEXT: %[[EXP:[^ ,:)]+]] = math.exp %[[NEGF]] : f32
// CHECK-NEXT: %[[MAXIMUMF:[^ ,:)]+]] = arith.maximumf %[[ARG_5]], %[[CST]] : f32
// CHECK-NEXT: %[[LOG1P:[^ ,:)]+]] = math.log1p %[[EXP]] : f32
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[MAXIMUMF]], %[[LOG1P]] : f32
// CHECK-NEXT: tile.yield %[[ADDF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[ARG_4]] sizes(%[[SUBI]]) strides() : <f32> -> <?xf32, [1]>
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]]] masked [0] : !tile.frag<64xf32>, <?xf32, [1]>
// CHECK-NEXT: } {tile.team = 16 : i64}
func.func @main(%a0: tensor<48xf32>) -> tensor<48xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<48xf32>) -> tensor<48xf32> {
    %1 = graph.unary softplus %a : (tensor<48xf32>) -> tensor<48xf32>
    graph.yield %1 : tensor<48xf32>
  }
  return %k : tensor<48xf32>
}
