// Verifies FlatBuffers of its own by another version of that library, whose functions the
// linker would keep for all.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>

namespace flatbuffers {
class Verifier {
public:
  bool VerifyTableStart(const uint8_t *table);
  size_t other[9];
};
bool Verifier::VerifyTableStart(const uint8_t *) { return false; }
} // namespace flatbuffers
