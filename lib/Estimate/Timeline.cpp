//===- Timeline.cpp - Traces for Chrome and Perfetto ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Simulator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

using namespace kiln::estimate;
using namespace llvm;

/// Returns process 1 ("ranks") for tracks "rank 3" and "rank 3 collectives", else 2
/// ("links").
static int64_t processOf(StringRef track) {
  return track.count(' ') == 1 || track.ends_with(" collectives") ? 1 : 2;
}

static void writeName(json::OStream &json, StringRef what, StringRef name,
                      int64_t process, std::optional<int64_t> thread) {
  json.object([&] {
    json.attribute("name", what);
    json.attribute("ph", "M");
    json.attribute("pid", process);
    if (thread)
      json.attribute("tid", *thread);
    json.attributeObject("args", [&] { json.attribute("name", name); });
  });
}

static void writeSpan(json::OStream &json, const Span &span, StringRef program,
                      StringRef track, double offset) {
  json.object([&] {
    json.attribute("name", json::fixUTF8(span.name));
    json.attribute("cat", program);
    json.attribute("ph", "X");
    json.attribute("pid", processOf(track));
    json.attribute("tid", int64_t(span.track));
    // Chrome traces are in microseconds.
    json.attribute("ts", (offset + span.begin) * 1e6);
    json.attribute("dur", (span.end - span.begin) * 1e6);
  });
}

void kiln::estimate::writeTrace(raw_ostream &os,
                                ArrayRef<std::pair<std::string, Timeline>> timelines) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("displayTimeUnit", "ms");
    json.attributeArray("traceEvents", [&] {
      writeName(json, "process_name", "ranks", 1, std::nullopt);
      writeName(json, "process_name", "links", 2, std::nullopt);
      if (!timelines.empty())
        for (auto [i, track] : enumerate(timelines.front().second.tracks))
          writeName(json, "thread_name", track, processOf(track), int64_t(i));
      double offset = 0;
      for (const auto &[program, timeline] : timelines) {
        for (const Span &span : timeline.spans)
          writeSpan(json, span, program, timeline.tracks[span.track], offset);
        offset += timeline.seconds;
      }
    });
  });
  os << '\n';
}
