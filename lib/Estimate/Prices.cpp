//===- Prices.cpp - What devices cost -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Prices.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::estimate;
using namespace llvm;

static Error priceError(StringRef place, const Twine &what, const Twine &expected,
                        const Twine &found) {
  return makeError({ErrorCode::BadUsage, place.str(), what.str(), expected.str(),
                    found.str(), "docs/guides/estimate.md describes the file"});
}

static std::string printed(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

Expected<Prices> Prices::parse(StringRef text, StringRef place) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return priceError(place, "is not JSON", "an object", toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return priceError(place, "has no prices", "an object", printed(*value));
  for (const auto &[key, field] : *object)
    if (!is_contained({"currency", "device_hour"}, StringRef(key)))
      return priceError(place, "field '" + StringRef(key) + "' is unknown",
                        "currency and device_hour", "'" + StringRef(key) + "'");
  std::optional<StringRef> currency = object->getString("currency");
  const json::Object *devices = object->getObject("device_hour");
  if (!currency || currency->empty())
    return priceError(place, "field 'currency' is no text", "a text such as USD",
                      "another type, or none");
  if (!devices || devices->empty())
    return priceError(place, "field 'device_hour' is no object with prices",
                      "the price of an hour by the name of the device",
                      "another type, or none");
  Prices prices;
  prices.currency = currency->str();
  for (const auto &[name, price] : *devices) {
    std::optional<double> number = price.getAsNumber();
    if (!number || !(*number >= 0))
      return priceError(place, "the price of '" + StringRef(name) + "' is no price",
                        "a number of 0 or more", printed(price));
    prices.perHour[StringRef(name).str()] = *number;
  }
  return prices;
}

Expected<double> Prices::of(StringRef device, StringRef place) const {
  auto it = perHour.find(device.str());
  if (it != perHour.end())
    return it->second;
  auto name = [](const auto &pair) { return pair.first; };
  return priceError(place, "has no price of '" + device + "'",
                    "'" + device + "' in device_hour",
                    join(map_range(perHour, name), ", "));
}
