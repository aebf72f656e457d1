//===- CalibrationSamples.cpp - Samples of calibrations -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrationSamples.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Generator.h"
#include "kiln/Execution/Numbers.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <cmath>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<MemoryBuffer>> readFile(const std::string &path,
                                                        const std::string &option) {
  auto file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return makeError({ErrorCode::FileNotFound, path, "cannot be opened",
                      "a text, a .npz file or a folder of .npy files",
                      file.getError().message(), "check the path of " + option});
  return std::move(*file);
}

Error CalibrationSamples::readText(const CalibrationSettings &settings) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readFile(path, option);
  if (!file)
    return file.takeError();
  text = std::move(*file);
  StringRef bytes = text->getBuffer();
  if (bytes.size() < 2)
    return sampleError(path, "the text is too short", "2 bytes or more",
                       std::to_string(bytes.size()), "give a longer text");
  size_t window = std::min<size_t>(settings.window, bytes.size());
  size_t count = std::min<size_t>(settings.samples, bytes.size() / window);
  for (size_t i = 0; i < count; ++i) {
    size_t begin = count == 1 ? 0 : (bytes.size() - window) * i / (count - 1);
    samples.push_back(
        {"byte " + std::to_string(begin), {}, {}, bytes.substr(begin, window)});
  }
  return Error::success();
}

/// Lists the .npy files of a folder; subfolders go to `folders`.
static Error listFolder(const std::string &path, std::vector<TensorFile> &files,
                        std::vector<std::string> &folders) {
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; it != end && !error;
       it.increment(error)) {
    StringRef name = sys::path::filename(it->path());
    if (sys::fs::is_directory(it->path()))
      folders.push_back(it->path());
    else if (name.ends_with(".npy"))
      files.push_back({name.drop_back(4).str(), it->path()});
  }
  if (error)
    return makeError({ErrorCode::FileReadFailed, path, "the folder cannot be read",
                      "a folder of .npy files", error.message(), "check the path"});
  sort(files);
  sort(folders);
  return Error::success();
}

Error CalibrationSamples::readFolder() {
  std::vector<TensorFile> files;
  std::vector<std::string> folders, none;
  KILN_CHECK(listFolder(path, files, folders));
  if (!files.empty())
    samples.push_back({path, files, {}, {}});
  for (const std::string &folder : folders) {
    std::vector<TensorFile> own;
    KILN_CHECK(listFolder(folder, own, none));
    if (!own.empty())
      samples.push_back({folder, own, {}, {}});
  }
  if (samples.empty())
    return sampleError(path, "the folder holds no sample",
                       "NAME.npy for inputs of the model, or folders of such",
                       "no .npy file", "write inputs with numpy.save");
  return Error::success();
}

Expected<CalibrationSamples>
CalibrationSamples::read(const CalibrationSettings &settings) {
  CalibrationSamples samples;
  samples.path = settings.path;
  samples.option = settings.option;
  if (sys::fs::is_directory(settings.path)) {
    if (Error error = samples.readFolder())
      return std::move(error);
  } else if (StringRef(settings.path).ends_with(".npz")) {
    Expected<std::vector<NpzArray>> arrays = readNpz(settings.path);
    if (!arrays)
      return arrays.takeError();
    samples.arrays = std::move(*arrays);
  } else if (Error error = samples.readText(settings)) {
    return std::move(error);
  }
  return samples;
}

//===----------------------------------------------------------------------===//
// The model's inputs
//===----------------------------------------------------------------------===//

const kiln_tensor_info *quantization::tokenInput(kiln_model *model) {
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info *info = kiln_model_input(model, i);
    StringRef name = info->name;
    bool isInteger = info->dtype == KILN_DTYPE_I64 || info->dtype == KILN_DTYPE_I32;
    if (isInteger && info->rank == 2 && !name.contains("mask") &&
        !name.contains("position") && !name.contains("type"))
      return info;
  }
  return nullptr;
}

static Error checkBytes(kiln_model *model, bool hasByteLogits, const std::string &path) {
  if (tokenInput(model) && hasByteLogits)
    return Error::success();
  return sampleError(path, "a text is for byte-level models",
                     "an input of token ids, and logits of 256 bytes", "another model",
                     "give token ids: a .npz file, or a folder of .npy files");
}

/// Returns the input with this name, or error KILN-E0126.
static Expected<const kiln_tensor_info *>
findInput(kiln_model *model, const std::string &where, StringRef name) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info *info = kiln_model_input(model, i);
    if (name == info->name)
      return info;
    names.push_back("'" + std::string(info->name) + "'");
  }
  return sampleError(where, "an array is of no input of the model", join(names, " or "),
                     "'" + name.str() + "'",
                     "name arrays as the inputs of the model are");
}

/// Returns true if the shape is within the ranges of the input's dims.
static bool fits(const kiln_tensor_info &info, ArrayRef<int64_t> shape) {
  if (shape.size() != info.rank)
    return false;
  for (auto [dim, size] : zip(ArrayRef(info.dims, info.rank), shape))
    if (size < dim.min || size > dim.max)
      return false;
  return true;
}

static std::string rangesOf(const kiln_tensor_info &info) {
  std::vector<std::string> dims;
  for (const kiln_dim_info &dim : ArrayRef(info.dims, info.rank))
    dims.push_back(dim.min == dim.max
                       ? std::to_string(dim.min)
                       : std::to_string(dim.min) + ".." + std::to_string(dim.max));
  return typeText(info) + " of [" + join(dims, ", ") + "]";
}

Error quantization::checkSample(kiln_model *model, const std::string &sample,
                                const kiln_tensor &tensor) {
  Expected<const kiln_tensor_info *> info = findInput(model, sample, tensor.name);
  if (!info)
    return info.takeError();
  ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
  std::string where = sample + ": '" + tensor.name + "'";
  if (!kiln_npy_reads_as(tensor.dtype, (*info)->dtype))
    return sampleError(where, "the array has another type than the input",
                       kiln_dtype_name((*info)->dtype), kiln_dtype_name(tensor.dtype),
                       "convert it with numpy's astype");
  if (!fits(**info, shape))
    return sampleError(where, "the array has another shape than the input",
                       rangesOf(**info), typeText(tensor.dtype, shape),
                       "give arrays of the input's shape, or other --dims");
  uint64_t count = 1;
  for (int64_t dim : shape)
    count *= static_cast<uint64_t>(dim);
  for (uint64_t i = 0; isFloat(tensor.dtype) && i < count; ++i)
    if (std::isnan(readElement(tensor.dtype, tensor.data, i)))
      return sampleError(where, "the array holds NaN", "numbers",
                         "NaN at element " + std::to_string(i),
                         "correct or remove the sample");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Arrays with a dim of samples
//===----------------------------------------------------------------------===//

/// Returns the number of samples in an array: its first dim, if it has one dim more than
/// the input; nullopt if the array is a single sample.
static Expected<std::optional<int64_t>> countSamples(const kiln_tensor_info &info,
                                                     const std::string &where,
                                                     const kiln_tensor &tensor) {
  if (tensor.rank == info.rank + 1)
    return tensor.shape[0];
  if (tensor.rank == info.rank)
    return std::nullopt;
  return sampleError(where, "the array has another shape than the input",
                     rangesOf(info) + ", or one more dim before them, of samples",
                     typeText(tensor.dtype, ArrayRef(tensor.shape, tensor.rank)),
                     "give arrays of the input's shape");
}

Error CalibrationSamples::splitArrays(kiln_model *model) {
  std::optional<int64_t> count;
  for (auto [i, entry] : enumerate(arrays)) {
    const kiln_tensor &tensor = *kiln_npy_tensor(entry.array.get());
    std::string where = path + ": '" + entry.name + "'";
    Expected<const kiln_tensor_info *> info = findInput(model, path, entry.name);
    if (!info)
      return info.takeError();
    Expected<std::optional<int64_t>> found = countSamples(**info, where, tensor);
    if (!found)
      return found.takeError();
    auto text = [](std::optional<int64_t> count) {
      return count ? std::to_string(*count) : "no dim of samples";
    };
    if (i > 0 && count != *found)
      return sampleError(where, "arrays have different numbers of samples",
                         text(count) + " as '" + arrays[0].name + "'", text(*found),
                         "give every array a dim of samples, or none");
    count = *found;
    ArrayRef<int64_t> shape(tensor.shape, tensor.rank);
    ArrayRef<int64_t> rest = count ? shape.drop_front() : shape;
    shapes.emplace_back(rest.begin(), rest.end());
  }
  if (arrays.empty() || count == 0)
    return sampleError(path, "the file holds no sample",
                       "an array of an input of the model",
                       arrays.empty() ? "no array" : "a first dim of 0",
                       "write inputs with numpy.savez");
  for (int64_t sample = 0; sample < count.value_or(1); ++sample) {
    CalibrationSample made{path + ": sample " + std::to_string(sample), {}, {}, {}};
    for (auto [own, shape] : zip(arrays, shapes)) {
      kiln_tensor tensor = *kiln_npy_tensor(own.array.get());
      tensor.name = own.name.c_str();
      tensor.shape = shape.data();
      tensor.rank = static_cast<uint32_t>(shape.size());
      tensor.size /= static_cast<size_t>(count.value_or(1));
      tensor.data = static_cast<char *>(tensor.data) + tensor.size * size_t(sample);
      made.tensors.push_back(tensor);
    }
    samples.push_back(std::move(made));
  }
  return Error::success();
}

Error CalibrationSamples::fitTo(kiln_model *model, bool hasByteLogits) {
  if (text)
    return checkBytes(model, hasByteLogits, path);
  if (samples.empty())
    return splitArrays(model);
  return Error::success();
}

Expected<std::string> CalibrationSamples::hash() const {
  SHA256 hash;
  auto add = [&](StringRef bytes) {
    uint64_t size = bytes.size();
    hash.update(ArrayRef(reinterpret_cast<const uint8_t *>(&size), sizeof size));
    hash.update(bytes);
  };
  for (const CalibrationSample &sample : samples) {
    add(sample.tokens);
    for (const kiln_tensor &tensor : sample.tensors) {
      add(typeText(tensor.dtype, ArrayRef(tensor.shape, tensor.rank)) + tensor.name);
      add({static_cast<const char *>(tensor.data), tensor.size});
    }
    for (const auto &[name, file] : sample.files) {
      Expected<std::unique_ptr<MemoryBuffer>> bytes = readFile(file, option);
      if (!bytes)
        return bytes.takeError();
      add(name);
      add((*bytes)->getBuffer());
    }
  }
  return toHex(hash.final(), /*LowerCase=*/true);
}
