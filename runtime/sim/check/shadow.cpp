//===- shadow.cpp - Access histories of a range of bytes -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/shadow.h"

#include <cstdlib>
#include <new>

namespace kiln::sim::check {

namespace {
/// Pages of freed shadows, kept for reuse: launches are many and short, and fresh memory
/// is slow.
struct SparePages {
  static constexpr size_t Limit = 4096;
  std::vector<std::unique_ptr<Shadow::Page>> pages;
};
thread_local SparePages spare;
} // namespace

// Most of a large allocation is never accessed: use memory that the system zeroes on
// demand.
Shadow::Shadow(uint64_t bytes)
    : count(bytes / PageBytes + 1),
      pages(static_cast<Page **>(calloc(count, sizeof(Page *)))) {
  if (!pages)
    throw std::bad_alloc();
}

Shadow::~Shadow() {
  for (size_t n = 0; n < count; ++n)
    if (std::unique_ptr<Page> page(pages[n]); page)
      if (spare.pages.size() < SparePages::Limit)
        spare.pages.push_back(std::move(page));
  free(pages);
}

Shadow::Page *Shadow::freshPage() {
  if (spare.pages.empty())
    return new Page;
  Page *page = spare.pages.back().release();
  spare.pages.pop_back();
  page->lines.fill({});
  page->even = ~uint32_t(0);
  page->splits.clear();
  page->spare.clear();
  return page;
}

void Shadow::Page::spreadLine(size_t line) {
  SetId *from = &writes[line * LineWords];
  std::fill(from, from + LineWords, lines[line].writes);
  from = &reads[line * LineWords];
  std::fill(from, from + LineWords, lines[line].reads);
  even &= ~(uint32_t(1) << line);
}

bool Shadow::Page::gatherLine(size_t line) {
  // Split words are never equal, as each has an index of its own.
  size_t word = line * LineWords;
  Cell first{writes[word], reads[word]};
  if (!allAre(word, LineWords, first))
    return false;
  lines[line] = first;
  even |= uint32_t(1) << line;
  return true;
}

Shadow::Split &Shadow::Page::split(size_t word, uint64_t number, History &history) {
  if (isSplit(word))
    return splitOf(word);
  Split split;
  for (unsigned byte = 0; byte < WordBytes; ++byte)
    split[byte] = {history.atByte(writes[word], number, byte),
                   history.atByte(reads[word], number, byte)};
  if (spare.empty()) {
    splits.push_back(split);
    reads[word] = uint32_t(splits.size() - 1);
  } else {
    splits[spare.back()] = split;
    reads[word] = spare.back();
    spare.pop_back();
  }
  writes[word] = SplitMark;
  return splits[reads[word]];
}

} // namespace kiln::sim::check
