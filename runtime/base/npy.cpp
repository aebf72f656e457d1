//===- npy.cpp - NumPy .npy files -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/npy.h"
#include "runtime/base/file.h"
#include "runtime/base/output_file.h"
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

using namespace kiln::rt;

struct kiln_npy {
  Mapping memory;
  int64_t shape[KILN_MAX_RANK];
  kiln_tensor tensor{};
};

namespace {
constexpr std::string_view npyMagic("\x93NUMPY", 6);

struct TypeName {
  std::string_view descr;
  kiln_dtype dtype;
};
// Type names that are written, in the order of kiln_dtype.
constexpr TypeName writtenNames[] = {
#define KILN_ELEMENT(NAME, name, bytes, numpy, npy) {npy, KILN_DTYPE_##NAME},
#include "kiln/dtypes.def"
};
// Further type names that are read. For a type that NumPy does not know a file gives only
// its size ("<f1" is ml_dtypes' float8_e5m2): its elements are read as bytes.
constexpr TypeName otherNames[] = {
    {"|V2", KILN_DTYPE_BF16}, {"<i1", KILN_DTYPE_I8}, {"<u1", KILN_DTYPE_U8},
    {"<b1", KILN_DTYPE_BOOL}, {"|V1", KILN_DTYPE_U8}, {"<V1", KILN_DTYPE_U8},
    {"<f1", KILN_DTYPE_U8},   {"|f1", KILN_DTYPE_U8},
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`: the
/// subset of Python that NumPy writes, keys in any order.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  std::string descr;
  bool fortran = false;
  uint32_t rank = 0;
  int64_t shape[KILN_MAX_RANK] = {};
  const char *problem = nullptr; ///< description of the first error

  bool parse() {
    unsigned keys = 0;
    if (!accept('{'))
      return fail("the header is not a dictionary");
    while (!accept('}')) {
      std::string key;
      if (!quoted(key) || !accept(':'))
        return fail("a key of the header is malformed");
      if (key == "descr"           ? !quoted(descr)
          : key == "fortran_order" ? !boolean()
          : key == "shape"         ? !tuple()
                                   : !fail("the header has an unknown key"))
        return problem ? false : fail("a value of the header is malformed");
      ++keys;
      if (!accept(',') && !peek('}'))
        return fail("the header is not a dictionary");
    }
    skipSpace();
    return keys == 3 && rest.empty() ? true : fail("the header has the wrong keys");
  }

private:
  bool fail(const char *what) {
    problem = what;
    return false;
  }
  void skipSpace() {
    size_t n = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(n == rest.npos ? rest.size() : n);
  }
  bool peek(char c) {
    skipSpace();
    return !rest.empty() && rest.front() == c;
  }
  bool accept(char c) {
    if (!peek(c))
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool quoted(std::string &out) {
    char quote = peek('"') ? '"' : '\'';
    if (!accept(quote))
      return false;
    size_t end = rest.find(quote);
    if (end == rest.npos)
      return false;
    out = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool boolean() {
    skipSpace();
    fortran = rest.starts_with("True");
    if (!fortran && !rest.starts_with("False"))
      return false;
    rest.remove_prefix(fortran ? 4 : 5);
    return true;
  }
  bool tuple() {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      int64_t n = 0;
      size_t digits = 0;
      skipSpace();
      for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits)
        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, rest[digits] - '0', &n))
          return fail("a dim is too large");
      if (!digits)
        return false;
      rest.remove_prefix(digits);
      if (rank == KILN_MAX_RANK)
        return fail("the array has more than 8 dims");
      shape[rank++] = n;
      if (!accept(',') && !peek(')'))
        return false;
    }
    return true;
  }

  std::string_view rest;
};

/// Offsets of the header's text and of the data.
struct Extent {
  size_t header = 0, headerSize = 0, data = 0;
};
} // namespace

static Failure malformed(const std::string &path, std::string what,
                         std::string expected = {}, std::string found = {}) {
  return {Code::NpyMalformed, path,
          std::move(what),    std::move(expected),
          std::move(found),   "save the array again with numpy.save"};
}

/// Returns the first 60 characters of a header, quoted, for an error message.
static std::string startOf(std::string_view text) {
  std::string shown = "'";
  for (char c : text.substr(0, 60))
    shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > 60 ? "...'" : "'");
}

static Status findHeader(const std::string &path, std::span<const uint8_t> bytes,
                         Extent &out) {
  if (bytes.size() < 10 ||
      std::memcmp(bytes.data(), npyMagic.data(), npyMagic.size()) != 0)
    return malformed(path, "this is not a .npy file", "the npyMagic \\x93NUMPY",
                     bytes.size() < 10 ? std::to_string(bytes.size()) + " bytes"
                                       : "other content");
  unsigned version = bytes[6];
  if (version < 1 || version > 3)
    return malformed(path, "the version is unknown", "1 to 3", std::to_string(version));
  // The header's length has two bytes in version 1 and four in later versions.
  out.header = version == 1 ? 10 : 12;
  if (bytes.size() < out.header)
    return malformed(path, "the header is cut off", "a whole header");
  out.headerSize = bytes[8] | size_t(bytes[9]) << 8;
  if (version > 1)
    out.headerSize |= size_t(bytes[10]) << 16 | size_t(bytes[11]) << 24;
  if (out.headerSize > bytes.size() - out.header)
    return malformed(path, "the header is cut off",
                     std::to_string(out.headerSize) + " bytes",
                     std::to_string(bytes.size() - out.header) + " bytes");
  out.data = out.header + out.headerSize;
  return {};
}

static Status findType(const std::string &path, const std::string &descr,
                       kiln_dtype &out) {
  for (std::span<const TypeName> names : {std::span<const TypeName>(otherNames), std::span<const TypeName>(writtenNames)})
    for (const TypeName &t : names)
      if (t.descr == descr) {
        out = t.dtype;
        return {};
      }
  return malformed(path, "the element type is not supported",
                   "little-endian f2 f4 f8, i1 to i8, u1 to u8, b1, V2, V1 or f1", descr);
}

/// Copies elements from column-major (Fortran) to row-major order, counting through the
/// indices.
static void transpose(const uint8_t *from, uint8_t *to, size_t element,
                      const HeaderParser &header, size_t count) {
  int64_t index[KILN_MAX_RANK] = {};
  size_t stride[KILN_MAX_RANK];
  size_t step = element;
  for (uint32_t d = 0; d < header.rank; ++d) {
    stride[d] = step;
    step *= static_cast<size_t>(header.shape[d]);
  }
  for (size_t n = 0, offset = 0; n < count; ++n, to += element) {
    std::memcpy(to, from + offset, element);
    for (uint32_t d = header.rank; d-- > 0;) {
      offset += stride[d];
      if (++index[d] < header.shape[d])
        break;
      offset -= stride[d] * static_cast<size_t>(header.shape[d]);
      index[d] = 0;
    }
  }
}

static Status parseNpy(const char *path, std::span<const uint8_t> bytes, kiln_npy *&out) {
  Extent extent;
  KILN_TRY(findHeader(path, bytes, extent));
  std::string_view text(reinterpret_cast<const char *>(bytes.data()) + extent.header,
                        extent.headerSize);
  HeaderParser header(text);
  if (!header.parse())
    return malformed(path, header.problem,
                     "a dictionary of descr, fortran_order and shape", startOf(text));
  kiln_dtype dtype;
  KILN_TRY(findType(path, header.descr, dtype));
  size_t element = kiln_dtype_size(dtype), size = element;
  for (uint32_t d = 0; d < header.rank; ++d)
    if (__builtin_mul_overflow(size, header.shape[d], &size))
      return malformed(path, "the shape is too large", "a size of less than 2^64 bytes",
                       "dim " + std::to_string(d) + " of " +
                           std::to_string(header.shape[d]));
  if (size != bytes.size() - extent.data)
    return malformed(path, "the data does not have the size of the shape",
                     std::to_string(size) + " bytes",
                     std::to_string(bytes.size() - extent.data) + " bytes");
  auto array = std::make_unique<kiln_npy>();
  KILN_TRY(allocatePages(size, path, array->memory));
  const uint8_t *data = bytes.data() + extent.data;
  if (header.fortran && header.rank > 1)
    transpose(data, array->memory.data(), element, header, size / element);
  else
    std::memcpy(array->memory.data(), data, size);
  std::memcpy(array->shape, header.shape, sizeof array->shape);
  array->tensor = {nullptr,     array->memory.data(), size,            dtype,
                   header.rank, array->shape,         KILN_MEMORY_HOST};
  out = array.release();
  return {};
}

static Status readNpy(const char *path, kiln_npy *&out) {
  File file;
  Mapping bytes;
  KILN_TRY(File::open(path, file));
  KILN_TRY(file.map(bytes));
  return parseNpy(path, {bytes.data(), bytes.size()}, out);
}

static std::string makeHeader(const kiln_tensor &tensor) {
  std::string_view descr = writtenNames[tensor.dtype].descr;
  std::string text =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (uint32_t d = 0; d < tensor.rank; ++d)
    text += std::to_string(tensor.shape[d]) + (d + 1 < tensor.rank ? ", " : "");
  text += tensor.rank == 1 ? ",), }" : "), }";
  // The format aligns the data to 64 bytes and ends the header with a newline.
  text.resize((10 + text.size() + 1 + 63) / 64 * 64 - 10, ' ');
  text.back() = '\n';
  std::string header(npyMagic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  return header + text;
}

static Status writeNpy(const char *path, const kiln_tensor &tensor) {
  if (tensor.rank > KILN_MAX_RANK || !kiln_dtype_size(tensor.dtype))
    return Failure{Code::BadUsage, path, "the tensor is malformed"};
  size_t size = kiln_dtype_size(tensor.dtype);
  for (uint32_t d = 0; d < tensor.rank; ++d)
    if (__builtin_mul_overflow(size, tensor.shape[d], &size))
      return Failure{Code::BadUsage, path, "the tensor is malformed"};
  if (size > tensor.size)
    return Failure{Code::TensorMemory, path, "the memory is too small",
                   std::to_string(size) + " bytes",
                   std::to_string(tensor.size) + " bytes"};
  OutputFile file;
  KILN_TRY(OutputFile::create(path, file));
  std::string header = makeHeader(tensor);
  KILN_TRY(file.write(header.data(), header.size()));
  KILN_TRY(file.write(tensor.data, size));
  return file.commit();
}

template <typename Call> static kiln_status *guardedNpy(Call call) {
  try {
    return call().release();
  } catch (const std::bad_alloc &) {
    return Status::outOfMemory();
  }
}

extern "C" {

kiln_status *kiln_npy_read(const char *path, kiln_npy **out) {
  return guardedNpy([&] { return readNpy(path, *out); });
}

kiln_status *kiln_npy_parse(const char *where, const void *bytes, size_t size,
                            kiln_npy **out) {
  return guardedNpy(
      [&] { return parseNpy(where, {static_cast<const uint8_t *>(bytes), size}, *out); });
}

void kiln_npy_free(kiln_npy *array) { delete array; }

const kiln_tensor *kiln_npy_tensor(const kiln_npy *array) { return &array->tensor; }

int kiln_npy_reads_as(kiln_dtype stored, kiln_dtype wanted) {
  if (stored == wanted)
    return 1;
  bool isSigned = wanted == KILN_DTYPE_I4 || wanted == KILN_DTYPE_I2;
  bool isNarrow = wanted >= KILN_DTYPE_F8E4M3FN && wanted < KILN_DTYPE_COUNT;
  return isNarrow && (stored == KILN_DTYPE_U8 || (isSigned && stored == KILN_DTYPE_I8));
}

kiln_status *kiln_npy_write(const char *path, const kiln_tensor *tensor) {
  return guardedNpy([&] { return writeNpy(path, *tensor); });
}

} // extern "C"
