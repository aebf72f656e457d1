# find_package(Kiln) gives Kiln::runtime (shared) and Kiln::runtime_static.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(KilnRuntimeShared PROPERTIES EXPORT_NAME runtime)
set_target_properties(KilnRuntimeStatic PROPERTIES EXPORT_NAME runtime_static)
install(TARGETS KilnRuntimeStatic KilnRuntimeShared EXPORT KilnTargets
        COMPONENT runtime
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/kiln/runtime.h include/kiln/model.h include/kiln/memory.h include/kiln/workers.h
              include/kiln/observe.h
              include/kiln/status.h include/kiln/observe.hpp include/kiln/runtime.hpp include/kiln/memory.hpp include/kiln/workers.hpp include/kiln/pool.hpp
              include/kiln/group.h include/kiln/group.hpp include/kiln/stamps.hpp
              include/kiln/npy.h include/kiln/abi.h include/kiln/errors.def
        COMPONENT runtime
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kiln)
install(EXPORT KilnTargets NAMESPACE Kiln:: COMPONENT runtime
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Kiln)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/KilnConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/KilnConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Kiln)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/KilnConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/KilnConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/KilnConfigVersion.cmake
        COMPONENT runtime
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Kiln)

# pkg-config: the prefix is relative to the .pc file, so that the folder can be moved.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
string(REGEX REPLACE "[^/]+" ".." KILN_PC_PREFIX ${pc_folder})
configure_file(${CMAKE_CURRENT_LIST_DIR}/kiln.pc.in ${CMAKE_CURRENT_BINARY_DIR}/kiln.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kiln.pc COMPONENT runtime DESTINATION ${pc_folder})
