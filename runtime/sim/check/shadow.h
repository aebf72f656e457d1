//===- shadow.h - The histories of a range of bytes -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cell for each aligned word of four bytes. A word whose bytes were accessed apart has
// four cells instead.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_SHADOW_H
#define KILN_SIM_CHECK_SHADOW_H

#include "runtime/sim/check/history.h"

#include <memory>

namespace kiln::sim::check {

struct Cell {
  SetId writes = 0, reads = 0;
  bool operator==(const Cell &) const = default;
};

class Shadow {
public:
  explicit Shadow(uint64_t bytes) : pages(bytes / PageBytes + 1) {}

  /// Calls f(Cell &, offset) for the cells that make up [offset, offset + size).
  template <class F> void forCells(uint64_t offset, uint64_t size, F f) {
    uint64_t end = offset + size;
    while (offset < end) {
      Page &page = pageAt(offset);
      uint64_t stop = std::min(end, (offset / PageBytes + 1) * PageBytes);
      while (offset < stop)
        offset = step(page, offset, stop, f);
    }
  }
  /// Calls f(cell, offset) for the cells that were accessed.
  template <class F> void forUsed(F f) const {
    for (size_t n = 0; n < pages.size(); ++n)
      for (uint64_t word = 0; pages[n] && word < PageWords; ++word) {
        const Cell &cell = pages[n]->cells[word];
        uint64_t offset = n * PageBytes + word * WordBytes;
        if (cell.writes == SplitMark)
          for (unsigned byte = 0; byte < WordBytes; ++byte)
            f(pages[n]->splits[cell.reads][byte], offset + byte);
        else if (cell.writes || cell.reads)
          f(cell, offset);
      }
  }

private:
  static constexpr uint64_t WordBytes = 4, PageBytes = 4096,
                            PageWords = PageBytes / WordBytes;
  /// In `writes` of a word's cell: `reads` is an index of `splits`.
  static constexpr SetId SplitMark = 0x7fffffff;
  using Split = std::array<Cell, WordBytes>;
  struct Page {
    std::array<Cell, PageWords> cells;
    std::vector<Split> splits;
  };

  Page &pageAt(uint64_t offset) {
    std::unique_ptr<Page> &page = pages[offset / PageBytes];
    if (!page)
      page = std::make_unique<Page>();
    return *page;
  }

  /// One word, or what the range has of it. Returns where the next one starts.
  template <class F> uint64_t step(Page &page, uint64_t offset, uint64_t stop, F &f) {
    Cell &cell = page.cells[offset / WordBytes % PageWords];
    uint64_t next = offset / WordBytes * WordBytes + WordBytes;
    bool whole = offset % WordBytes == 0 && next <= stop;
    if (cell.writes != SplitMark) {
      if (whole) {
        f(cell, offset);
        return next;
      }
      page.splits.push_back({cell, cell, cell, cell});
      cell = {SplitMark, uint32_t(page.splits.size() - 1)};
    }
    Split &split = page.splits[cell.reads];
    for (; offset < std::min(next, stop); ++offset)
      f(split[offset % WordBytes], offset);
    return offset;
  }

  std::vector<std::unique_ptr<Page>> pages;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_SHADOW_H
