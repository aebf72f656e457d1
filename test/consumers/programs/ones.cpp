// Does the same as ones.c through the C++ headers: with a session, and with a pool from
// two threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstring>
#include <kiln/group.hpp>
#include <kiln/npy.h>
#include <kiln/pool.hpp>
#include <kiln/runtime.hpp>
#include <kiln/stamps.hpp>
#include <thread>

namespace {

std::vector<int64_t> shapeOf(const kiln_tensor_info &info) {
  std::vector<int64_t> shape;
  for (uint32_t i = 0; i < info.rank; ++i)
    shape.push_back(info.dims[i].min);
  return shape;
}

std::string textOf(const kiln::rt::Array &array) {
  std::string text = array.name + " " + kiln_dtype_name(array.dtype) + ":";
  for (size_t i = 0; i < array.size / sizeof(float); ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, array.as<float>() + i, sizeof bits);
    char word[16];
    std::snprintf(word, sizeof word, " %08x", static_cast<unsigned>(bits));
    text += word;
  }
  return text;
}

} // namespace

int main(int count, char **arguments) try {
  kiln::rt::Model model(count > 1 ? arguments[1] : "");
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  std::vector<int64_t> shape = shapeOf(model.input(0));
  int64_t elements = 1;
  for (int64_t dim : shape)
    elements *= dim;
  std::vector<float> ones(static_cast<size_t>(elements), 1.0f);
  std::vector<kiln::rt::View> inputs = {{model.input(0).name, ones, shape}};

  kiln::rt::Session session(model, options);
  std::string text = textOf(session.run(inputs).front());
  kiln::rt::Pool pool(model, 2, options);
  std::string others[2];
  std::thread first([&] { others[0] = textOf(pool.run(inputs).front()); });
  std::thread second([&] { others[1] = textOf(pool.run(inputs).front()); });
  first.join();
  second.join();
  if (others[0] != text || others[1] != text)
    return 1;
  std::puts(text.c_str());
  return 0;
} catch (const kiln::rt::Error &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return error.exitCode();
}
