//===- package.cpp - A package at given dims ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/package.h"
#include <charconv>
#include <fstream>
#include <sstream>

using namespace kiln::gpucheck;

ModelPointer kiln::gpucheck::loadModel(const std::string &path,
                                       const std::string &target) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.target = target.empty() ? nullptr : target.c_str();
  kiln_model *model = nullptr;
  require(kiln_model_load(path.c_str(), &options, &model));
  return ModelPointer(model);
}

SessionPointer kiln::gpucheck::createSession(kiln_model *model, const std::string &device,
                                             bool graph,
                                             const std::map<std::string, int64_t> &dims) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  std::vector<kiln_dim_range> ranges;
  for (const auto &[name, value] : dims)
    ranges.push_back({name.c_str(), value, value});
  options.device = device.c_str();
  options.no_graph = !graph;
  options.dims = ranges.data();
  options.dim_count = ranges.size();
  kiln_session *session = nullptr;
  require(kiln_session_create(model, &options, &session));
  return SessionPointer(session);
}

static bool parseInteger(const std::string &text, int64_t &out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

std::map<std::string, int64_t> kiln::gpucheck::parseDims(const std::string &text,
                                                         const std::string &where) {
  std::map<std::string, int64_t> dims;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    size_t colon = part.find(':');
    if (colon == std::string::npos ||
        !parseInteger(part.substr(colon + 1), dims[part.substr(0, colon)]))
      throw Failure(BadFile, "KILN-E0004", where, "dims are malformed", "NAME:SIZE,...",
                    "'" + text + "'", "unpack the archive again");
  }
  return dims;
}

std::vector<int64_t> kiln::gpucheck::shapeOf(const kiln_tensor_info &info,
                                             const std::map<std::string, int64_t> &dims) {
  std::vector<int64_t> shape;
  for (uint32_t i = 0; i < info.rank; ++i) {
    const kiln_dim_info &dim = info.dims[i];
    auto symbol = dims.find(dim.expr);
    if (symbol == dims.end() && dim.min != dim.max)
      throw Failure(BadFile, "KILN-E0004", std::string("input ") + info.name,
                    "a dim has no size", "a size for " + std::string(dim.expr), "none",
                    "name it in dims= of speed.txt");
    shape.push_back(symbol == dims.end() ? dim.min : symbol->second);
  }
  return shape;
}

std::vector<std::vector<std::string>> kiln::gpucheck::readTable(const std::string &path,
                                                                size_t minWords) {
  std::ifstream in(path);
  if (!in)
    throw Failure(BadFile, "KILN-E0002", path, "it cannot be opened",
                  "a file of an archive of gpu-check", "none that can be read",
                  "unpack the archive, or name its folder with --archive");
  std::vector<std::vector<std::string>> rows;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;)
      row.push_back(word);
    if (row.empty() || row[0][0] == '#')
      continue;
    if (row.size() < minWords)
      throw Failure(BadFile, "KILN-E0004", path + " line " + std::to_string(number),
                    "a row is too short", std::to_string(minWords) + " words",
                    std::to_string(row.size()), "unpack the archive again");
    rows.push_back(row);
  }
  return rows;
}
