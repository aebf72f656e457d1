//===- TestPackage.h - Packages made for tests ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_RUNTIME_TESTPACKAGE_H
#define KILN_TEST_RUNTIME_TESTPACKAGE_H

#include "kiln/Package/PackageWriter.h"
#include "kiln/runtime.h"
#include "runtime/package/plan.h"
#include <memory>
#include <string>
#include <vector>

namespace kiln::test {

/// A folder that is deleted with the object.
class TempFolder {
public:
  TempFolder();
  ~TempFolder();
  std::string operator/(const std::string &name) const { return path + "/" + name; }
  const std::string path;
};

std::string readFile(const std::string &path);
void writeFile(const std::string &path, const std::string &bytes);
/// Returns the names in a folder, including hidden ones.
std::vector<std::string> listFolder(const std::string &path);

/// Builds a plan concisely. Functions that add something return its index.
struct PlanBuilder {
  fb::PlanT plan;

  uint32_t symbol(const char *name, int64_t min, int64_t max);
  uint32_t constant(int64_t value);
  uint32_t sym(uint32_t symbol);
  uint32_t op(fb::ExprKind kind, uint32_t lhs, uint32_t rhs);
  uint32_t mul(uint32_t a, uint32_t b) { return op(fb::ExprKind::Mul, a, b); }
  uint32_t add(uint32_t a, uint32_t b) { return op(fb::ExprKind::Add, a, b); }
  uint32_t arena(fb::ArenaKind kind, uint32_t size);
  uint32_t buffer(const char *name, uint32_t arena, uint32_t size, uint32_t first,
                  uint32_t last, std::vector<uint32_t> above = {}, int32_t aliasOf = -1);
  void input(const char *name, fb::DType dtype, std::vector<uint32_t> dims,
             uint32_t buffer);
  void output(const char *name, fb::DType dtype, std::vector<uint32_t> dims,
              uint32_t buffer);
  /// `entry`: a function of TestKernels.h.
  uint32_t kernel(const char *name, const void *entry, std::vector<uint32_t> symbols,
                  uint32_t scratch);
  uint32_t launch(uint32_t kernel, std::vector<uint32_t> reads,
                  std::vector<uint32_t> writes, uint32_t grid);
  uint32_t copy(uint32_t from, uint32_t to);
  /// Adds a collective of f32.
  uint32_t collective(fb::CollectiveKind kind, uint32_t from, uint32_t to, uint32_t outer,
                      uint32_t inner);
  /// Returns a package with the plan and the code of TestKernels.c, without weights.
  package::PackageContents finish();

private:
  uint32_t expr(fb::ExprKind kind, uint32_t lhs, uint32_t rhs, int64_t value);
};

/// Returns the code of TestKernels.c.
std::string testImage();
inline const void *code(void (*kernel)(void *const *, const int64_t *, int64_t, int64_t,
                                       void *)) {
  return reinterpret_cast<const void *>(kernel);
}

/// x [batch, seq] -> y [batch, seq], three times x * 2 + 1, and sum [batch], the row sums
/// of y. batch in 1..4, seq in 1..256. Two activations share memory; the arena is exactly
/// as large as needed; the sums use scratch.
package::PackageContents scaleModel();
/// Returns y for one element.
float scaled(float x);

/// x [1] -> total [1], the sum of x over all runs since the last reset.
package::PackageContents stateModel();

/// x [batch, seq] -> y [batch, seq], the sum over ranks r = 0, 1, ... of x * (2 + r) + 1,
/// and sums [ranks * batch], the row sums of each rank's summand, by rank. batch in 1..4,
/// seq in 1..256. Each rank has its own weight 2 + r.
package::PackageContents ranksModel(uint32_t ranks);
/// Steps and buffers of ranksModel.
struct RanksModel {
  static constexpr uint32_t gather = 2, reduce = 3; ///< steps
  static constexpr uint32_t weight = 0, sum = 5;    ///< buffers; the reduction is in
                                                    ///< place
};

/// A pipeline of two ranks: stage 0 computes y = x * 2 + 1 of x [batch, seq] and sends it
/// to stage 1, which computes its row sums [batch]. Each stage has its own state, at the
/// same offset.
package::PackageContents stagesModel();
/// Steps of stagesModel.
struct StagesModel {
  static constexpr uint32_t scale = 0, hand = 1, rowSum = 2, handSums = 3;
  static constexpr uint32_t own = 2, sums = 3, y = 4, first = 5, second = 6;
};

/// x [rows] -> y [rows], 2 * x, in one step that takes about a millisecond per row. rows
/// in 1..8192.
package::PackageContents slowModel();

/// Copies flag i32 [1] to out i32 [1] once the flag is not zero.
package::PackageContents waitModel();

/// Writes the package; fails the test on error.
void writeModel(const std::string &path, const package::PackageContents &);

/// Decodes the plan as the loader does; fails the test if it is refused.
rt::Plan decode(const package::PackageContents &contents);
/// Returns scaleModel with a cache that its first step writes in place, and lengths to
/// which an input is added; not validated.
rt::Plan statePlan(const package::PackageContents &contents);
struct StatePlan { ///< buffers of statePlan
  static constexpr uint32_t cache = 7, lengths = 8, written = 9;
};
rt::PlanSurroundings surroundings(const package::PackageContents &contents);

using StatusPtr = std::unique_ptr<kiln_status, decltype(&kiln_status_free)>;
using ModelPtr = std::unique_ptr<kiln_model, decltype(&kiln_model_release)>;
using SessionPtr = std::unique_ptr<kiln_session, decltype(&kiln_session_release)>;

inline StatusPtr own(kiln_status *status) { return {status, kiln_status_free}; }
/// Return null, after failing the test, on error.
ModelPtr loadModel(const std::string &path);
SessionPtr makeSession(kiln_model *model, const kiln_session_options *options = nullptr);
/// Returns 0 if the package loads, otherwise the error code.
unsigned loadCode(const std::string &path, const kiln_model_options *options = nullptr);

/// An f32 tensor whose data is a vector.
struct FloatTensor {
  FloatTensor(const char *name, std::vector<int64_t> shape);
  const char *name;
  std::vector<int64_t> shape;
  std::vector<float> data;
  kiln_tensor tensor() {
    return {name,
            data.data(),
            data.size() * 4,
            KILN_DTYPE_F32,
            uint32_t(shape.size()),
            shape.data(),
            KILN_MEMORY_ANY};
  }
};

} // namespace kiln::test

#endif // KILN_TEST_RUNTIME_TESTPACKAGE_H
