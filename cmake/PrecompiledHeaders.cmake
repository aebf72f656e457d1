# Most of the time to compile a file of the compiler goes into MLIR's headers, so they are compiled once.
# Only headers of MLIR, LLVM and the standard library: no change of Kiln's own makes them anew, and every
# file still includes what it uses. Needs clang and Ninja; otherwise files are compiled as they are.
#
# CMake's own target_precompile_headers puts absolute paths of the checkout into the precompiled file and
# the options, so that the compiler cache of one checkout is of no use to another. Here the precompiled file
# is the "object" of a library whose source is a header of MLIR, behind all others: same options, no paths.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_GENERATOR STREQUAL "Ninja")
  set(KILN_PRECOMPILE ON)
else()
  set(KILN_PRECOMPILE OFF)
endif()

list(GET MLIR_INCLUDE_DIRS 0 KILN_MLIR_INCLUDE_DIR)
set(KILN_LAST_HEADER ${KILN_MLIR_INCLUDE_DIR}/mlir/IR/TensorEncoding.h)
# Without times in it, the same headers give the same file, which is what the compiler cache compares.
set(KILN_NO_HEADER_TIMES "SHELL:-Xclang -fno-pch-timestamp")
# Templates that the headers instantiate are in the precompiled file, not made again by every source.
set(KILN_INSTANTIATE "SHELL:-Xclang -fpch-instantiate-templates")

# add_kiln_precompiled_headers(name header ...)
function(add_kiln_precompiled_headers name)
  if(NOT KILN_PRECOMPILE)
    return()
  endif()
  add_library(${name} OBJECT ${KILN_LAST_HEADER})
  set_source_files_properties(${KILN_LAST_HEADER} PROPERTIES LANGUAGE CXX)
  list(TRANSFORM ARGN PREPEND "SHELL:-include ")
  target_compile_options(${name} PRIVATE -fno-exceptions "SHELL:-x c++-header" ${KILN_NO_HEADER_TIMES}
                         ${KILN_INSTANTIATE} ${ARGN})
  # What depends on a library of objects waits for what these wait for, and not for the objects themselves.
  add_custom_target(${name}File DEPENDS $<TARGET_OBJECTS:${name}>)
endfunction()

# kiln_use_precompiled_headers(target name): for all its sources, which are compiled with -fno-exceptions.
function(kiln_use_precompiled_headers target name)
  if(NOT KILN_PRECOMPILE)
    return()
  endif()
  # Relative to the build folder, where Ninja runs the compiler.
  set(file CMakeFiles/${name}.dir${KILN_LAST_HEADER}.o)
  target_compile_options(${target} PRIVATE "SHELL:-include-pch ${file}" ${KILN_NO_HEADER_TIMES})
  # Sources need the file before they are compiled. They are compiled again when a header in it changes, since the
  # compiler lists these headers among what a source includes.
  add_dependencies(${target} ${name}File)
endfunction()

set(graph_headers
  algorithm cmath functional map memory optional set string vector
  llvm/ADT/MapVector.h llvm/ADT/SetVector.h llvm/ADT/StringExtras.h llvm/ADT/StringMap.h llvm/ADT/TypeSwitch.h
  llvm/Support/Error.h llvm/Support/FormatVariadic.h llvm/Support/MathExtras.h llvm/Support/raw_ostream.h
  mlir/Bytecode/BytecodeOpInterface.h mlir/Dialect/Arith/IR/Arith.h mlir/Dialect/Func/IR/FuncOps.h
  mlir/Dialect/Math/IR/Math.h mlir/Dialect/SCF/IR/SCF.h
  mlir/Dialect/Utils/StaticValueUtils.h mlir/IR/Builders.h mlir/IR/BuiltinOps.h mlir/IR/IRMapping.h
  mlir/IR/ImplicitLocOpBuilder.h mlir/IR/OpImplementation.h mlir/IR/PatternMatch.h
  mlir/IR/RegionKindInterface.h mlir/IR/SymbolTable.h)

# The levels above LLVM's dialect, and the targets, which lower to it.
add_kiln_precompiled_headers(KilnMlirHeaders ${graph_headers})
add_kiln_precompiled_headers(KilnTargetHeaders ${graph_headers}
  mlir/Dialect/Affine/IR/AffineOps.h mlir/Dialect/LLVMIR/LLVMDialect.h mlir/Dialect/LLVMIR/NVVMDialect.h
  mlir/Dialect/Vector/IR/VectorOps.h mlir/Transforms/DialectConversion.h)
