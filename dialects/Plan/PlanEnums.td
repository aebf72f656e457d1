//===- PlanEnums.td - Enums of the plan dialect ------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLAN_ENUMS_TD
#define KILN_PLAN_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def Plan_ArenaKind : I32EnumAttr<"ArenaKind", "lifetime class of an arena", [
    I32EnumAttrCase<"weights", 0>, I32EnumAttrCase<"input", 1>, I32EnumAttrCase<"output", 2>,
    I32EnumAttrCase<"activations", 3>, I32EnumAttrCase<"state", 4>,
    I32EnumAttrCase<"workspace", 5>]> {
  let cppNamespace = "::kiln::plan";
  let genSpecializedAttr = 0;
}

def Plan_CollectiveKind : I32EnumAttr<"CollectiveKind", "what ranks do together", [
    I32EnumAttrCase<"all_reduce", 0>, I32EnumAttrCase<"all_gather", 1>,
    I32EnumAttrCase<"reduce_scatter", 2>, I32EnumAttrCase<"broadcast", 3>,
    I32EnumAttrCase<"all_to_all", 4>, I32EnumAttrCase<"permute", 5>]> {
  let cppNamespace = "::kiln::plan";
  let genSpecializedAttr = 0;
}
#endif // KILN_PLAN_ENUMS_TD
