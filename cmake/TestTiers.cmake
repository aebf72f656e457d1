# Tests by tier. Each test of ctest belongs to exactly one tier, which it has as a label beside its kind (unit, lit,
# lint, pytest ...); test/lint/tiers.py checks that none has been added without.
#
#   check-kiln       lit, unit tests, lints: before each commit
#   check-kiln-e2e   one case per behaviour with programs and packages: before each submission
#   check-kiln-all   the rest: all other cases, the round trip, conformance in full, fuzzers
#
# The target of a tier builds what its tests need and runs them; check-kiln-all runs those of the other two as well.
# `all` leaves out programs that only the last tier runs: check-kiln-all-programs builds them.
#
#   kiln_add_test(check-kiln unit NAME unit-X COMMAND X ... [DEPENDS targets])   as add_test
#   kiln_add_tier_targets()                                                      behind the last test
include_guard(GLOBAL)

# A target that the command names, as itself or by $<TARGET_FILE:...>, is built first.
function(kiln_add_test tier kind)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "NAME" "COMMAND;DEPENDS")
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_COMMAND})
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS "${tier};${kind}")
  string(REGEX MATCHALL "TARGET_FILE(_DIR)?:[^>]+" named "${ARG_COMMAND}")
  list(TRANSFORM named REPLACE "^[^:]+:" "")
  list(GET ARG_COMMAND 0 program)
  set_property(GLOBAL APPEND PROPERTY KILN_NEEDED_BY_${tier} ${program} ${named} ${ARG_DEPENDS})
endfunction()

# The targets of a folder and those below that are built to a file.
function(kiln_built_targets folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  set(built "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(left_out ${target} EXCLUDE_FROM_ALL)
    if(type MATCHES "EXECUTABLE|LIBRARY" AND NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT left_out)
      list(APPEND built ${target})
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS below)
    kiln_built_targets(${subfolder} more)
    list(APPEND built ${more})
  endforeach()
  set(${result} ${built} PARENT_SCOPE)
endfunction()

# Those of the names that are targets of the build are made before `target`.
function(kiln_depend_on_built target)
  list(REMOVE_DUPLICATES ARGN)
  foreach(name IN LISTS ARGN)
    if(TARGET ${name})
      get_target_property(imported ${name} IMPORTED)
      if(NOT imported)
        add_dependencies(${target} ${name})
      endif()
    endif()
  endforeach()
endfunction()

function(kiln_add_tier_target tier labels)
  cmake_host_system_information(RESULT cpus QUERY NUMBER_OF_LOGICAL_CORES)
  add_custom_target(${tier}
    COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure -j ${cpus} -L ${labels}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL VERBATIM)
  kiln_depend_on_built(${tier} ${ARGN})
endfunction()

# Tests behind programs install the build tree, so that they need all of it.
function(kiln_add_tier_targets)
  get_property(needed GLOBAL PROPERTY KILN_NEEDED_BY_check-kiln)
  kiln_built_targets(${CMAKE_SOURCE_DIR} built)
  kiln_add_tier_target(check-kiln "^check-kiln$" ${needed})
  kiln_add_tier_target(check-kiln-e2e "^check-kiln-e2e$" ${built})
  get_property(last GLOBAL PROPERTY KILN_NEEDED_BY_check-kiln-all)
  kiln_add_tier_target(check-kiln-all "^check-kiln" ${built} ${last})
  # Programs of the last tier alone are EXCLUDE_FROM_ALL.
  add_custom_target(check-kiln-all-programs)
  kiln_depend_on_built(check-kiln-all-programs ${last})
endfunction()
