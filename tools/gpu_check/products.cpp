//===- products.cpp - The products of tensor cores ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/products.h"

using namespace kiln::gpucheck;

const Format kiln::gpucheck::F16{"f16", 16, 5, 10, 0, true, true};
const Format kiln::gpucheck::BF16{"bf16", 16, 8, 7, 0, true, true};
const Format kiln::gpucheck::TF32{"tf32", 32, 8, 10, 13, true, true};
const Format kiln::gpucheck::E4M3{"e4m3", 8, 4, 3, 0, false, true};
const Format kiln::gpucheck::E5M2{"e5m2", 8, 5, 2, 0, true, true};
const Format kiln::gpucheck::F32{"f32", 32, 8, 23, 0, true, true};
const Format kiln::gpucheck::S8{"s8", 8, 0, 0, 0, false, true};
const Format kiln::gpucheck::U8{"u8", 8, 0, 0, 0, false, false};
const Format kiln::gpucheck::S32{"s32", 32, 0, 0, 0, false, true};

const std::vector<Product> &kiln::gpucheck::products() {
  static const std::vector<Product> all = {
#define MMA(k, a, b, sum) {Unit::Mma, 16, 8, k, a, b, sum, false},
#define MMA_SATURATED(k, a, b, sum) {Unit::Mma, 16, 8, k, a, b, sum, true},
#define WGMMA(n, k, a, b, sum) {Unit::Wgmma, 64, n, k, a, b, sum, false},
#include "tools/gpu_check/products.def"
  };
  return all;
}

const Product *kiln::gpucheck::findProduct(const std::string &instruction) {
  for (const Product &product : products())
    if (product.instruction() == instruction)
      return &product;
  return nullptr;
}

std::string Product::instruction() const {
  std::string shape =
      "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  std::string types = "." + std::string(sum.name) + "." + a.name + "." + b.name;
  if (unit == Unit::Wgmma)
    return "wgmma.mma_async.sync.aligned." + shape + types;
  return "mma.sync.aligned." + shape + ".row.col" + (saturates ? ".satfinite" : "") +
         types + "." + sum.name;
}

const char *Product::target() const {
  bool small = a.bits == 8 && !a.isInteger();
  return unit == Unit::Wgmma ? "sm_90a" : small ? "sm_89" : "sm_80";
}

bool Product::runsOn(int capability) const {
  // Code for sm_90a runs only on that architecture, other code on all later ones.
  std::string name = target();
  return name == "sm_90a" ? capability == 90 : capability >= std::stoi(name.substr(3));
}
