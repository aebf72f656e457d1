//===- shape.h - How lanes map to words -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual mappings of a warp's lanes to words of memory, encoded in eight bits that are
// the same for all words of an access: a warp that reads 128 contiguous bytes leaves 32
// equal histories, which are compared and replaced with vector instructions.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_SHAPE_H
#define KILN_SIM_CHECK_SHAPE_H

#include <cstdint>

namespace kiln::sim::check {

using Mask = uint32_t;
inline constexpr uint64_t WordBytes = 4;

/// A mapping of lanes to words: a kind (3 bits) and an offset modulo 32, the turn (5
/// bits).
class Shape {
public:
  enum Kind : uint8_t {
    Lane,   ///< one lane, whose number is the turn
    Words,  ///< lane (word - turn) mod 32: each lane has one word
    Pairs,  ///< each lane has two words
    Quads,  ///< each lane has four words
    Halves, ///< lane (2 * word - turn) the lower half, the next lane the upper one
    Bytes,  ///< lane (4 * word - turn) the lowest byte, and so on
    Set     ///< several lanes at the same bytes: an aligned group of 2^n; turn 0: a mask
            ///< outside the shape
  };
  Shape() = default;
  explicit Shape(uint8_t bits) : bits(bits) {}
  Shape(Kind kind, unsigned turn) : bits(uint8_t(kind << 5 | (turn & 31))) {}

  /// Returns the shape of a lane's access of `bytes` bytes (1 to 16) that covers the word
  /// or, with 1 or 2 bytes, begins at it.
  static Shape of(unsigned bytes, uint64_t word, unsigned lane) {
    switch (bytes) {
    case 1:
      return {Bytes, unsigned(4 * word - lane)};
    case 2:
      return {Halves, unsigned(2 * word - lane)};
    case 4:
      return {Words, unsigned(word - lane)};
    case 8:
      return {Pairs, unsigned(word / 2 - lane)};
    default:
      return {Quads, unsigned(word / 4 - lane)};
    }
  }
  /// Returns the shape of several lanes that access the same bytes; needs a mask outside
  /// the shape if named().
  static Shape ofMask(Mask mask);

  Kind kind() const { return Kind(bits >> 5); }
  unsigned turn() const { return bits & 31; }
  uint8_t raw() const { return bits; }
  bool named() const { return bits == Set << 5; }
  /// Whether each lane has part of a word.
  bool divides() const { return kind() == Halves || kind() == Bytes; }
  Mask lanes(uint64_t word) const {
    unsigned w = unsigned(word), t = turn();
    switch (kind()) {
    case Lane:
      return Mask(1) << t;
    case Words:
      return Mask(1) << ((w - t) & 31);
    case Pairs:
      return Mask(1) << ((w / 2 - t) & 31);
    case Quads:
      return Mask(1) << ((w / 4 - t) & 31);
    case Halves:
      return Mask(3) << ((2 * w - t) & 31);
    case Bytes:
      return Mask(15) << ((4 * w - t) & 31);
    default:
      return neighbours(t);
    }
  }
  /// Returns the lane that accessed the byte of the word; for a shape that divides.
  unsigned laneAt(uint64_t word, unsigned byte) const {
    unsigned w = unsigned(word);
    return (kind() == Halves ? 2 * w - turn() + byte / 2 : 4 * w - turn() + byte) & 31;
  }
  bool operator==(const Shape &) const = default;

private:
  /// Lanes of a node of a binary heap: 1 is all lanes, 2 and 3 the halves, 16 to 31 the
  /// pairs.
  static Mask neighbours(unsigned turn) {
    if (!turn)
      return 0;
    unsigned level = 31 - unsigned(__builtin_clz(turn)), width = 32 >> level;
    return Mask((uint64_t(1) << width) - 1) << (turn - (1u << level)) * width;
  }
  uint8_t bits;
};

inline Shape Shape::ofMask(Mask mask) {
  unsigned first = unsigned(__builtin_ctz(mask));
  unsigned count = unsigned(__builtin_popcount(mask));
  if (count == 1)
    return {Lane, first};
  if ((count & (count - 1)) == 0 && first % count == 0) {
    Shape shape(Set, 32 / count + first / count);
    if (shape.lanes(0) == mask)
      return shape;
  }
  return {Set, 0};
}

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_SHAPE_H
