//===- Record.h - Structs as attributes -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of passes are attributes of the module, so that tests and people read them in
// the IR. A struct lists its fields once, in a static member
//   template <typename Self, typename Visitor> static void visit(Self &, Visitor &) that
//   calls visitor(name, field) for each; fields are strings, booleans, numbers, optionals
//   and vectors of these, and such structs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_RECORD_H
#define KILN_DIALECTS_GRAPH_RECORD_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace kiln::graph {

/// Writes a struct as a dictionary. Fields with the default of their type are left out.
class RecordWriter {
public:
  explicit RecordWriter(mlir::MLIRContext *context) : builder(context) {}

  template <typename T> mlir::DictionaryAttr write(const T &record) {
    RecordWriter writer(builder.getContext());
    T::visit(record, writer);
    return builder.getDictionaryAttr(writer.fields);
  }
  template <typename T>
  void operator()(llvm::StringRef name, const std::optional<T> &field) {
    if (field)
      add(name, attribute(*field));
  }
  template <typename T> void operator()(llvm::StringRef name, const T &field) {
    mlir::Attribute value = attribute(field);
    if (value != attribute(T()))
      add(name, value);
  }

private:
  void add(llvm::StringRef name, mlir::Attribute value) {
    fields.push_back(builder.getNamedAttr(name, value));
  }
  mlir::Attribute attribute(bool field) { return builder.getBoolAttr(field); }
  template <std::integral T> mlir::Attribute attribute(const T &field) {
    return builder.getI64IntegerAttr(static_cast<int64_t>(field));
  }
  mlir::Attribute attribute(double field) { return builder.getF64FloatAttr(field); }
  mlir::Attribute attribute(const std::string &field) {
    return builder.getStringAttr(field);
  }
  template <typename T> mlir::Attribute attribute(const std::vector<T> &field) {
    llvm::SmallVector<mlir::Attribute> elements;
    for (const T &element : field)
      elements.push_back(attribute(element));
    return builder.getArrayAttr(elements);
  }
  template <typename T> mlir::Attribute attribute(const T &record) {
    return write(record);
  }

  mlir::Builder builder;
  llvm::SmallVector<mlir::NamedAttribute> fields;
};

/// Reads what RecordWriter wrote. Fields that are not there, or that have another type,
/// keep the default of the struct.
class RecordReader {
public:
  explicit RecordReader(mlir::DictionaryAttr record) : record(record) {}

  template <typename T> static T read(mlir::DictionaryAttr record) {
    T result;
    RecordReader reader(record);
    T::visit(result, reader);
    return result;
  }
  template <typename T> void operator()(llvm::StringRef name, T &field) {
    if (mlir::Attribute value = record ? record.get(name) : mlir::Attribute())
      assign(value, field);
  }

private:
  template <typename T> static void assign(mlir::Attribute value, T &field) {
    if constexpr (std::is_same_v<T, bool>) {
      if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(value))
        field = flag.getValue();
    } else if constexpr (std::is_integral_v<T>) {
      if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(value))
        field = static_cast<T>(number.getValue().getSExtValue());
    } else if constexpr (std::is_same_v<T, double>) {
      if (auto number = llvm::dyn_cast<mlir::FloatAttr>(value))
        field = number.getValueAsDouble();
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
        field = text.str();
    } else if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(value)) {
      field = read<T>(dictionary);
    }
  }
  template <typename T>
  static void assign(mlir::Attribute value, std::optional<T> &field) {
    assign(value, field.emplace());
  }
  template <typename T> static void assign(mlir::Attribute value, std::vector<T> &field) {
    if (auto elements = llvm::dyn_cast<mlir::ArrayAttr>(value))
      for (mlir::Attribute element : elements)
        assign(element, field.emplace_back());
  }

  mlir::DictionaryAttr record;
};

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_RECORD_H
