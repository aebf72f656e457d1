// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Casts that lose nothing, and casts that do.
// NOTE: checks by tools/update-lit-checks

// Widened and narrowed again: nothing.
// CHECK-LABEL: func.func @undone(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xbf16>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xf16>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2xf32>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2xi8>,
// CHECK-SAME: %[[ARG_6:[^ ,:)]+]]: tensor<2xi8>,
// CHECK-SAME: %[[ARG_7:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_8:[^ ,:)]+]]: tensor<2xui8>,
// CHECK-SAME: %[[ARG_9:[^ ,:)]+]]: tensor<2xui8>,
// CHECK-SAME: %[[ARG_10:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>, tensor<2xf32>) {
// CHECK-NEXT: return %[[ARG]], %[[ARG_2]], %[[ARG_3]], %[[ARG_4]], %[[ARG_5]], %[[ARG_6]], %[[ARG_7]], %[[ARG_8]], %[[ARG_9]], %[[ARG_10]] : tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>, tensor<2xf32>
// VALUES-LABEL: func.func @undone
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
// VALUES-NEXT: #1 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>
// VALUES-NEXT: #2 = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf16>
// VALUES-NEXT: #3 = dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #4 = dense<[4, 5]> : tensor<2xi8>
// VALUES-NEXT: #5 = dense<[5, 6]> : tensor<2xi8>
// VALUES-NEXT: #6 = dense<[6, 7]> : tensor<2xi32>
// VALUES-NEXT: #7 = dense<[7, 8]> : tensor<2xui8>
// VALUES-NEXT: #8 = dense<[8, 9]> : tensor<2xui8>
// VALUES-NEXT: #9 = dense<[9.000000e+00, 1.000000e+01]> : tensor<2xf32>
func.func @undone(%x0: tensor<2xf16>, %x1: tensor<2xbf16>, %x2: tensor<2xf16>, %x3: tensor<2xf32>, %x4: tensor<2xi8>, %x5: tensor<2xi8>, %x6: tensor<2xi32>, %x7: tensor<2xui8>, %x8: tensor<2xui8>, %x9: tensor<2xf32>)
    -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>, tensor<2xf32>) {
  %0 = graph.cast %x0 : (tensor<2xf16>) -> tensor<2xf32>
  %1 = graph.cast %0 : (tensor<2xf32>) -> tensor<2xf16>
  %2 = graph.cast %x1 : (tensor<2xbf16>) -> tensor<2xf32>
  %3 = graph.cast %2 : (tensor<2xf32>) -> tensor<2xbf16>
  %4 = graph.cast %x2 : (tensor<2xf16>) -> tensor<2xf64>
  %5 = graph.cast %4 : (tensor<2xf64>) -> tensor<2xf16>
  %6 = graph.cast %x3 : (tensor<2xf32>) -> tensor<2xf64>
  %7 = graph.cast %6 : (tensor<2xf64>) -> tensor<2xf32>
  %8 = graph.cast %x4 : (tensor<2xi8>) -> tensor<2xi16>
  %9 = graph.cast %8 : (tensor<2xi16>) -> tensor<2xi8>
  %10 = graph.cast %x5 : (tensor<2xi8>) -> tensor<2xi64>
  %11 = graph.cast %10 : (tensor<2xi64>) -> tensor<2xi8>
  %12 = graph.cast %x6 : (tensor<2xi32>) -> tensor<2xi64>
  %13 = graph.cast %12 : (tensor<2xi64>) -> tensor<2xi32>
  %14 = graph.cast %x7 : (tensor<2xui8>) -> tensor<2xui16>
  %15 = graph.cast %14 : (tensor<2xui16>) -> tensor<2xui8>
  %16 = graph.cast %x8 : (tensor<2xui8>) -> tensor<2xui32>
  %17 = graph.cast %16 : (tensor<2xui32>) -> tensor<2xui8>
  %18 = graph.cast %x9 : (tensor<2xf32>) -> tensor<2xf32>
  %19 = graph.cast %18 : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %3, %5, %7, %9, %11, %13, %15, %17, %19 : tensor<2xf16>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xi8>, tensor<2xi8>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>, tensor<2xf32>
}

// Widened, then to a third type: one cast.
// CHECK-LABEL: func.func @shortened(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xbf16>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xf16>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2xi8>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2xi16>,
// CHECK-SAME: %[[ARG_6:[^ ,:)]+]]: tensor<2xui8>,
// CHECK-SAME: %[[ARG_7:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_8:[^ ,:)]+]]: tensor<2xi64>
// CHECK-SAME: ) -> (tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xi64>, tensor<2xf32>, tensor<2xui64>, tensor<2xi1>, tensor<2xi8>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2xf16>) -> tensor<2xf64>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<2xbf16>) -> tensor<2xf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ARG_3]] : (tensor<2xf16>) -> tensor<2xi32>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[ARG_4]] : (tensor<2xi8>) -> tensor<2xi64>
// CHECK-NEXT: %[[CAST_5:[^ ,:)]+]] = graph.cast %[[ARG_5]] : (tensor<2xi16>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_6:[^ ,:)]+]] = graph.cast %[[ARG_6]] : (tensor<2xui8>) -> tensor<2xui64>
// CHECK-NEXT: %[[CAST_7:[^ ,:)]+]] = graph.cast %[[ARG_7]] : (tensor<2xi32>) -> tensor<2xi1>
// CHECK-NEXT: %[[CAST_8:[^ ,:)]+]] = graph.cast %[[ARG_8]] : (tensor<2xi64>) -> tensor<2xi8>
// CHECK-NEXT: return %[[CAST]], %[[CAST_2]], %[[CAST_3]], %[[CAST_4]], %[[CAST_5]], %[[CAST_6]], %[[CAST_7]], %[[CAST_8]] : tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xi64>, tensor<2xf32>, tensor<2xui64>, tensor<2xi1>, tensor<2xi8>
// VALUES-LABEL: func.func @shortened
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>
// VALUES-NEXT: #1 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>
// VALUES-NEXT: #2 = dense<[2, 3]> : tensor<2xi32>
// VALUES-NEXT: #3 = dense<[3, 4]> : tensor<2xi64>
// VALUES-NEXT: #4 = dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #5 = dense<[5, 6]> : tensor<2xui64>
// VALUES-NEXT: #6 = dense<true> : tensor<2xi1>
// VALUES-NEXT: #7 = dense<[7, 8]> : tensor<2xi8>
func.func @shortened(%x0: tensor<2xf16>, %x1: tensor<2xbf16>, %x2: tensor<2xf16>, %x3: tensor<2xi8>, %x4: tensor<2xi16>, %x5: tensor<2xui8>, %x6: tensor<2xi32>, %x7: tensor<2xi64>)
    -> (tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xi64>, tensor<2xf32>, tensor<2xui64>, tensor<2xi1>, tensor<2xi8>) {
  %0 = graph.cast %x0 : (tensor<2xf16>) -> tensor<2xf32>
  %1 = graph.cast %0 : (tensor<2xf32>) -> tensor<2xf64>
  %2 = graph.cast %x1 : (tensor<2xbf16>) -> tensor<2xf32>
  %3 = graph.cast %2 : (tensor<2xf32>) -> tensor<2xf16>
  %4 = graph.cast %x2 : (tensor<2xf16>) -> tensor<2xf32>
  %5 = graph.cast %4 : (tensor<2xf32>) -> tensor<2xi32>
  %6 = graph.cast %x3 : (tensor<2xi8>) -> tensor<2xi32>
  %7 = graph.cast %6 : (tensor<2xi32>) -> tensor<2xi64>
  %8 = graph.cast %x4 : (tensor<2xi16>) -> tensor<2xi64>
  %9 = graph.cast %8 : (tensor<2xi64>) -> tensor<2xf32>
  %10 = graph.cast %x5 : (tensor<2xui8>) -> tensor<2xui32>
  %11 = graph.cast %10 : (tensor<2xui32>) -> tensor<2xui64>
  %12 = graph.cast %x6 : (tensor<2xi32>) -> tensor<2xi64>
  %13 = graph.cast %12 : (tensor<2xi64>) -> tensor<2xi1>
  %14 = graph.cast %x7 : (tensor<2xi64>) -> tensor<2xi64>
  %15 = graph.cast %14 : (tensor<2xi64>) -> tensor<2xi8>
  return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<2xf64>, tensor<2xf16>, tensor<2xi32>, tensor<2xi64>, tensor<2xf32>, tensor<2xui64>, tensor<2xi1>, tensor<2xi8>
}

// What the first cast loses stays lost.
// CHECK-LABEL: func.func @narrowed_first(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xf64>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xf32>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2xi64>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_6:[^ ,:)]+]]: tensor<2xui16>
// CHECK-SAME: ) -> (tensor<2xf32>, tensor<2xf64>, tensor<2xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xui16>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2xf32>) -> tensor<2xf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[CAST]] : (tensor<2xf16>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<2xf64>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[CAST_3]] : (tensor<2xf32>) -> tensor<2xf64>
// CHECK-NEXT: %[[CAST_5:[^ ,:)]+]] = graph.cast %[[ARG_3]] : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: %[[CAST_6:[^ ,:)]+]] = graph.cast %[[CAST_5]] : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_7:[^ ,:)]+]] = graph.cast %[[ARG_4]] : (tensor<2xi64>) -> tensor<2xi8>
// CHECK-NEXT: %[[CAST_8:[^ ,:)]+]] = graph.cast %[[CAST_7]] : (tensor<2xi8>) -> tensor<2xi64>
// CHECK-NEXT: %[[CAST_9:[^ ,:)]+]] = graph.cast %[[ARG_5]] : (tensor<2xi32>) -> tensor<2xi16>
// CHECK-NEXT: %[[CAST_10:[^ ,:)]+]] = graph.cast %[[CAST_9]] : (tensor<2xi16>) -> tensor<2xi32>
// CHECK-NEXT: %[[CAST_11:[^ ,:)]+]] = graph.cast %[[ARG_6]] : (tensor<2xui16>) -> tensor<2xui8>
// CHECK-NEXT: %[[CAST_12:[^ ,:)]+]] = graph.cast %[[CAST_11]] : (tensor<2xui8>) -> tensor<2xui16>
// CHECK-NEXT: return %[[CAST_2]], %[[CAST_4]], %[[CAST_6]], %[[CAST_8]], %[[CAST_10]], %[[CAST_12]] : tensor<2xf32>, tensor<2xf64>, tensor<2xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xui16>
// VALUES-LABEL: func.func @narrowed_first
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #1 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
// VALUES-NEXT: #2 = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #3 = dense<[3, 4]> : tensor<2xi64>
// VALUES-NEXT: #4 = dense<[4, 5]> : tensor<2xi32>
// VALUES-NEXT: #5 = dense<[5, 6]> : tensor<2xui16>
func.func @narrowed_first(%x0: tensor<2xf32>, %x1: tensor<2xf64>, %x2: tensor<2xf32>, %x3: tensor<2xi64>, %x4: tensor<2xi32>, %x5: tensor<2xui16>)
    -> (tensor<2xf32>, tensor<2xf64>, tensor<2xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xui16>) {
  %0 = graph.cast %x0 : (tensor<2xf32>) -> tensor<2xf16>
  %1 = graph.cast %0 : (tensor<2xf16>) -> tensor<2xf32>
  %2 = graph.cast %x1 : (tensor<2xf64>) -> tensor<2xf32>
  %3 = graph.cast %2 : (tensor<2xf32>) -> tensor<2xf64>
  %4 = graph.cast %x2 : (tensor<2xf32>) -> tensor<2xbf16>
  %5 = graph.cast %4 : (tensor<2xbf16>) -> tensor<2xf32>
  %6 = graph.cast %x3 : (tensor<2xi64>) -> tensor<2xi8>
  %7 = graph.cast %6 : (tensor<2xi8>) -> tensor<2xi64>
  %8 = graph.cast %x4 : (tensor<2xi32>) -> tensor<2xi16>
  %9 = graph.cast %8 : (tensor<2xi16>) -> tensor<2xi32>
  %10 = graph.cast %x5 : (tensor<2xui16>) -> tensor<2xui8>
  %11 = graph.cast %10 : (tensor<2xui8>) -> tensor<2xui16>
  return %1, %3, %5, %7, %9, %11 : tensor<2xf32>, tensor<2xf64>, tensor<2xf32>, tensor<2xi64>, tensor<2xi32>, tensor<2xui16>
}

// f16 and bf16 hold each other's numbers in part; signs change the meaning of bits.
// CHECK-LABEL: func.func @same_width(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xbf16>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xi8>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2xui8>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2xi8>,
// CHECK-SAME: %[[ARG_6:[^ ,:)]+]]: tensor<2xui8>
// CHECK-SAME: ) -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xui32>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2xf16>) -> tensor<2xbf16>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[CAST]] : (tensor<2xbf16>) -> tensor<2xf16>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<2xbf16>) -> tensor<2xf16>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[CAST_3]] : (tensor<2xf16>) -> tensor<2xbf16>
// CHECK-NEXT: %[[CAST_5:[^ ,:)]+]] = graph.cast %[[ARG_3]] : (tensor<2xi8>) -> tensor<2xui8>
// CHECK-NEXT: %[[CAST_6:[^ ,:)]+]] = graph.cast %[[CAST_5]] : (tensor<2xui8>) -> tensor<2xi8>
// CHECK-NEXT: %[[CAST_7:[^ ,:)]+]] = graph.cast %[[ARG_4]] : (tensor<2xui8>) -> tensor<2xi8>
// CHECK-NEXT: %[[CAST_8:[^ ,:)]+]] = graph.cast %[[CAST_7]] : (tensor<2xi8>) -> tensor<2xi16>
// CHECK-NEXT: %[[CAST_9:[^ ,:)]+]] = graph.cast %[[ARG_5]] : (tensor<2xi8>) -> tensor<2xui16>
// CHECK-NEXT: %[[CAST_10:[^ ,:)]+]] = graph.cast %[[CAST_9]] : (tensor<2xui16>) -> tensor<2xi32>
// CHECK-NEXT: %[[CAST_11:[^ ,:)]+]] = graph.cast %[[ARG_6]] : (tensor<2xui8>) -> tensor<2xi16>
// CHECK-NEXT: %[[CAST_12:[^ ,:)]+]] = graph.cast %[[CAST_11]] : (tensor<2xi16>) -> tensor<2xui32>
// CHECK-NEXT: return %[[CAST_2]], %[[CAST_4]], %[[CAST_6]], %[[CAST_8]], %[[CAST_10]], %[[CAST_12]] : tensor<2xf16>, tensor<2xbf16>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xui32>
// VALUES-LABEL: func.func @same_width
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
// VALUES-NEXT: #1 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>
// VALUES-NEXT: #2 = dense<[2, 3]> : tensor<2xi8>
// VALUES-NEXT: #3 = dense<[3, 4]> : tensor<2xi16>
// VALUES-NEXT: #4 = dense<[4, 5]> : tensor<2xi32>
// VALUES-NEXT: #5 = dense<[5, 6]> : tensor<2xui32>
func.func @same_width(%x0: tensor<2xf16>, %x1: tensor<2xbf16>, %x2: tensor<2xi8>, %x3: tensor<2xui8>, %x4: tensor<2xi8>, %x5: tensor<2xui8>)
    -> (tensor<2xf16>, tensor<2xbf16>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xui32>) {
  %0 = graph.cast %x0 : (tensor<2xf16>) -> tensor<2xbf16>
  %1 = graph.cast %0 : (tensor<2xbf16>) -> tensor<2xf16>
  %2 = graph.cast %x1 : (tensor<2xbf16>) -> tensor<2xf16>
  %3 = graph.cast %2 : (tensor<2xf16>) -> tensor<2xbf16>
  %4 = graph.cast %x2 : (tensor<2xi8>) -> tensor<2xui8>
  %5 = graph.cast %4 : (tensor<2xui8>) -> tensor<2xi8>
  %6 = graph.cast %x3 : (tensor<2xui8>) -> tensor<2xi8>
  %7 = graph.cast %6 : (tensor<2xi8>) -> tensor<2xi16>
  %8 = graph.cast %x4 : (tensor<2xi8>) -> tensor<2xui16>
  %9 = graph.cast %8 : (tensor<2xui16>) -> tensor<2xi32>
  %10 = graph.cast %x5 : (tensor<2xui8>) -> tensor<2xi16>
  %11 = graph.cast %10 : (tensor<2xi16>) -> tensor<2xui32>
  return %1, %3, %5, %7, %9, %11 : tensor<2xf16>, tensor<2xbf16>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xui32>
}

// Through another kind of numbers, and from booleans, both casts stay.
// CHECK-LABEL: func.func @kinds(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<2xf32>,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: tensor<2xi1>,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: tensor<2xi1>,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2xi32>) -> tensor<2xf64>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[CAST]] : (tensor<2xf64>) -> tensor<2xi32>
// CHECK-NEXT: %[[CAST_3:[^ ,:)]+]] = graph.cast %[[ARG_2]] : (tensor<2xf32>) -> tensor<2xi64>
// CHECK-NEXT: %[[CAST_4:[^ ,:)]+]] = graph.cast %[[CAST_3]] : (tensor<2xi64>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_5:[^ ,:)]+]] = graph.cast %[[ARG_3]] : (tensor<2xi1>) -> tensor<2xi32>
// CHECK-NEXT: %[[CAST_6:[^ ,:)]+]] = graph.cast %[[CAST_5]] : (tensor<2xi32>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_7:[^ ,:)]+]] = graph.cast %[[ARG_4]] : (tensor<2xi1>) -> tensor<2xf32>
// CHECK-NEXT: %[[CAST_8:[^ ,:)]+]] = graph.cast %[[CAST_7]] : (tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: %[[CAST_9:[^ ,:)]+]] = graph.cast %[[ARG_5]] : (tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: %[[CAST_10:[^ ,:)]+]] = graph.cast %[[CAST_9]] : (tensor<2xi1>) -> tensor<2xf32>
// CHECK-NEXT: return %[[CAST_2]], %[[CAST_4]], %[[CAST_6]], %[[CAST_8]], %[[CAST_10]] : tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>
// VALUES-LABEL: func.func @kinds
// VALUES-NEXT: #0 = dense<[0, 1]> : tensor<2xi32>
// VALUES-NEXT: #1 = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #2 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #3 = dense<[true, false]> : tensor<2xi1>
// VALUES-NEXT: #4 = dense<1.000000e+00> : tensor<2xf32>
func.func @kinds(%x0: tensor<2xi32>, %x1: tensor<2xf32>, %x2: tensor<2xi1>, %x3: tensor<2xi1>, %x4: tensor<2xf32>)
    -> (tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>) {
  %0 = graph.cast %x0 : (tensor<2xi32>) -> tensor<2xf64>
  %1 = graph.cast %0 : (tensor<2xf64>) -> tensor<2xi32>
  %2 = graph.cast %x1 : (tensor<2xf32>) -> tensor<2xi64>
  %3 = graph.cast %2 : (tensor<2xi64>) -> tensor<2xf32>
  %4 = graph.cast %x2 : (tensor<2xi1>) -> tensor<2xi32>
  %5 = graph.cast %4 : (tensor<2xi32>) -> tensor<2xf32>
  %6 = graph.cast %x3 : (tensor<2xi1>) -> tensor<2xf32>
  %7 = graph.cast %6 : (tensor<2xf32>) -> tensor<2xi1>
  %8 = graph.cast %x4 : (tensor<2xf32>) -> tensor<2xi1>
  %9 = graph.cast %8 : (tensor<2xi1>) -> tensor<2xf32>
  return %1, %3, %5, %7, %9 : tensor<2xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xf32>
}

// A chain of three.
// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf16>
// CHECK-SAME: ) -> tensor<2xf16> {
// CHECK-NEXT: return %[[ARG]] : tensor<2xf16>
// VALUES-LABEL: func.func @three
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
func.func @three(%x0: tensor<2xf16>) -> tensor<2xf16> {
  %0 = graph.cast %x0 : (tensor<2xf16>) -> tensor<2xf32>
  %1 = graph.cast %0 : (tensor<2xf32>) -> tensor<2xf64>
  %2 = graph.cast %1 : (tensor<2xf64>) -> tensor<2xf16>
  return %2 : tensor<2xf16>
}

// The wide value is used elsewhere, too, and stays.
// CHECK-LABEL: func.func @still_used(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf16>
// CHECK-SAME: ) -> (tensor<2xf16>, tensor<2xf32>) {
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[ARG]] : (tensor<2xf16>) -> tensor<2xf32>
// CHECK-NEXT: return %[[ARG]], %[[CAST]] : tensor<2xf16>, tensor<2xf32>
// VALUES-LABEL: func.func @still_used
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
// VALUES-NEXT: #1 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
func.func @still_used(%x0: tensor<2xf16>) -> (tensor<2xf16>, tensor<2xf32>) {
  %0 = graph.cast %x0 : (tensor<2xf16>) -> tensor<2xf32>
  %1 = graph.cast %0 : (tensor<2xf32>) -> tensor<2xf16>
  return %1, %0 : tensor<2xf16>, tensor<2xf32>
}
