//===- layer_norm.cpp - Normalisation of rows
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"
#include "test/sim/cuda/host/program.h"

namespace kiln::sim::programs {

void run_layer_norm(Test &test) {
  constexpr float Epsilon = 1e-5f;
  for (auto [rows, columns] : {std::pair{1, 8}, {3, 40}, {5, 768}, {2, 1024}}) {
    auto values = test.reals<double>(rows * columns, -3, 5);
    auto gain = test.reals<float>(columns, 0, 2),
         shift = test.reals<float>(columns, -1, 1);
    std::vector<uint16_t> codes;
    for (double &value : values) {
      codes.push_back(uint16_t(Half.encode(value, false)));
      value = Half.decode(codes.back());
    }
    Buffer<uint16_t> in(codes), out(codes.size());
    Buffer<float> deviceGain(gain), deviceShift(shift);
    test.kernel("layer_norm")({.grid = {uint32_t(rows)}, .block = {64}}, in, deviceGain,
                              deviceShift, out, columns, Epsilon);
    std::vector<double> want, got;
    for (int row = 0; row < rows; ++row) {
      double mean = 0, squares = 0;
      for (int i = 0; i < columns; ++i)
        mean += values[row * columns + i] / columns;
      for (int i = 0; i < columns; ++i)
        squares += std::pow(values[row * columns + i] - mean, 2) / columns;
      for (int i = 0; i < columns; ++i)
        want.push_back((values[row * columns + i] - mean) / std::sqrt(squares + Epsilon) *
                           gain[i] +
                       shift[i]);
    }
    for (uint16_t code : out.download())
      got.push_back(Half.decode(code));
    test.near(got, want, 1e-5, 0x1p-10, "layer_norm");
  }
}

} // namespace kiln::sim::programs
