//===- Prices.cpp - Prices of devices -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Prices.h"
#include "Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kiln;
using namespace kiln::estimate;
using namespace llvm;

Expected<Prices> Prices::parse(StringRef text, StringRef place) {
  Expected<json::Object> object = parseObject(text, place, "has no prices");
  if (!object)
    return object.takeError();
  Prices prices;
  Fields fields(place, "", *object);
  prices.currency = fields.text("currency");
  const json::Object *devices = fields.child("device_hour", true);
  if (Error error = fields.finish())
    return std::move(error);
  if (devices->empty())
    return fileError(place, "field 'device_hour' has no prices",
                     "the price of an hour by the name of the device", "none");
  for (const auto &[name, price] : *devices) {
    std::optional<double> number = price.getAsNumber();
    if (!number || !(*number >= 0))
      return fileError(place, "the price of '" + StringRef(name) + "' is no price",
                       "a number of 0 or more", formatv("{0}", price));
    prices.perHour[StringRef(name).str()] = *number;
  }
  return prices;
}

Expected<double> Prices::of(StringRef device, StringRef place) const {
  auto it = perHour.find(device.str());
  if (it != perHour.end())
    return it->second;
  auto name = [](const auto &pair) { return pair.first; };
  return fileError(place, "has no price of '" + device + "'",
                   "'" + device + "' in device_hour",
                   join(map_range(perHour, name), ", "));
}
