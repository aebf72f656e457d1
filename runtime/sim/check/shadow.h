//===- shadow.h - The histories of a range of bytes -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sets for each aligned word of four bytes: who wrote it, who read it. A word whose
// bytes were accessed apart has four such pairs instead, until it is written as a whole.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_SHADOW_H
#define KILN_SIM_CHECK_SHADOW_H

#include "runtime/sim/check/history.h"

#include <algorithm>
#include <memory>

namespace kiln::sim::check {

struct Cell {
  SetId writes = 0, reads = 0;
  bool operator==(const Cell &) const = default;
};

class Shadow {
public:
  static constexpr uint64_t PageBytes = 4096, PageWords = PageBytes / WordBytes;
  using Split = std::array<Cell, WordBytes>;

  struct Page {
    std::array<SetId, PageWords> writes = {}, reads = {};
    /// Of the words with SplitMark in `writes`; `reads` has the index.
    std::vector<Split> splits;
    std::vector<uint32_t> spare; ///< of the splits
    bool isSplit(size_t word) const { return writes[word] == SplitMark; }
    Split &splitOf(size_t word) { return splits[reads[word]]; }
    /// Gives the word four cells, as its bytes see its sets.
    Split &split(size_t word, uint64_t number, History &history);
    /// Gives the word one cell with nothing in it.
    void unsplit(size_t word) {
      spare.push_back(reads[word]);
      writes[word] = reads[word] = 0;
    }
  };

  explicit Shadow(uint64_t bytes);
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;
  ~Shadow();

  /// The page with the word of that number.
  Page &pageOf(uint64_t word) {
    Page *&page = pages[word / PageWords];
    if (!page) [[unlikely]]
      page = freshPage();
    return *page;
  }
  /// The same, null if none of its words was accessed.
  Page *pageIfAny(uint64_t word) { return pages[word / PageWords]; }
  /// Calls f(cell, word number, byte) for the cells that were accessed.
  template <class F> void forUsed(F f) const {
    for (size_t n = 0; n < count; ++n)
      for (size_t i = 0; pages[n] && i < PageWords; ++i) {
        Page &page = *pages[n];
        uint64_t word = n * PageWords + i;
        if (page.isSplit(i))
          for (unsigned byte = 0; byte < WordBytes; ++byte)
            f(page.splitOf(i)[byte], word, byte);
        else if (page.writes[i] || page.reads[i])
          f(Cell{page.writes[i], page.reads[i]}, word, 0u);
      }
  }

  /// Replaces every set by f(set).
  template <class F> void rewrite(F f) {
    for (size_t n = 0; n < count; ++n)
      for (size_t i = 0; pages[n] && i < PageWords; ++i) {
        Page &page = *pages[n];
        if (page.isSplit(i)) {
          for (Cell &cell : page.splitOf(i))
            cell = {f(cell.writes), f(cell.reads)};
        } else if (page.writes[i] || page.reads[i]) {
          page.writes[i] = f(page.writes[i]);
          page.reads[i] = f(page.reads[i]);
        }
      }
  }

private:
  static constexpr SetId SplitMark = History::Reserved;
  static Page *freshPage();
  size_t count;
  Page **pages; ///< by number; null until accessed
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_SHADOW_H
