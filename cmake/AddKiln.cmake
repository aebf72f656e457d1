# The one place that wraps add_mlir_* and add_library for Kiln.
#
#   add_kiln_dialect(Graph)                TableGen for dialects/Graph/GraphOps.td
#   add_kiln_library(KilnX a.cpp ... LINK_LIBS KilnY ... [DEPENDS t] [EXCEPTIONS])
#   add_kiln_passes(KilnXPasses Folder)    TableGen for include/kiln/Folder/Passes.td
#   add_kiln_tool(name main.cpp LINK_LIBS ...)
#   add_kiln_unittest(Name a.cpp ... LINK_LIBS ... [SLOW filter])

include(TestTiers)
if(NOT MSVC)
  add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations -fvisibility=hidden
                      -ffunction-sections -fdata-sections)
endif()
if(KILN_SANITIZE)
  # Generated code and LLVM's library carry no type information that the checks of calls could read.
  add_compile_options(-fsanitize=${KILN_SANITIZE} -fno-sanitize=function,vptr -fno-omit-frame-pointer -g)
  # A report ends the program, so that its test fails; in LLVM's headers there are some.
  if(KILN_SANITIZE MATCHES "undefined" AND NOT KILN_BUILD_COMPILER)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  add_link_options(-fsanitize=${KILN_SANITIZE})
endif()
find_program(KILN_LLD NAMES ld.lld-22 ld.lld)
if(KILN_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(--ld-path=${KILN_LLD})
endif()
find_program(KILN_CCACHE ccache)
if(KILN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what the cache needs to store files compiled with precompiled headers.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${KILN_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

# Compiler-side include directories: dialects by their path from the root.
set(KILN_INCLUDES ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include
                  ${CMAKE_SOURCE_DIR}/runtime/include
                  ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/include)

# Any library may include any generated header, also of a folder that CMake reads after it: all libraries wait for all of them.
add_custom_target(KilnGeneratedHeaders)

# add_kiln_library compiles with the precompiled headers KilnMlirHeaders, or those that PRECOMPILED
# names (cmake/PrecompiledHeaders.cmake).
function(add_kiln_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "PRECOMPILED" "LINK_LIBS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${KILN_INCLUDES})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
    if(NOT ARG_PRECOMPILED)
      set(ARG_PRECOMPILED KilnMlirHeaders)
    endif()
    kiln_use_precompiled_headers(${name} ${ARG_PRECOMPILED})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  add_dependencies(${name} KilnGeneratedHeaders ${ARG_DEPENDS})
endfunction()

# Generates <Name>{Dialect,Ops,Types,Attrs,Enums,Interfaces}.{h,cpp}.inc beside
# dialects/<Name> in the build tree. Optional parts are named after the dialect:
#   add_kiln_dialect(Graph ENUMS ATTRS TYPES INTERFACES)
function(add_kiln_dialect name)
  string(TOLOWER ${name} lower)
  cmake_parse_arguments(ARG "ENUMS;ATTRS;TYPES;INTERFACES" "" "" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${name}Ops.td)
  set(includes -I${CMAKE_SOURCE_DIR} -I${CMAKE_CURRENT_SOURCE_DIR})
  set(MLIR_TABLEGEN_FLAGS ${includes})
  mlir_tablegen(${name}Ops.h.inc -gen-op-decls ${includes})
  mlir_tablegen(${name}Ops.cpp.inc -gen-op-defs ${includes})
  mlir_tablegen(${name}Dialect.h.inc -gen-dialect-decls -dialect=${lower} ${includes})
  mlir_tablegen(${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${lower} ${includes})
  if(ARG_ENUMS)
    # A dialect that includes another's .td keeps its enums in a file of their own.
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}Enums.td)
      set(LLVM_TARGET_DEFINITIONS ${name}Enums.td)
    endif()
    mlir_tablegen(${name}Enums.h.inc -gen-enum-decls ${includes})
    mlir_tablegen(${name}Enums.cpp.inc -gen-enum-defs ${includes})
    set(LLVM_TARGET_DEFINITIONS ${name}Ops.td)
  endif()
  if(ARG_ATTRS)
    mlir_tablegen(${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${lower} ${includes})
    mlir_tablegen(${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${lower} ${includes})
  endif()
  if(ARG_TYPES)
    mlir_tablegen(${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${lower} ${includes})
    mlir_tablegen(${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${lower} ${includes})
  endif()
  if(ARG_INTERFACES)
    set(LLVM_TARGET_DEFINITIONS ${name}Interfaces.td)
    mlir_tablegen(${name}Interfaces.h.inc -gen-op-interface-decls ${includes})
    mlir_tablegen(${name}Interfaces.cpp.inc -gen-op-interface-defs ${includes})
  endif()
  add_public_tablegen_target(Kiln${name}IncGen)
  add_dependencies(KilnGeneratedHeaders Kiln${name}IncGen)
endfunction()

# Generates build/include/kiln/<folder>/Passes.h.inc from include/kiln/<folder>/Passes.td;
# <name> is the registration group: registerKiln<name>Passes().
function(add_kiln_passes name folder)
  set(LLVM_TARGET_DEFINITIONS ${CMAKE_SOURCE_DIR}/include/kiln/${folder}/Passes.td)
  set(out ${CMAKE_BINARY_DIR}/include/kiln/${folder})
  file(MAKE_DIRECTORY ${out})
  file(RELATIVE_PATH rel ${CMAKE_CURRENT_BINARY_DIR} ${out})
  mlir_tablegen(${rel}/Passes.h.inc -gen-pass-decls -name=Kiln${name} -I ${CMAKE_SOURCE_DIR})
  add_public_tablegen_target(Kiln${name}PassesIncGen)
  add_dependencies(KilnGeneratedHeaders Kiln${name}PassesIncGen)
endfunction()

function(add_kiln_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${KILN_INCLUDES})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  # The dylib of MLIR lies where the loader does not look by itself.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# SLOW is a filter of GoogleTest: these cases take long and run in the second tier, as unit-<Name>-slow. LAST: those of them that take
# a minute, beside others of the same code, run in the last one, as unit-<Name>-last.
# PRECOMPILED: they are compiled with the precompiled headers KilnTargetHeaders, as libraries of the compiler are.
function(add_kiln_unittest name)
  cmake_parse_arguments(ARG "PRECOMPILED" "SLOW;LAST" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_PRECOMPILED)
    target_compile_options(${name} PRIVATE -fno-exceptions -fPIC)
    kiln_use_precompiled_headers(${name} KilnTargetHeaders)
  endif()
  target_include_directories(${name} PRIVATE ${KILN_INCLUDES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main)
  if(ARG_SLOW)
    kiln_add_test(check-kiln unit NAME unit-${name} COMMAND ${name} --gtest_filter=-${ARG_SLOW})
    kiln_add_test(check-kiln-e2e unit NAME unit-${name}-slow COMMAND ${name} --gtest_filter=${ARG_SLOW}-${ARG_LAST})
    if(ARG_LAST)
      kiln_add_test(check-kiln-all unit NAME unit-${name}-last COMMAND ${name} --gtest_filter=${ARG_LAST})
    endif()
  else()
    kiln_add_test(check-kiln unit NAME unit-${name} COMMAND ${name})
  endif()
endfunction()
