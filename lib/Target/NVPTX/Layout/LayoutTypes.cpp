//===- LayoutTypes.cpp - Layouts in types ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutTypes.h"
#include "GpuKernels.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

tile::LinearLayoutAttr nvptx::toAttribute(const Layout &layout, MLIRContext *context) {
  return tile::LinearLayoutAttr::get(
      context, SmallVector<int64_t>(layout.registers().begin(), layout.registers().end()),
      SmallVector<int64_t>(layout.threads().begin(), layout.threads().end()));
}

Layout nvptx::layoutIn(tile::FragType type) {
  tile::LinearLayoutAttr layout = type.getLayout();
  return Layout(type.getRows(), type.getColumns(),
                Layout::Bases(layout.getRegisters().begin(), layout.getRegisters().end()),
                Layout::Bases(layout.getThreads().begin(), layout.getThreads().end()));
}

Layout nvptx::rightLayout(tile::MmaOp product) {
  return Layout::mmaRight(product.getRhsShape()[0], layoutIn(product.getType()));
}

bool nvptx::isColumnMajor(tile::StageOp op) {
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  return getConstantIntValue(strides.back()) != 1 &&
         getConstantIntValue(strides[strides.size() - 2]) == 1;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
class LayoutVerifier {
public:
  explicit LayoutVerifier(tile::KernelOp kernel) : kernel(kernel) {}
  bool run();

private:
  bool verify(Operation *op);
  bool verify(Operation *op, Type type);
  bool verifyUses(Operation *op);
  bool verifyRight(tile::MmaOp product);
  bool fail(Operation *op, const Twine &what, const Twine &expected, const Twine &found);

  tile::KernelOp kernel;
};
} // namespace

bool LayoutVerifier::fail(Operation *op, const Twine &what, const Twine &expected,
                          const Twine &found) {
  return refuseLevel(op, "kiln-assign-layouts", what, expected, found);
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Verifies the layout in the type of a result or of a region's argument.
bool LayoutVerifier::verify(Operation *op, Type type) {
  auto frag = dyn_cast<tile::FragType>(type);
  if (!frag)
    return true;
  if (!frag.getLayout())
    return fail(op, "a fragment has no layout", "one from kiln-assign-layouts",
                textOf(type));
  int64_t threads = int64_t(1) << frag.getLayout().getThreads().size();
  int64_t group = tile::groupThreads(op);
  return threads == group ||
         fail(op, "a layout is of other threads than those that run the op", Twine(group),
              Twine(threads));
}

/// Verifies that every operand has the layout that the op reads it in.
bool LayoutVerifier::verifyUses(Operation *op) {
  auto same = [&](Value input, Value result) {
    auto from = cast<tile::FragType>(input.getType()),
         to = cast<tile::FragType>(result.getType());
    return from.getLayout() == to.getLayout() ||
           fail(op, "an operand has another layout than the result", textOf(to),
                textOf(from));
  };
  auto slice = [&](Value whole, Value part, int64_t axis) {
    auto type = cast<tile::FragType>(part.getType());
    Layout layout = layoutIn(cast<tile::FragType>(whole.getType()));
    Layout wanted = axis == 1 ? layout.columnSlice() : layout.rowSlice();
    return layoutIn(type) == wanted ||
           fail(op, "a layout is no slice of that of rank 2",
                textOf(type.cloneWith(toAttribute(wanted, op->getContext()))),
                textOf(type));
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tile::MapOp map) {
        return llvm::all_of(map.getInputs(), [&](Value input) {
          return same(input, map.getResults().front());
        });
      })
      .Case([&](tile::ConvertOp convert) { return same(convert.getInput(), convert); })
      .Case([&](tile::GatherOp gather) { return same(gather.getWhere(), gather); })
      .Case([&](tile::ScatterOp scatter) {
        return same(scatter.getWhere(), scatter.getValue());
      })
      .Case([&](tile::ReduceOp reduce) {
        return reduce.getInput().getType().getRank() == 1 ||
               slice(reduce.getInput(), reduce, reduce.getAxis());
      })
      .Case([&](tile::BroadcastOp broadcast) {
        return slice(broadcast, broadcast.getInput(), broadcast.getAxis());
      })
      .Case([&](tile::MmaOp product) { return verifyRight(product); })
      .Default(true);
}

bool LayoutVerifier::verifyRight(tile::MmaOp product) {
  auto type = dyn_cast<tile::FragType>(product.getRhs().getType());
  if (!type || !product.getMmaSync() || layoutIn(type) == rightLayout(product))
    return true;
  tile::FragType wanted =
      type.cloneWith(toAttribute(rightLayout(product), type.getContext()));
  return fail(product, "a right operand does not lie as mma.sync reads it",
              textOf(wanted), textOf(type));
}

bool LayoutVerifier::verify(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!verify(op, type))
      return false;
  for (Region &region : op->getRegions())
    for (Type type : region.getArgumentTypes())
      if (!verify(op, type))
        return false;
  for (Value operand : op->getOperands())
    if (!isa<tile::ConvertLayoutOp>(op) && !verify(op, operand.getType()))
      return false;
  return verifyUses(op);
}

bool LayoutVerifier::run() {
  return !kernel
              ->walk([&](Operation *op) {
                return op == kernel || verify(op) ? WalkResult::advance()
                                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool nvptx::verifyLayouts(tile::KernelOp kernel) { return LayoutVerifier(kernel).run(); }
