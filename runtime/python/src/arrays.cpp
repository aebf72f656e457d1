//===- arrays.cpp - Python arrays as tensors ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arrays.h"
#include "errors.h"
#include "kiln/npy.h"
#include <nanobind/stl/string.h>
#include <string_view>

namespace nb = nanobind;
using namespace kiln::python;

const char *kiln::python::numpyName(kiln_dtype dtype) {
  static constexpr const char *names[] = {
#define KILN_ELEMENT(NAME, name, bytes, numpy, npy) numpy,
#include "kiln/dtypes.def"
  };
  return static_cast<size_t>(dtype) < KILN_DTYPE_COUNT ? names[dtype] : "?";
}

static bool isNarrow(kiln_dtype dtype) {
  return dtype >= KILN_DTYPE_F8E4M3FN && dtype < KILN_DTYPE_COUNT;
}

/// Converts a DLPack type; false if no kiln_dtype is the same.
static bool convert(nb::dlpack::dtype type, kiln_dtype &out) {
  using Code = nb::dlpack::dtype_code;
  if (type.lanes != 1)
    return false;
  int log = type.bits == 8    ? 0
            : type.bits == 16 ? 1
            : type.bits == 32 ? 2
            : type.bits == 64 ? 3
                              : -1;
  if (log < 0)
    return false;
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    out = static_cast<kiln_dtype>(KILN_DTYPE_I8 + log);
    return true;
  case Code::UInt:
    out = static_cast<kiln_dtype>(KILN_DTYPE_U8 + log);
    return true;
  case Code::Float:
    out = log == 1 ? KILN_DTYPE_F16 : log == 2 ? KILN_DTYPE_F32 : KILN_DTYPE_F64;
    return log >= 1;
  case Code::Bfloat:
    out = KILN_DTYPE_BF16;
    return log == 1;
  case Code::Bool:
    out = KILN_DTYPE_BOOL;
    return log == 0;
  default:
    return false;
  }
}

/// Whether a value is an array of an ml_dtypes type. DLPack lacks these types, so the
/// caller views the array as integers of the same size.
static bool isOfMlDtypes(nb::handle value, kiln_dtype &out) {
  if (!nb::hasattr(value, "__array_interface__") || !nb::hasattr(value, "view"))
    return false;
  auto name = nb::cast<std::string>(nb::str(nb::getattr(value, "dtype", nb::none())));
  for (int i = 0; i < KILN_DTYPE_COUNT; ++i) {
    auto dtype = static_cast<kiln_dtype>(i);
    if ((dtype != KILN_DTYPE_BF16 && !isNarrow(dtype)) || name != numpyName(dtype))
      continue;
    out = dtype;
    return true;
  }
  return false;
}

/// Returns the name of an input or output from a key of the dict.
static std::string nameOf(nb::handle key, const char *noun) {
  std::string name;
  if (!nb::try_cast(key, name))
    throw nb::type_error(
        (std::string(noun) + "s: a name is text, found " + textOf(nb::repr(key)))
            .c_str());
  refuseNul(name, noun);
  return name;
}

Arrays::Arrays(nb::handle given, bool output, void *stream, const DTypes &wanted)
    : output(output), stream(stream) {
  const char *noun = output ? "output" : "input";
  if (!nb::hasattr(given, "items"))
    throw nb::type_error((std::string(noun) +
                          "s: expected a dict of names and arrays, found " +
                          textOf(given.type().attr("__name__")))
                             .c_str());
  nb::object items = given.attr("items")();
  // Tensors point into these vectors, which must not grow from now on.
  size_t count = nb::len(given);
  names.reserve(count);
  arrays.reserve(count);
  shapes.reserve(count);
  for (nb::handle item : items)
    add(nameOf(nb::object(item[0]), noun), item[1], wanted);
}

/// Whether every value of one NumPy type is a value of another: integers to wider
/// integers, floats to wider floats, bool to numbers. NumPy's "safe" casts also convert
/// int64 to float64.
static bool isWidening(nb::handle numpy, nb::handle from, const char *to) {
  auto kind = nb::cast<std::string>(from.attr("kind"));
  bool toFloat = std::string_view(to).starts_with("float");
  bool fits =
      nb::cast<bool>(from.attr("isnative")) && (kind == "b" || (kind == "f") == toFloat);
  return fits && nb::cast<bool>(numpy.attr("can_cast")(from, to, "safe"));
}

/// Converts a list of numbers to an array of the wanted type; integers must keep their
/// values, other numbers are rounded as numpy.array does.
static nb::object fromList(nb::handle numpy, const std::string &what, nb::handle list,
                           const char *wanted) {
  bool toFloat = std::string_view(wanted).starts_with("float");
  nb::object exact, converted;
  try {
    exact = numpy.attr("array")(list);
    auto kind = nb::cast<std::string>(exact.attr("dtype").attr("kind"));
    bool isEmpty = nb::cast<size_t>(exact.attr("size")) == 0;
    bool fits = isEmpty || (kind == "f" && toFloat) || kind == "b" ||
                ((kind == "i" || kind == "u") && std::string_view(wanted) != "bool");
    if (fits)
      converted = exact.attr("astype")(wanted);
    bool mustEqual = fits && !isEmpty && kind != "f";
    if (mustEqual && !nb::cast<bool>(numpy.attr("array_equal")(converted, exact)))
      converted.reset();
  } catch (nb::python_error &) {
  }
  if (converted)
    return converted;
  raise(602, what, "the list is no array of the input's element type",
        std::string("nested lists of equal lengths with numbers that ") + wanted +
            " holds",
        "others", "convert it with numpy.array, which says more");
}

/// Whether a tensor reports that it is in memory of an NVIDIA GPU, or in managed memory.
static bool isOnGpu(nb::handle value) {
  if (!nb::hasattr(value, "__dlpack_device__"))
    return false;
  int type = 0;
  nb::object device = value.attr("__dlpack_device__")();
  return nb::try_cast(nb::object(device[0]), type) &&
         (type == nb::device::cuda::value || type == nb::device::cuda_managed::value);
}

/// Returns the array itself, or a NumPy view of another library's array, such as a
/// PyTorch tensor in host memory; null for other values.
static nb::object asNumpy(nb::handle numpy, nb::handle value) {
  if (nb::isinstance(value, numpy.attr("ndarray")))
    return nb::borrow(value);
  if (!nb::hasattr(value, "__dlpack__") || isOnGpu(value))
    return {};
  try {
    return numpy.attr("from_dlpack")(value);
  } catch (nb::python_error &) { // NumPy lacks the type, such as bfloat16
    return {};
  }
}

/// Converts an input to the wanted type if that keeps all values; otherwise returns it
/// unchanged.
static nb::object convertInput(const std::string &what, nb::handle value,
                               kiln_dtype wanted) {
  // NumPy lacks bfloat16 and types of fewer than 16 bits.
  if (wanted == KILN_DTYPE_BF16 || isNarrow(wanted))
    return nb::borrow(value);
  nb::module_ numpy = nb::module_::import_("numpy");
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) ||
      PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()))
    return fromList(numpy, what, value, numpyName(wanted));
  nb::object array = asNumpy(numpy, value);
  if (!array)
    return nb::borrow(value);
  nb::object dtype = array.attr("dtype");
  bool isNative = nb::cast<bool>(dtype.attr("isnative"));
  bool isAligned = nb::cast<bool>(array.attr("flags").attr("aligned"));
  if (!isNative || !isAligned) // copy to native byte order and aligned memory
    array = array.attr("astype")(dtype.attr("newbyteorder")("="));
  dtype = array.attr("dtype");
  if (dtype.equal(numpy.attr("dtype")(numpyName(wanted))) ||
      !isWidening(numpy, dtype, numpyName(wanted)))
    return isNative && isAligned ? nb::borrow(value) : array;
  return array.attr("astype")(numpyName(wanted));
}

/// Raises the error for an array that cannot be used, which is always because of its
/// type. type: DLPack's, for values without a dtype.
[[noreturn]] static void raiseUnsupportedType(const std::string &what, nb::handle value,
                                              nb::dlpack::dtype type = {}) {
  std::string found = "type code " + std::to_string(type.code) + " of DLPack with " +
                      std::to_string(type.lanes) + " x " + std::to_string(type.bits) +
                      " bits";
  if (nb::hasattr(value, "dtype"))
    found = textOf(nb::str(nb::object(value.attr("dtype"))));
  raise(602, what, "its element type is not supported",
        "one of float32, float16, bfloat16, float64, integers, bool and the types of "
        "ml_dtypes, little-endian",
        found, "convert it, as astype does");
}

/// Gets an array in GPU memory; the producer orders its work before our stream.
Arrays::Dense Arrays::readDevice(const std::string &what, nb::handle value) {
  if (!stream)
    raise(613, what, "its memory is on a GPU, the session on the CPU", "host memory",
          "device memory",
          "copy it to the host, or create the session with device=\"cuda\"");
  nb::object capsule =
      value.attr("__dlpack__")(nb::arg("stream") = reinterpret_cast<intptr_t>(stream));
  if (!PyCapsule_CheckExact(capsule.ptr()))
    raise(602, what, "its __dlpack__ gives no tensor", "a capsule",
          textOf(capsule.type().attr("__name__")), "give a tensor that knows DLPack");
  Dense dense;
  if (!nb::try_cast(capsule, dense, /*convert=*/false))
    raise(606, what, "its memory is not dense", "a row-major tensor without gaps",
          "strides", "make it contiguous");
  return dense;
}

Arrays::Dense Arrays::readHost(const std::string &what, nb::handle value,
                               nb::object source) {
  bool isNumpy = nb::isinstance(value, nb::module_::import_("numpy").attr("ndarray"));
  // Pinned host memory, which is a separate device type in DLPack.
  nb::ndarray<nb::c_contig, nb::device::cuda_host> pinned;
  if (!isNumpy && nb::try_cast(source, pinned, /*convert=*/false))
    return Dense(pinned);
  if (output) { // results would be written to the copy
    nb::ndarray<nb::c_contig, nb::device::cpu> dense;
    if (!nb::try_cast(source, dense, /*convert=*/false))
      raise(606, what, "it cannot be written to where it is",
            "a dense, row-major array that is writable", "another", "use numpy.empty");
    return Dense(dense);
  }
  // Copies only arrays that are not dense and row-major.
  nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu> dense;
  if (nb::try_cast(source, dense))
    return Dense(dense);
  if (isNumpy)
    raiseUnsupportedType(what, value);
  raise(602, what, "it is not an array in CPU memory or on an NVIDIA GPU",
        "a NumPy array or an object with __dlpack__",
        textOf(value.type().attr("__name__")), "convert it with numpy.asarray");
}

void ReleaseBuffer::operator()(Py_buffer *view) const {
  PyBuffer_Release(view);
  delete view;
}

/// Returns the buffer of a C-contiguous NumPy array whose type exists in the buffer
/// protocol; NULL for anything else.
static HostBuffer bufferOf(nb::handle value, bool writable) {
  if (std::string_view(Py_TYPE(value.ptr())->tp_name) != "numpy.ndarray")
    return nullptr;
  auto view = std::make_unique<Py_buffer>();
  int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(value.ptr(), view.get(), flags) == 0)
    return HostBuffer(view.release());
  PyErr_Clear();
  return nullptr;
}

/// Converts a type of the buffer protocol; false if no kiln_dtype is the same, or the
/// byte order differs.
static bool convert(const Py_buffer &view, kiln_dtype &out) {
  using Code = nb::dlpack::dtype_code;
  std::string_view format = view.format;
  auto isOneOf = [&](std::string_view letters) {
    return format.size() == 1 && letters.find(format[0]) != std::string_view::npos;
  };
  nb::dlpack::dtype type{};
  if (isOneOf("bhilq"))
    type.code = static_cast<uint8_t>(Code::Int);
  else if (isOneOf("BHILQ"))
    type.code = static_cast<uint8_t>(Code::UInt);
  else if (isOneOf("efd"))
    type.code = static_cast<uint8_t>(Code::Float);
  else if (isOneOf("?"))
    type.code = static_cast<uint8_t>(Code::Bool);
  else
    return false;
  type.bits = static_cast<uint8_t>(view.itemsize * 8);
  type.lanes = 1;
  return convert(type, out);
}

/// Adds a dense NumPy array of the right type without conversion. The general path takes
/// tens of microseconds, as much as several layers of a decoding step.
bool Arrays::addPlain(const std::string &name, nb::handle value, const DTypes &wanted) {
  HostBuffer buffer = bufferOf(value, output);
  kiln_dtype dtype = KILN_DTYPE_F32;
  auto type = wanted.find(name);
  bool isAligned =
      buffer && reinterpret_cast<uintptr_t>(buffer->buf) % size_t(buffer->itemsize) == 0;
  if (!isAligned || !convert(*buffer, dtype) ||
      (type == wanted.end() ? !output : type->second != dtype))
    return false;
  std::vector<int64_t> shape(buffer->shape, buffer->shape + buffer->ndim);
  kiln_tensor tensor{nullptr,
                     buffer->buf,
                     static_cast<size_t>(buffer->len),
                     dtype,
                     static_cast<uint32_t>(buffer->ndim),
                     nullptr,
                     KILN_MEMORY_HOST};
  buffers.push_back(std::move(buffer));
  addView(name, tensor, std::move(shape));
  return true;
}

void Arrays::addView(std::string name, kiln_tensor tensor, std::vector<int64_t> shape) {
  names.push_back(std::move(name));
  shapes.push_back(std::move(shape));
  tensor.name = names.back().c_str();
  tensor.shape = shapes.back().data();
  views.push_back(tensor);
}

void Arrays::copyBack() const {
  for (const auto &[slice, dense] : slices)
    slice[nb::ellipsis()] = dense;
}

/// Whether an output array is a NumPy array that results can be copied into, although the
/// run cannot write to it directly.
static bool isWritableSlice(nb::handle value) {
  if (!nb::isinstance(value, nb::module_::import_("numpy").attr("ndarray")))
    return false;
  nb::object flags = value.attr("flags");
  return nb::cast<bool>(flags.attr("writeable")) &&
         !nb::cast<bool>(flags.attr("c_contiguous"));
}

void Arrays::add(std::string name, nb::handle given, const DTypes &wanted) {
  if (output && isWritableSlice(given)) {
    nb::object dense = nb::module_::import_("numpy").attr("empty")(given.attr("shape"),
                                                                   given.attr("dtype"));
    slices.emplace_back(nb::borrow(given), dense);
    add(std::move(name), dense, wanted);
    return;
  }
  if (addPlain(name, given, wanted))
    return;
  std::string what = (output ? "output \"" : "input \"") + name + "\"";
  auto type = wanted.find(name);
  nb::object value =
      type == wanted.end() ? nb::borrow(given) : convertInput(what, given, type->second);
  kiln_dtype dtype = KILN_DTYPE_F32;
  bool coded = isOfMlDtypes(value, dtype), onGpu = !coded && isOnGpu(value);
  nb::object source = !coded ? nb::borrow(value)
                             : value.attr("view")(isNarrow(dtype) ? "uint8" : "uint16");
  Dense dense = onGpu ? readDevice(what, value) : readHost(what, value, source);
  if (!coded && !convert(dense.dtype(), dtype))
    raiseUnsupportedType(what, value, dense.dtype());
  // Without ml_dtypes, types of at most 8 bits are passed as bytes, as in files.
  if (type != wanted.end() && kiln_npy_reads_as(dtype, type->second))
    dtype = type->second;
  arrays.emplace_back(dense);
  std::vector<int64_t> shape(dense.ndim());
  for (size_t i = 0; i < dense.ndim(); ++i)
    shape[i] = static_cast<int64_t>(dense.shape(i));
  kiln_tensor tensor{nullptr,
                     const_cast<void *>(dense.data()),
                     dense.nbytes(),
                     dtype,
                     static_cast<uint32_t>(dense.ndim()),
                     nullptr,
                     onGpu ? KILN_MEMORY_DEVICE : KILN_MEMORY_HOST};
  addView(std::move(name), tensor, std::move(shape));
}

/// Returns the NumPy type of a kiln_dtype. bfloat16 and types of at most 8 bits come from
/// ml_dtypes; if it is not installed, bytes of the latter are returned as integers.
static nb::object numpyType(kiln_dtype dtype) {
  if (dtype != KILN_DTYPE_BF16 && !isNarrow(dtype))
    return nb::str(numpyName(dtype));
  try {
    return nb::module_::import_("ml_dtypes").attr(numpyName(dtype));
  } catch (nb::python_error &) {
    if (dtype == KILN_DTYPE_BF16)
      throw;
  }
  bool isSigned = dtype == KILN_DTYPE_I4 || dtype == KILN_DTYPE_I2;
  return nb::str(isSigned ? "int8" : "uint8");
}

OutputArray::OutputArray(const kiln_tensor_info &info, const kiln_shape &shape) {
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::list dims;
  for (uint32_t i = 0; i < shape.rank; ++i)
    dims.append(shape.dims[i]);
  array = numpy.attr("empty")(nb::tuple(dims), numpyType(info.dtype));
  HostBuffer buffer = bufferOf(array, /*writable=*/true);
  // The buffer protocol lacks the types of ml_dtypes.
  void *data = buffer ? buffer->buf
                      : reinterpret_cast<void *>(nb::cast<uintptr_t>(
                            array.attr("__array_interface__")["data"][0]));
  tensor = {info.name,       data,       static_cast<size_t>(shape.bytes),
            info.dtype,      shape.rank, nullptr,
            KILN_MEMORY_HOST};
}
