# Headers with the constants of kiln::ErrorCode, one for each range of errors.def: include/kiln/ErrorCodes of the build folder.
# CMake runs again when errors.def changes, and leaves a header as it is whose constants stay the same. So a new code compiles
# the sources that use its range, and a better summary only the tables of codes.
set(error_codes ${CMAKE_CURRENT_LIST_DIR}/../runtime/include/kiln/errors.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${error_codes})
include_directories(${CMAKE_BINARY_DIR}/include)

# kiln_write_error_codes(range digits): the codes that begin with these two digits, in ErrorCodes/<range>.h.
function(kiln_write_error_codes range digits)
  file(STRINGS ${error_codes} lines REGEX "^KILN_ERROR\\(${digits}")
  set(constants "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "KILN_ERROR\\(([0-9]+), *([A-Za-z0-9]+), " entry "${line}")
    set(name ${CMAKE_MATCH_2})
    math(EXPR number "1${CMAKE_MATCH_1} - 10000")
    string(APPEND constants "inline constexpr ID ${name}{${number}};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/include/kiln/ErrorCodes/${range}.h CONTENT
"// Written by cmake/ErrorCodes.cmake from errors.def.
#pragma once
namespace kiln::ErrorCode {
/// A code of errors.def as a number: 700 is KILN-E0700.
enum ID : unsigned;
${constants}} // namespace kiln::ErrorCode
" @ONLY)
endfunction()

kiln_write_error_codes(Usage 00)
kiln_write_error_codes(Model 01)
kiln_write_error_codes(Graph 02)
kiln_write_error_codes(Plan 03)
kiln_write_error_codes(Target 04)
kiln_write_error_codes(Package 05)
kiln_write_error_codes(Inputs 06)
kiln_write_error_codes(Machine 07)
kiln_write_error_codes(Internal 09)
