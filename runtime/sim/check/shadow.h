//===- shadow.h - Access histories of a range of bytes ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each aligned 4-byte word has two sets: its writes and its reads. A word whose bytes
// were accessed separately has four such pairs instead, until a write covers all of it. A
// line of 32 words with the same sets, as a warp leaves it, has one pair for all.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_SHADOW_H
#define KILN_SIM_CHECK_SHADOW_H

#include "runtime/sim/check/history.h"

#include <algorithm>
#include <memory>

namespace kiln::sim::check {

struct alignas(8) Cell {
  SetId writes = 0, reads = 0;
  bool operator==(const Cell &other) const {
    return std::bit_cast<uint64_t>(*this) == std::bit_cast<uint64_t>(other);
  }
};

class Shadow {
public:
  static constexpr uint64_t PageBytes = 4096, PageWords = PageBytes / WordBytes;
  static constexpr uint64_t LineWords = 32, LineBytes = LineWords * WordBytes;
  using Split = std::array<Cell, WordBytes>;

  struct Page {
    static constexpr size_t Lines = PageWords / LineWords;
    /// Sets of each word; not valid for words of an even line (all words have the same
    /// sets).
    std::array<SetId, PageWords> writes, reads;
    std::array<Cell, Lines> lines = {}; ///< sets of all words of an even line
    uint32_t even = ~uint32_t(0);       ///< bit mask of even lines
    bool isEven(size_t line) const { return even >> line & 1; }
    /// Returns the sets of a word that is not split.
    Cell cellAt(size_t word) const {
      size_t line = word / LineWords;
      return isEven(line) ? lines[line] : Cell{writes[word], reads[word]};
    }
    /// Makes the line not even: copies its sets to each word.
    void spread(size_t line) {
      if (isEven(line))
        spreadLine(line);
    }
    void spread(size_t word, size_t count) {
      for (size_t line = word / LineWords; line <= (word + count - 1) / LineWords; ++line)
        spread(line);
    }
    /// Makes the line even if all its words have the same sets; returns whether it is.
    bool gather(size_t line) { return isEven(line) || gatherLine(line); }
    /// Whether `count` words of lines that are not even all have these sets.
    bool allAre(size_t word, size_t count, const Cell &cell) const {
      SetId difference = 0;
      for (size_t i = word; i < word + count; ++i)
        difference |= (writes[i] ^ cell.writes) | (reads[i] ^ cell.reads);
      return !difference;
    }
    /// Cells per byte of the words that have SplitMark in `writes` and an index here in
    /// `reads`.
    std::vector<Split> splits;
    std::vector<uint32_t> spare; ///< free indices of `splits`
    bool isSplit(size_t word) const { return writes[word] == SplitMark; }
    Split &splitOf(size_t word) { return splits[reads[word]]; }
    /// Splits the word into four cells, one per byte, with the word's sets restricted to
    /// that byte.
    Split &split(size_t word, uint64_t number, History &history);
    /// Merges the word's bytes into one empty cell.
    void unsplit(size_t word) {
      spare.push_back(reads[word]);
      writes[word] = reads[word] = 0;
    }

  private:
    void spreadLine(size_t line);
    bool gatherLine(size_t line);
  };
  static_assert(Page::Lines == 32, "Page::even has a bit for each line");

  explicit Shadow(uint64_t bytes);
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;
  ~Shadow();

  /// Returns the page with the word of that number; creates it if needed.
  Page &pageOf(uint64_t word) {
    Page *&page = pages[word / PageWords];
    if (!page) [[unlikely]]
      page = freshPage();
    return *page;
  }
  /// Returns the page with a word; null if none of its words was accessed.
  Page *pageIfAny(uint64_t word) { return pages[word / PageWords]; }
  /// Calls f(cell, word number, byte) for each cell that was accessed.
  template <class F> void forUsed(F f) const {
    forLines([&](Page &page, size_t line, uint64_t first) {
      for (size_t n = 0; n < LineWords; ++n) {
        size_t at = line * LineWords + n;
        Cell cell = page.cellAt(at);
        if (page.isEven(line) || !page.isSplit(at)) {
          if (cell.writes || cell.reads)
            f(cell, first + n, 0u);
          continue;
        }
        for (unsigned byte = 0; byte < WordBytes; ++byte)
          f(page.splitOf(at)[byte], first + n, byte);
      }
    });
  }

  /// Replaces every set by f(set).
  template <class F> void rewrite(F f) {
    auto rewriteCell = [&](SetId &writes, SetId &reads) {
      if (writes)
        writes = f(writes);
      if (reads)
        reads = f(reads);
    };
    forLines([&](Page &page, size_t line, uint64_t) {
      if (page.isEven(line)) {
        rewriteCell(page.lines[line].writes, page.lines[line].reads);
        return;
      }
      for (size_t at = line * LineWords; at < (line + 1) * LineWords; ++at)
        if (!page.isSplit(at))
          rewriteCell(page.writes[at], page.reads[at]);
        else
          for (Cell &cell : page.splitOf(at))
            rewriteCell(cell.writes, cell.reads);
    });
  }

private:
  static constexpr SetId SplitMark = History::Reserved;
  static Page *freshPage();
  /// Calls f(page, line, number of its first word).
  template <class F> void forLines(F f) const {
    for (size_t n = 0; n < count; ++n)
      for (size_t line = 0; pages[n] && line < Page::Lines; ++line)
        f(*pages[n], line, n * PageWords + line * LineWords);
  }
  size_t count;
  Page **pages; ///< by page number; null until accessed
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_SHADOW_H
