# find_package(bascule) for C++ programs: headers, static libraries and the exported targets (bascule::bascule is all of them).
include(CMakePackageConfigHelpers)
get_property(installed GLOBAL PROPERTY BASCULE_INSTALLED)
install(TARGETS ${installed} EXPORT bascule-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY cpp/include/bascule DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bascule)
install(EXPORT bascule-targets NAMESPACE bascule:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/bascule-config.cmake.in bascule-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bascule-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bascule-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/bascule-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)
