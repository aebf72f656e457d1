//===- Prices.h - Prices of devices -----------------------------*- C++ -*-===//
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

/// Price per hour of each device, by the device's name. Kiln ships no prices.
struct Prices {
  std::string currency;
  std::map<std::string, double> perHour;

  /// Reads {"currency": "USD", "device_hour": {"L4 24GB": 0.7}}. Errors: KILN-E0001.
  static llvm::Expected<Prices> parse(llvm::StringRef text, llvm::StringRef place);
  /// Returns the price of a device; the error lists the devices that have one.
  llvm::Expected<double> of(llvm::StringRef device, llvm::StringRef place) const;
};

/// Cost of a million tokens on `devices` devices that process `tokens` in `seconds`.
inline double perMillionTokens(double pricePerHour, double devices, double seconds,
                               double tokens) {
  return tokens > 0 ? pricePerHour / 3600 * devices * seconds / tokens * 1e6 : 0;
}

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_PRICES_H
