//===- StampTable.cpp - Progress of ranks in collectives ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StampTable.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "kiln/stamps.hpp"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <map>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;
using rt::Stamp;
using rt::StampHeader;

namespace {
/// Contents of a rank's stamp file.
struct RankStamps {
  StampHeader header;
  std::map<uint64_t, Stamp> stamps; ///< by number of the collective
  uint64_t last() const { return stamps.empty() ? 0 : stamps.rbegin()->first; }
  uint64_t first() const { return stamps.empty() ? 0 : stamps.begin()->first; }
};
using AllStamps = std::map<uint32_t, RankStamps>;
} // namespace

static Error malformed(StringRef path, const Twine &expected, const Twine &found) {
  return makeError({ErrorCode::BadUsage, path.str(), "these are no stamps of collectives",
                    expected.str(), found.str(),
                    "give the folder that KILN_STAMPS named when the ranks ran"});
}

/// Indexed by CollectiveKind.
static constexpr StringRef kindNames[] = {"all_reduce", "all_gather", "reduce_scatter",
                                          "broadcast",  "all_to_all", "permute"};
static constexpr uint32_t maxRanks = 4096;

static Error readStamps(const std::string &path, AllStamps &all) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path, false, false);
  if (!file)
    return malformed(path, "a file that can be read", file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  RankStamps own;
  if (bytes.size() < sizeof own.header)
    return malformed(path, "a header", Twine(bytes.size()) + " bytes");
  std::memcpy(&own.header, bytes.data(), sizeof own.header);
  const StampHeader &header = own.header;
  if (std::memcmp(header.magic, rt::stampMagic, sizeof header.magic) != 0 ||
      header.version != rt::stampVersion)
    return malformed(path, "stamps of this version of Kiln", "other bytes");
  if (header.capacity != rt::stampCapacity || header.ranks > maxRanks ||
      header.rank >= header.ranks ||
      bytes.size() != sizeof header + rt::stampCapacity * sizeof(Stamp))
    return malformed(path, "a header that fits the file", "another one");
  for (uint32_t i = 0; i < header.capacity; ++i) {
    Stamp stamp;
    std::memcpy(&stamp, bytes.data() + sizeof header + i * sizeof stamp, sizeof stamp);
    if (stamp.number && stamp.number % header.capacity == i &&
        stamp.kind < std::size(kindNames))
      own.stamps[stamp.number] = stamp;
  }
  own.header.node[sizeof own.header.node - 1] = 0;
  uint32_t rank = header.rank;
  all[rank] = std::move(own);
  return Error::success();
}

static Expected<AllStamps> readFolder(StringRef folder) {
  AllStamps all;
  std::error_code error;
  for (sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (sys::path::extension(at->path()) == ".stamps")
      KILN_CHECK(readStamps(at->path(), all));
  if (error || all.empty())
    return malformed(folder, "a folder with rank-0.stamps and so on",
                     error ? error.message() : "no such file");
  return all;
}

/// Returns the state of a rank in collective `number`, for which another rank has a stamp
/// with `hash`: "done", "waits" (begun, not done), "missing" (not begun), "differs" (the
/// rank has begun another collective), "unknown" (its stamp was overwritten).
static StringRef stateOf(const RankStamps *rank, uint64_t number, uint64_t hash) {
  if (!rank)
    return "unknown";
  auto found = rank->stamps.find(number);
  if (found == rank->stamps.end())
    return number > rank->last() ? "missing" : "unknown";
  if (found->second.hash != hash)
    return "differs";
  return found->second.end ? "done" : "waits";
}

static json::Object collectiveJson(const AllStamps &all, uint32_t ranks,
                                   uint64_t number) {
  const Stamp *stamp = nullptr;
  for (const auto &[rank, own] : all)
    if (auto found = own.stamps.find(number); !stamp && found != own.stamps.end())
      stamp = &found->second;
  json::Array states;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    auto own = all.find(rank);
    states.push_back(
        stateOf(own == all.end() ? nullptr : &own->second, number, stamp->hash));
  }
  return json::Object{{"number", number},
                      {"step", stamp->step},
                      {"kind", kindNames[stamp->kind]},
                      {"bytes", stamp->bytes},
                      {"states", std::move(states)}};
}

Expected<json::Object> driver::stampTableJson(StringRef folder) {
  Expected<AllStamps> all = readFolder(folder);
  if (!all)
    return all.takeError();
  uint32_t count = 0;
  std::map<uint64_t, bool> numbers;
  for (const auto &[rank, own] : *all) {
    count = std::max(count, own.header.ranks);
    for (const auto &[number, stamp] : own.stamps)
      numbers[number] = true;
  }
  json::Array ranks, collectives;
  for (uint32_t rank = 0; rank < count; ++rank) {
    auto own = all->find(rank);
    if (own == all->end())
      ranks.push_back(json::Object{{"rank", rank}, {"last", nullptr}});
    else
      ranks.push_back(json::Object{{"rank", rank},
                                   {"node", json::fixUTF8(own->second.header.node)},
                                   {"process", own->second.header.process},
                                   {"last", own->second.last()}});
  }
  for (const auto &[number, isThere] : numbers)
    collectives.push_back(collectiveJson(*all, count, number));
  return json::Object{{"ranks", std::move(ranks)},
                      {"collectives", std::move(collectives)}};
}

static std::string ranksIn(const json::Array &states, StringRef state) {
  std::vector<std::string> names;
  for (auto [rank, value] : enumerate(states))
    if (value.getAsString() == state)
      names.push_back(std::to_string(rank));
  return join(names, ", ");
}

/// Prints which ranks have not completed the last collective, and their states. In a run
/// without errors all ranks have completed it.
static void printVerdict(raw_ostream &os, const json::Object &last) {
  const json::Array &states = *last.getArray("states");
  std::string place =
      ("collective " + Twine(*last.getInteger("number")) + " (" +
       *last.getString("kind") + " at step " + Twine(*last.getInteger("step")) + ")")
          .str();
  std::string missing = ranksIn(states, "missing"), waiting = ranksIn(states, "waits"),
              other = ranksIn(states, "differs"), unknown = ranksIn(states, "unknown");
  if (!other.empty())
    os << "at " << place << " came to another collective: rank " << other << '\n';
  if (!missing.empty())
    os << "have not come to " << place << ": rank " << missing << '\n';
  if (!waiting.empty())
    os << "have no result of " << place << ": rank " << waiting << '\n';
  if (!unknown.empty())
    os << "have no stamps of " << place << ": rank " << unknown << '\n';
  if (other.empty() && missing.empty() && waiting.empty() && unknown.empty())
    os << "all ranks have the result of " << place << '\n';
}

void driver::printStampTable(raw_ostream &os, const json::Object &object) {
  constexpr size_t shown = 12;
  const json::Array &collectives = *object.getArray("collectives");
  std::vector<std::string> titles = {"number", "step", "collective", "bytes"};
  for (const json::Value &rank : *object.getArray("ranks")) {
    const json::Object &one = *rank.getAsObject();
    titles.push_back("rank " + std::to_string(*one.getInteger("rank")));
    os << titles.back();
    if (std::optional<StringRef> node = one.getString("node"))
      os << ": process " << *one.getInteger("process") << " on "
         << withoutControls(node->str()) << '\n';
    else
      os << ": no file\n";
  }
  Table table(titles, {true, true, false, true});
  for (auto [i, value] : enumerate(collectives)) {
    const json::Object &one = *value.getAsObject();
    const json::Array &states = *one.getArray("states");
    if (i + shown < collectives.size() && ranksIn(states, "differs").empty())
      continue;
    std::vector<std::string> row = {std::to_string(*one.getInteger("number")),
                                    std::to_string(*one.getInteger("step")),
                                    one.getString("kind")->str(),
                                    std::to_string(*one.getInteger("bytes"))};
    for (const json::Value &state : states)
      row.push_back(state.getAsString()->str());
    table.add(row);
  }
  if (collectives.empty()) {
    os << "no rank has come to a collective\n";
    return;
  }
  table.print(os);
  printVerdict(os, *collectives.back().getAsObject());
}
