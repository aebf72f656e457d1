// Verifies FlatBuffers with another version of that library. In a wrong build of Kiln's
// static library, the linker would use one version's functions for both.
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
