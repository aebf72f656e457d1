// Decisions of passes are attributes of the module: one line for each matmul, attention, norm and cache, in the order of the passes, also for
// those that stay as they are, with the reason. What samples say of matmuls is read from attributes, too.
// RUN: kiln-opt %s --kiln-shard=ranks=2 --kiln-lower-precision=precision=bf16 | FileCheck %s --check-prefixes=SHARD,LOWER
// RUN: kiln-opt %s --kiln-shard=ranks=2 --kiln-quantize-products="precision=fp8 activations=fp8 range=mse rules=/down=f32" | FileCheck %s --check-prefix=QUANTIZE
// RUN: kiln-opt %s --kiln-observe-products=elements=1 | FileCheck %s --check-prefix=OBSERVE
// RUN: kiln-opt %s --kiln-fuse-kernels --kiln-check-indices | FileCheck %s --check-prefix=INDICES
// RUN: sed -e 's/graph.activation_ranges = \[/graph.precision = 3 : i64, graph.activation_ranges = [/' %s | not kiln-opt 2>&1 | FileCheck %s --check-prefix=FORM

// LOWER: graph.precision = [
// LOWER-SAME: {became = "bf16", bytes_after = 2048 : i64, bytes_before = 4096 : i64, columns = 16 : i64, k = 64 : i64, node = "/up", op = "matmul", stored = {activations = "bf16", bits = 16 : i64, weight = "bf16"}, was = "f32", why = "sums in f32"}
// LOWER-SAME: node = "/down", op = "matmul"
// LOWER-SAME: {became = "f32", node = "/norm", op = "softmax", was = "f32", why = "norms, softmax and reductions are computed in f32"}
// SHARD-SAME: graph.ranks = 2 : i64
// SHARD-SAME: graph.sharding = [
// SHARD-SAME: {node = "/up", op = "matmul", split = "columns"}
// SHARD-SAME: {node = "/down", op = "matmul", split = "rows"}
// SHARD-SAME: {node = "/odd", op = "matmul", split = "replicated", why = "{{[^"]+}}"}

// QUANTIZE: graph.precision = [
// QUANTIZE-SAME: measured_as = "/up", node = "/up", op = "matmul", range = {limit = 3.500000e+00 : f64, saturated = 1 : i64, values = 1000 : i64}, stored = {activations = "fp8", bits = 8 : i64, scales = "f32", weight = "E4M3"}, was = "f32", why = "{{[^"]*}} with a static scale (mse) up to 3.5, which 0.1000 % of the samples exceed"}
// QUANTIZE-SAME: {became = "f32", columns = 64 : i64, k = 16 : i64, node = "/down", op = "matmul", was = "f32", why = "a rule of the precision policy says so"}
// QUANTIZE: graph.weight {{.*}} {file = "<calibration>", hash = "s", length = 4 : i64, offset = 0 : i64}

// OBSERVE: graph.observed = [{k = 64 : i64, nodes = ["/up"], output = "observed.0", rows = "8"}, {k = 32 : i64, nodes = ["/down"], rows = "8"}

// INDICES: graph.indices = {before_run = 1 : i64}

// FORM: carries graph.precision, which is for modules, and a list of dictionaries
module attributes {graph.activation_ranges = [{hash = "s", limit = 3.5 : f64, nodes = ["/up", "/other"], saturated = 1 : i64, values = 1000 : i64}]} {
  graph.weight @up : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @down : tensor<32x64xf32> {file = "w", hash = "1", length = 8192 : i64, offset = 8192 : i64}
  graph.weight @odd : tensor<64x3xf32> {file = "w", hash = "2", length = 768 : i64, offset = 16384 : i64}
  func.func @main(%x: tensor<8x64xf32> {graph.name = "x"}, %i: tensor<2xi64> {graph.name = "i"})
      -> (tensor<8x3xf32> {graph.name = "y"}, tensor<2x64xf32> {graph.name = "z"}) {
    %up = graph.get_weight @up : tensor<64x32xf32>
    %0 = graph.matmul %x, %up : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32> loc("/up")
    %1 = graph.unary relu %0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %down = graph.get_weight @down : tensor<32x64xf32>
    %2 = graph.matmul %1, %down : (tensor<8x32xf32>, tensor<32x64xf32>) -> tensor<8x64xf32> loc("/down")
    %3 = graph.softmax %2 axis 1 : (tensor<8x64xf32>) -> tensor<8x64xf32> loc("/norm")
    %odd = graph.get_weight @odd : tensor<64x3xf32>
    %4 = graph.matmul %3, %odd : (tensor<8x64xf32>, tensor<64x3xf32>) -> tensor<8x3xf32> loc("/odd")
    %5 = graph.gather %2, %i axis 0 : (tensor<8x64xf32>, tensor<2xi64>) -> tensor<2x64xf32>
    return %4, %5 : tensor<8x3xf32>, tensor<2x64xf32>
  }
}
