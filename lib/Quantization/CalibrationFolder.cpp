//===- CalibrationFolder.cpp - Stored state of calibrations ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrationFolder.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"

#include <cstring>
#include <unistd.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

/// File with the folder's key.
static constexpr StringLiteral kKeyFile = "calibration";
static constexpr StringLiteral kMatrix = "matrix", kSums = "sums";

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// Footer of a file. The data comes first, so that it begins at a page boundary.
struct Footer {
  char magic[8] = {'K', 'I', 'L', 'N', 'C', 'A', 'L', '1'};
  uint64_t number = 0;       ///< index of the input, or of the first one
  uint64_t count = 0;        ///< K, or number of samples
  uint8_t key[32] = {};      ///< SHA-256 of the folder's key
  uint8_t contents[32] = {}; ///< SHA-256 of the data
  uint8_t footer[32] = {};   ///< SHA-256 of this struct up to here
};
using Bytes = ArrayRef<uint8_t>;
} // namespace

template <typename T> static Bytes bytesOf(ArrayRef<T> numbers) {
  return {reinterpret_cast<const uint8_t *>(numbers.data()), numbers.size() * sizeof(T)};
}

static std::array<uint8_t, 32> hashOf(ArrayRef<Bytes> parts) {
  SHA256 hash;
  for (Bytes part : parts)
    hash.update(part);
  return hash.final();
}

static void setHash(uint8_t (&out)[32], ArrayRef<Bytes> parts) {
  std::array<uint8_t, 32> hash = hashOf(parts);
  std::copy(hash.begin(), hash.end(), out);
}

static Footer makeFooter(uint64_t number, uint64_t count, StringRef key,
                         ArrayRef<Bytes> parts) {
  Footer footer;
  footer.number = number;
  footer.count = count;
  setHash(footer.key, {arrayRefFromStringRef(key)});
  setHash(footer.contents, parts);
  setHash(footer.footer,
          {Bytes(reinterpret_cast<uint8_t *>(&footer), offsetof(Footer, footer))});
  return footer;
}

static Error writeFile(const std::string &path, ArrayRef<Bytes> parts,
                       const Footer &footer) {
  SmallVector<StringRef> texts;
  for (Bytes part : parts)
    texts.push_back(toStringRef(part));
  texts.push_back({reinterpret_cast<const char *>(&footer), sizeof footer});
  return writeAtomically(path, texts);
}

/// Reads a file's data and checks its hashes; null if there is no file.
static Expected<std::unique_ptr<MemoryBuffer>> readFile(const std::string &path,
                                                        uint64_t size, uint64_t number,
                                                        StringRef key, Footer &footer) {
  auto file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return nullptr;
  auto damaged = [&](std::string expected, std::string found) {
    return sampleError(path, "a file of a calibration is damaged", std::move(expected),
                       std::move(found),
                       "remove the folder of --calib-state and calibrate anew");
  };
  StringRef bytes = (*file)->getBuffer();
  if (bytes.size() != size + sizeof footer)
    return damaged(std::to_string(size + sizeof footer) + " bytes",
                   std::to_string(bytes.size()));
  std::memcpy(&footer, bytes.data() + size, sizeof footer);
  Footer expected = makeFooter(number, footer.count, key,
                               {arrayRefFromStringRef(bytes.take_front(size))});
  if (std::memcmp(&expected, &footer, sizeof footer) != 0)
    return damaged("the hashes of its contents", "others");
  return std::move(*file);
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<CalibrationFolder>> CalibrationFolder::temporary() {
  SmallString<128> path;
  int file = -1;
  if (std::error_code error =
          sys::fs::createTemporaryFile("kiln-calibration", "matrices", file, path))
    return makeError({ErrorCode::OutputNotWritable, std::string(path),
                      "the model cannot be calibrated", "a temporary folder",
                      error.message(), "set TMPDIR to a folder with room"});
  (void)sys::fs::remove(path);
  return std::unique_ptr<CalibrationFolder>(
      new CalibrationFolder(std::string(path), {}, file));
}

Expected<uint64_t> CalibrationFolder::append(Bytes bytes) const {
  uint64_t page = sys::Process::getPageSizeEstimate();
  uint64_t begin = used.fetch_add(alignTo(bytes.size(), page));
  for (uint64_t done = 0; done < bytes.size();) {
    ssize_t written = pwrite(nameless, bytes.data() + done, bytes.size() - done,
                             static_cast<off_t>(begin + done));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return cannotWrite(
          path, std::error_code(written < 0 ? errno : ENOSPC, std::generic_category()));
    done += static_cast<uint64_t>(written);
  }
  return begin;
}

/// Removes incomplete files of a process that was killed.
static void removeTemporaries(const std::string &path) {
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; it != end && !error;
       it.increment(error))
    if (StringRef(it->path()).ends_with(".tmp"))
      (void)sys::fs::remove(it->path());
}

static bool isEmpty(const std::string &path) {
  std::error_code error;
  sys::fs::directory_iterator it(path, error), end;
  return !error && it == end;
}

Expected<std::unique_ptr<CalibrationFolder>>
CalibrationFolder::open(const std::string &path, std::string key) {
  if (std::error_code error = sys::fs::create_directory(path))
    return makeError({ErrorCode::OutputNotWritable, path,
                      "the folder of --calib-state cannot be made", "a folder",
                      error.message(), "check the path"});
  SmallString<128> keyFile(path);
  sys::path::append(keyFile, kKeyFile);
  std::string text = "kiln calibration 1\n" + key + "\n";
  auto found = MemoryBuffer::getFile(keyFile);
  if (found && (*found)->getBuffer() != text)
    return sampleError(path, "the folder of --calib-state is of another calibration",
                       "the same model, samples, settings, machine and version of kiln",
                       "another of these", "remove the folder, or name another one");
  if (!found && !isEmpty(path))
    return sampleError(path, "the folder of --calib-state is of no calibration",
                       "a folder that kiln compile made, or an empty one", "other files",
                       "name another folder");
  if (!found)
    if (Error error = writeAtomically(std::string(keyFile), text))
      return std::move(error);
  removeTemporaries(path);
  return std::unique_ptr<CalibrationFolder>(new CalibrationFolder(path, std::move(key)));
}

CalibrationFolder::~CalibrationFolder() {
  if (isTemporary())
    (void)close(nameless);
}

std::string CalibrationFolder::fileOf(StringRef kind, uint64_t number) const {
  SmallString<128> file(path);
  sys::path::append(file, kind + "-" + Twine(number));
  return std::string(file);
}

static std::shared_ptr<const CalibratedInput>
makeInput(int64_t k, std::string file, const Footer &footer, uint64_t offset = 0) {
  auto input = std::make_shared<CalibratedInput>();
  input->k = k;
  input->file = std::move(file);
  input->offset = offset;
  input->hash = toHex(Bytes(footer.contents), /*LowerCase=*/true);
  return input;
}

Expected<std::shared_ptr<const CalibratedInput>>
CalibrationFolder::storeMatrix(uint64_t number, int64_t k, ArrayRef<float> matrix) const {
  std::string file = fileOf(kMatrix, number);
  Bytes contents = bytesOf(matrix);
  Footer footer = makeFooter(number, uint64_t(k), key, contents);
  if (isTemporary()) {
    Expected<uint64_t> begin = append(contents);
    if (!begin)
      return begin.takeError();
    return makeInput(k, "/proc/self/fd/" + std::to_string(nameless), footer, *begin);
  }
  if (Error error = writeFile(file, contents, footer))
    return std::move(error);
  return makeInput(k, std::move(file), footer);
}

Expected<std::shared_ptr<const CalibratedInput>>
CalibrationFolder::findMatrix(uint64_t number, int64_t k, uint64_t elements) const {
  if (isTemporary())
    return nullptr;
  std::string file = fileOf(kMatrix, number);
  Footer footer;
  Expected<std::unique_ptr<MemoryBuffer>> contents =
      readFile(file, elements * sizeof(float), number, key, footer);
  if (!contents)
    return contents.takeError();
  return *contents ? makeInput(k, std::move(file), footer) : nullptr;
}

Error CalibrationFolder::storeSums(uint64_t first, const PartialSums &sums) const {
  std::vector<Bytes> parts;
  for (const std::vector<double> &sum : sums.sums)
    parts.push_back(bytesOf(ArrayRef(sum)));
  return writeFile(fileOf(kSums, first), parts,
                   makeFooter(first, sums.samples, key, parts));
}

Expected<std::optional<PartialSums>>
CalibrationFolder::findSums(uint64_t first, ArrayRef<uint64_t> sizes) const {
  if (isTemporary())
    return std::nullopt;
  uint64_t elements = sum_of(sizes, uint64_t(0));
  Footer footer;
  Expected<std::unique_ptr<MemoryBuffer>> contents =
      readFile(fileOf(kSums, first), elements * sizeof(double), first, key, footer);
  if (!contents)
    return contents.takeError();
  if (!*contents)
    return std::nullopt;
  PartialSums found;
  found.samples = footer.count;
  auto *next = reinterpret_cast<const double *>((*contents)->getBufferStart());
  for (uint64_t size : sizes) {
    found.sums.emplace_back(next, next + size);
    next += size;
  }
  return found;
}

void CalibrationFolder::removeSums(uint64_t first) const {
  if (!isTemporary())
    (void)sys::fs::remove(fileOf(kSums, first));
}
