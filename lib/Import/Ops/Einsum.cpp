//===- Einsum.cpp - Einstein summation ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;

/// Labels of dims: a letter, or a negative number for a dim of the ellipsis, counted from
/// the last.
using Labels = SmallVector<int>;

namespace {
struct Term {
  Value value;
  Labels labels; ///< one for each dim
};

struct Equation {
  SmallVector<std::string> inputs;
  std::string output;
  bool hasOutput;
};
} // namespace

static LogicalResult invalid(Node &n, const Twine &what) {
  return n.fail(ErrorCode::NodeInvalid, "the equation does not fit the inputs: " + what,
                "an equation of Einsum", n.stringAttr("equation", ""),
                "correct the equation");
}

static Equation parse(StringRef text) {
  std::string dense;
  for (char c : text)
    if (c != ' ')
      dense += c;
  Equation result;
  StringRef rest(dense);
  size_t arrow = rest.find("->");
  result.hasOutput = arrow != StringRef::npos;
  if (result.hasOutput)
    result.output = rest.substr(arrow + 2).str();
  SmallVector<StringRef> parts;
  rest.take_front(arrow).split(parts, ',');
  for (StringRef part : parts)
    result.inputs.push_back(part.str());
  return result;
}

/// Returns the labels of a term whose ellipsis has `ellipsis` dims.
static std::optional<Labels> labelsOf(StringRef term, int64_t ellipsis) {
  Labels labels;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term.substr(i).starts_with("...")) {
      if (ellipsis < 0 || term.substr(i + 3).contains('.'))
        return std::nullopt;
      for (int64_t dim = ellipsis; dim > 0; --dim)
        labels.push_back(int(-dim));
      i += 2;
    } else if (llvm::isAlpha(term[i])) {
      labels.push_back(term[i]);
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

//===----------------------------------------------------------------------===//
// One term
//===----------------------------------------------------------------------===//

/// Sums over the dims whose label `keep` rejects.
static Value sumOut(Node &n, Term &term, function_ref<bool(int)> keep) {
  SmallVector<int64_t> axes;
  Labels rest;
  for (auto [axis, label] : llvm::enumerate(term.labels))
    if (keep(label))
      rest.push_back(label);
    else
      axes.push_back(axis);
  term.labels = rest;
  return axes.empty() ? term.value
                      : n.reduce(ReduceKind::sum, term.value, axes, /*keepDims=*/false);
}

/// Takes the diagonal of dims with the same label in a term.
static Value takeDiagonals(Node &n, Term &term) {
  for (size_t second = 1; term.value && second < term.labels.size(); ++second) {
    auto *first = llvm::find(term.labels, term.labels[second]);
    size_t at = first - term.labels.begin();
    if (at == second)
      continue;
    Dims dims = n.dims(term.value), rows(dims.size(), SymbolicExpr(1)), columns = rows;
    if (failed(n.unify(dims[at], dims[second], "dims of one label differ")))
      return {};
    rows[at] = columns[second] = n.dims(term.value)[at];
    Type type = n.builder.getI32Type();
    Value same = n.compare(CompareKind::equal, n.iota(rows, type, at),
                           n.iota(columns, type, second));
    Value only = n.select(same, term.value, n.scalarLike(term.value, 0));
    term.value = n.reduce(ReduceKind::sum, only, int64_t(second), /*keepDims=*/false);
    term.labels.erase(term.labels.begin() + second--);
  }
  return term.value;
}

/// Transposes dims to the order of `order`; labels that the term lacks get size 1.
static Value arrange(Node &n, const Term &term, ArrayRef<int> order) {
  SmallVector<int64_t> permutation;
  Dims dims;
  if (!term.value)
    return {};
  Dims own = n.dims(term.value);
  for (int label : order) {
    auto *at = llvm::find(term.labels, label);
    dims.push_back(at == term.labels.end() ? SymbolicExpr(1)
                                           : own[at - term.labels.begin()]);
    if (at != term.labels.end())
      permutation.push_back(at - term.labels.begin());
  }
  return n.reshape(n.transpose(term.value, permutation), dims);
}

//===----------------------------------------------------------------------===//
// Two terms
//===----------------------------------------------------------------------===//

/// Multiplies elementwise and sums: if nothing is contracted, and for integers.
static Term multiply(Node &n, const Term &a, const Term &b,
                     function_ref<bool(int)> keep) {
  Term result{{}, a.labels};
  for (int label : b.labels)
    if (!llvm::is_contained(result.labels, label))
      result.labels.push_back(label);
  result.value = n.binary(BinaryKind::mul, arrange(n, a, result.labels),
                          arrange(n, b, result.labels));
  if (result.value)
    result.value = sumOut(n, result, keep);
  return result;
}

/// Returns the size of the labels' dims merged into one.
static SymbolicExpr joined(const llvm::DenseMap<int, SymbolicExpr> &sizes,
                           ArrayRef<int> labels) {
  SymbolicExpr count = 1;
  for (int label : labels)
    count *= sizes.lookup(label);
  return count;
}

static Term contract(Node &n, const Term &a, const Term &b,
                     function_ref<bool(int)> keep) {
  Labels batch, rows, columns, summed;
  llvm::DenseMap<int, SymbolicExpr> sizes;
  if (!a.value || !b.value)
    return {};
  for (const Term *term : {&a, &b})
    for (auto [label, dim] : llvm::zip(term->labels, n.dims(term->value)))
      if (auto [it, added] = sizes.try_emplace(label, dim);
          !added && it->second.isConstant(1))
        it->second = dim;
  bool stretches = false;
  for (int label : a.labels) {
    bool shared = llvm::is_contained(b.labels, label);
    (!shared ? rows : keep(label) ? batch : summed).push_back(label);
  }
  for (int label : b.labels)
    if (!llvm::is_contained(a.labels, label))
      columns.push_back(label);
  // If a summed dim is 1 in one term and larger in the other, a matmul cannot contract
  // it.
  for (int label : summed)
    for (const Term *term : {&a, &b}) {
      Dims dims = n.dims(term->value);
      const SymbolicExpr &own =
          dims[llvm::find(term->labels, label) - term->labels.begin()];
      stretches |= !(own == sizes.lookup(label));
    }
  if (summed.empty() || stretches || !isa<FloatType>(n.elementType(a.value)))
    return multiply(n, a, b, keep);

  auto ordered = [&](ArrayRef<int> first, ArrayRef<int> second) {
    Labels order(batch);
    order.append(first.begin(), first.end());
    order.append(second.begin(), second.end());
    return order;
  };
  auto matrices = [&](const Term &term, ArrayRef<int> first, ArrayRef<int> second) {
    Value value = arrange(n, term, ordered(first, second));
    if (!value)
      return value;
    Dims dims = n.dims(value);
    dims.truncate(batch.size());
    dims.push_back(joined(sizes, first));
    dims.push_back(joined(sizes, second));
    return n.reshape(value, dims);
  };
  Value product = n.matmul(matrices(a, rows, summed), matrices(b, summed, columns));
  if (!product)
    return {};
  Dims dims = n.dims(product);
  dims.truncate(batch.size());
  for (int label : rows)
    dims.push_back(sizes.lookup(label));
  for (int label : columns)
    dims.push_back(sizes.lookup(label));
  return {n.reshape(product, dims), ordered(rows, columns)};
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

/// Reads the inputs with a label for each dim; empty after an error.
static SmallVector<Term> readTerms(Node &n, const Equation &equation, int64_t &ellipsis) {
  if (equation.inputs.size() != n.numInputs())
    return (void)invalid(n, "another number of terms"), SmallVector<Term>();
  SmallVector<Term> terms;
  for (auto [i, text] : llvm::enumerate(equation.inputs)) {
    int64_t letters = llvm::count_if(text, [](char c) { return llvm::isAlpha(c); });
    bool open = StringRef(text).contains("...");
    int64_t rest = open ? n.inputRank(i) - letters : -1;
    std::optional<Labels> labels = labelsOf(text, rest);
    if (!labels || int64_t(labels->size()) != n.inputRank(i))
      return (void)invalid(n, "input " + Twine(i) + " has rank " + Twine(n.inputRank(i))),
             SmallVector<Term>();
    ellipsis = std::max(ellipsis, rest);
    Term term{n.input(i), *labels};
    if (!takeDiagonals(n, term))
      return {};
    terms.push_back(term);
  }
  return terms;
}

/// Returns the output labels of an equation without arrow: the ellipsis, then the labels
/// that occur once, sorted.
static Labels implicitOutput(const Equation &equation, int64_t ellipsis) {
  std::map<int, int> counts;
  for (const std::string &term : equation.inputs)
    for (char c : term)
      if (llvm::isAlpha(c))
        ++counts[c];
  Labels labels;
  for (int64_t dim = ellipsis; dim > 0; --dim)
    labels.push_back(int(-dim));
  for (auto [label, count] : counts)
    if (count == 1)
      labels.push_back(label);
  return labels;
}

LogicalResult kiln::import::importEinsum(Node &n) {
  Equation equation = parse(n.stringAttr("equation", ""));
  int64_t ellipsis = -1;
  SmallVector<Term> terms = readTerms(n, equation, ellipsis);
  if (terms.empty())
    return failure();
  std::optional<Labels> output = equation.hasOutput ? labelsOf(equation.output, ellipsis)
                                                    : implicitOutput(equation, ellipsis);
  if (!output)
    return invalid(n, "the output is no list of labels");
  for (auto [i, label] : llvm::enumerate(*output))
    if (llvm::is_contained(ArrayRef(*output).take_front(i), label) ||
        llvm::none_of(terms,
                      [&](const Term &t) { return llvm::is_contained(t.labels, label); }))
      return invalid(n, "the output has a label twice, or one of its own");
  Term result = terms.front();
  for (size_t next = 1; next <= terms.size(); ++next) {
    // Labels in neither the output nor a later term are summed now.
    auto later = [&](size_t from) {
      return [&, from](int label) {
        return llvm::is_contained(*output, label) ||
               llvm::any_of(ArrayRef(terms).drop_front(from), [&](const Term &term) {
                 return llvm::is_contained(term.labels, label);
               });
      };
    };
    result.value = sumOut(n, result, later(next));
    if (next == terms.size() || !result.value)
      break;
    Term &other = terms[next];
    auto kept = later(next + 1);
    other.value = sumOut(n, other, [&](int label) {
      return kept(label) || llvm::is_contained(result.labels, label);
    });
    result = contract(n, result, other, kept);
  }
  return n.result(arrange(n, result, *output));
}
