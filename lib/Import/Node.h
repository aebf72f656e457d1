//===- Node.h - One ONNX node during import ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of handlers: inputs as values or as known integers, attributes by name, the
// methods of GraphBuilder, and the results to set.
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
  /// Imports the tensor of an attribute as an operand.
  using ImportTensor = llvm::function_ref<Operand(const onnx::TensorProto &)>;
  /// Imports the nodes of a graph attribute, given its inputs; returns its outputs.
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
  /// Returns the opset version that last changed the op.
  int sinceVersion() const { return since; }

  // Inputs. Absent optional inputs are empty.
  unsigned numInputs() const { return inputs.size(); }
  bool hasInput(unsigned i) const { return i < inputs.size() && inputs[i]; }
  /// Returns the value; builds an op if only its content is known.
  Value input(unsigned i);
  /// Returns the value and its known content.
  Operand operand(unsigned i) {
    isRead.set(i);
    return *inputs[i];
  }
  /// Gathers slices of an input; if an If selects one of two tables, from both.
  Value gatherFrom(unsigned i, Value indices, int64_t axis);
  /// Reports an input that may have two shapes if only its type was used.
  mlir::LogicalResult checkChoices();
  llvm::SmallVector<Value> allInputs();
  mlir::RankedTensorType inputType(unsigned i) const { return inputs[i]->type(); }
  Dims inputDims(unsigned i) const;
  int64_t inputRank(unsigned i) const { return inputType(i).getRank(); }
  /// Returns the content of an integer tensor; null if it is unknown.
  const IntTensor *content(unsigned i) const;
  /// Returns the content of an integer tensor that the op needs; null if it is unknown,
  /// after an error that calls the tensor `role`.
  const IntTensor *requireContent(unsigned i, llvm::StringRef role);
  /// Sets the reason why the content of the results is unknown.
  void setUndecided(Undecided why) {
    if (!undecided)
      undecided = std::make_shared<const Undecided>(std::move(why));
  }
  /// Returns the reason why the content of the results is unknown: that of setUndecided,
  /// or else the first input's that has one; null if there is none.
  std::shared_ptr<const Undecided> getUndecided() const;
  /// Returns all elements as integers; reports an error if they are unknown.
  std::optional<llvm::SmallVector<int64_t>> requireConstants(unsigned i,
                                                             llvm::StringRef role);
  /// Returns the only element of a constant of any type; nullopt if unknown.
  std::optional<double> constantNumber(unsigned i) const {
    return hasInput(i) ? numberOf(*inputs[i]) : std::nullopt;
  }
  /// Returns all elements of a float or integer constant; nullopt if unknown.
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
  /// Returns the only element of a constant operand; nullopt if unknown.
  static std::optional<double> numberOf(const Operand &operand);

  /// Returns `value` as an axis counted from the start; reports one outside [-rank,
  /// rank).
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
  /// Returns why the content of input `i` is unknown although it depends only on sizes.
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
  llvm::BitVector isRead; ///< inputs that `input` or `gatherFrom` has read
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_NODE_H
