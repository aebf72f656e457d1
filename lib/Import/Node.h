//===- Node.h - One ONNX node during import ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a handler sees: the inputs as values or as known integers, the
// attributes by name, the methods of GraphBuilder, and the results to set.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_NODE_H
#define KILN_LIB_IMPORT_NODE_H

#include "lib/Import/GraphBuilder.h"
#include "lib/Import/Onnx/Proto.h"
#include "lib/Import/Operand.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace kiln::import {

using Attributes = llvm::StringMap<const onnx::AttributeProto *>;

class Node : public GraphBuilder {
public:
  /// Makes the operand of a tensor attribute.
  using ImportTensor = llvm::function_ref<Operand(const onnx::TensorProto &)>;
  /// Imports the nodes of a graph attribute, whose inputs are given; its outputs.
  using ImportBranch = llvm::function_ref<mlir::FailureOr<llvm::SmallVector<Operand>>(
      const onnx::GraphProto &, llvm::ArrayRef<Operand>)>;

  Node(const onnx::NodeProto &proto, int sinceVersion, Attributes attributes,
       llvm::MutableArrayRef<Operand *> inputs, GraphBuilder base,
       ImportTensor importTensor, ImportBranch importBranch)
      : GraphBuilder(base), proto(proto), since(sinceVersion),
        attributes(std::move(attributes)), inputs(inputs), importTensor(importTensor),
        importBranch(importBranch), results(proto.output_size()),
        isRead(unsigned(inputs.size())) {}

  llvm::StringRef op() const { return proto.op_type(); }
  /// The opset version that gave the op its present meaning.
  int sinceVersion() const { return since; }

  // Inputs. Absent optional inputs are empty.
  unsigned numInputs() const { return inputs.size(); }
  bool hasInput(unsigned i) const { return i < inputs.size() && inputs[i]; }
  /// The value; makes the op if only its content was known.
  Value input(unsigned i);
  /// The value with what is known of its content.
  Operand operand(unsigned i) {
    isRead.set(i);
    return *inputs[i];
  }
  /// Slices of an input; of two tables of which an If gives one, of both.
  Value gatherFrom(unsigned i, Value indices, int64_t axis);
  /// Reports an input of two shapes whose elements were not read: only its type was.
  mlir::LogicalResult checkChoices();
  llvm::SmallVector<Value> allInputs();
  mlir::RankedTensorType inputType(unsigned i) const { return inputs[i]->type(); }
  Dims inputDims(unsigned i) const;
  int64_t inputRank(unsigned i) const { return inputType(i).getRank(); }
  /// The content of an integer tensor; null if it is not known.
  const IntTensor *content(unsigned i) const;
  /// Returns the content of an integer tensor that the op cannot do without; null if it
  /// is not known, after an error that calls the tensor `role`.
  const IntTensor *requireContent(unsigned i, llvm::StringRef role);
  /// Says why the content of the results is not known.
  void setUndecided(Undecided why) {
    if (!undecided)
      undecided = std::make_shared<const Undecided>(std::move(why));
  }
  /// Returns why the content of the results is not known: what setUndecided was given, or
  /// else the reason of the first input that has one; null if there is none.
  std::shared_ptr<const Undecided> getUndecided() const;
  /// All elements as integers; reports an error if there is none.
  std::optional<llvm::SmallVector<int64_t>> requireConstants(unsigned i,
                                                             llvm::StringRef role);
  /// The one element of a constant of any type; nullopt if not known.
  std::optional<double> constantNumber(unsigned i) const {
    return hasInput(i) ? numberOf(*inputs[i]) : std::nullopt;
  }
  /// All elements of a constant of floats or integers; nullopt if not known.
  std::optional<llvm::SmallVector<double>> constantNumbers(unsigned i) const;

  // Attributes.
  bool hasAttr(llvm::StringRef name) const { return attributes.count(name); }
  int64_t intAttr(llvm::StringRef name, int64_t otherwise) const;
  double floatAttr(llvm::StringRef name, double otherwise) const;
  llvm::StringRef stringAttr(llvm::StringRef name, llvm::StringRef otherwise) const;
  std::optional<llvm::SmallVector<int64_t>> intsAttr(llvm::StringRef name) const;
  const onnx::AttributeProto *attr(llvm::StringRef name) const {
    return attributes.lookup(name);
  }
  Operand tensor(const onnx::TensorProto &proto) { return importTensor(proto); }
  mlir::FailureOr<llvm::SmallVector<Operand>>
  branch(const onnx::GraphProto &graph, llvm::ArrayRef<Operand> arguments = {}) {
    return importBranch(graph, arguments);
  }
  /// The one element of a constant operand; nullopt if it is not known.
  static std::optional<double> numberOf(const Operand &operand);

  /// `axis` counted from the start; reports one outside [-rank, rank).
  std::optional<int64_t> axis(int64_t value, int64_t rank);
  /// Returns axes counted from the start, sorted; nullopt after an error, if one is
  /// outside [-rank, rank) or repeated.
  std::optional<llvm::SmallVector<int64_t>> axes(llvm::ArrayRef<int64_t> values,
                                                 int64_t rank);

  // Results.
  unsigned numOutputs() const { return results.size(); }
  bool wantsOutput(unsigned i) const {
    return i < results.size() && !proto.output(int(i)).empty();
  }
  /// Sets output `i`; fails on a null value.
  mlir::LogicalResult result(Value value, unsigned i = 0);
  mlir::LogicalResult result(IntTensor content, unsigned i = 0);
  mlir::LogicalResult result(Operand operand, unsigned i = 0);
  llvm::ArrayRef<Operand> getResults() const { return results; }
  const onnx::NodeProto &getProto() const { return proto; }
  /// Why the content of input `i` is not known though it follows from sizes alone.
  std::shared_ptr<const Undecided> undecidedInput(unsigned i) const {
    return hasInput(i) ? inputs[i]->undecided : nullptr;
  }

private:
  const onnx::NodeProto &proto;
  int since;
  Attributes attributes;
  llvm::MutableArrayRef<Operand *> inputs;
  ImportTensor importTensor;
  ImportBranch importBranch;
  std::shared_ptr<const Undecided> undecided;
  llvm::SmallVector<Operand, 1> results;
  llvm::BitVector isRead; ///< inputs of which `input` or `gatherFrom` was asked
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_NODE_H
