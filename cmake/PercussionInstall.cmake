# cmake --install, except for programs, manual pages and libraries, which are installed where they
# are declared. Components:
#
#   programs        programs, manual pages, cases and meshes
#   documentation   doc/, licence, citation
#   development     libraries, headers, the package for CMake
#   python          the Python module

include(CMakePackageConfigHelpers)

# params/ refers to ../meshes/.
install(DIRECTORY params meshes DESTINATION ${CMAKE_INSTALL_DATADIR}/percussion
  COMPONENT programs)

# README.md and doc/ refer to each other.
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation
  FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.gif
  REGEX "/examples/.*\\.(c|cc|txt|prm|py)$")
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE CITATION.cff codemeta.json
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)

# fc/ is internal to percussion-fc.
install(DIRECTORY include/percussion ${PROJECT_BINARY_DIR}/include/percussion
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN *.h PATTERN fc EXCLUDE)

set(percussion_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Percussion)
configure_package_config_file(cmake/PercussionConfig.cmake.in PercussionConfig.cmake
  INSTALL_DESTINATION ${percussion_cmake_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(PercussionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PercussionConfig.cmake
  ${PROJECT_BINARY_DIR}/PercussionConfigVersion.cmake cmake/PercussionDependencies.cmake
  cmake/FindSuiteSparse.cmake cmake/FindHDF5Serial.cmake
  DESTINATION ${percussion_cmake_dir} COMPONENT development)
foreach(component IN LISTS percussion_components)
  install(EXPORT percussion-${component} FILE Percussion-${component}.cmake
    NAMESPACE Percussion:: DESTINATION ${percussion_cmake_dir} COMPONENT development)
endforeach()
