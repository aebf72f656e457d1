//===- Prices.h - What devices cost -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_PRICES_H
#define KILN_ESTIMATE_PRICES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <optional>
#include <string>

namespace kiln::estimate {

/// Price of an hour of each device, by the device's name. Kiln ships no prices.
struct Prices {
  std::string currency;
  std::map<std::string, double> perHour;

  /// Reads {"currency": "USD", "device_hour": {"L4 24GB": 0.7}}. Errors: KILN-E0001.
  static llvm::Expected<Prices> parse(llvm::StringRef text, llvm::StringRef place);
  /// The price of a device; an error that names the devices that have one.
  llvm::Expected<double> of(llvm::StringRef device, llvm::StringRef place) const;
};

/// The cost of a million tokens on so many devices.
inline double perMillionTokens(double pricePerHour, double devices, double seconds,
                               double tokens) {
  return tokens > 0 ? pricePerHour / 3600 * devices * seconds / tokens * 1e6 : 0;
}

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_PRICES_H
