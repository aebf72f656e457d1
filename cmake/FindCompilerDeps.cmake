# What the compiler needs: MLIR 22.1 (Debian's packages, dylib), the ONNX library
# (tools/quickstart builds it into build/onnx), protobuf.
find_package(MLIR 22.1 REQUIRED CONFIG)
find_package(ZLIB REQUIRED) # which LLVM needs as well
set(KILN_ONNX_DIR "${CMAKE_SOURCE_DIR}/build/onnx" CACHE PATH
    "Install prefix of the ONNX library 1.23.2")
set(LLVM_LINK_LLVM_DYLIB ON)
set(MLIR_LINK_MLIR_DYLIB ON)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# Headers of LLVM are not ours to warn about.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${LLVM_DEFINITIONS_LIST})
