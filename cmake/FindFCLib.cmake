# The Frictional Contact Library as the target FCLib::FCLib, for tests. Its own CMake package would
# add curl and other dependencies.

find_package(HDF5Serial QUIET)
find_path(FCLIB_INCLUDE_DIR fclib.h)
find_library(FCLIB_LIBRARY fclib)
mark_as_advanced(FCLIB_INCLUDE_DIR FCLIB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FCLib
  REQUIRED_VARS FCLIB_LIBRARY FCLIB_INCLUDE_DIR HDF5Serial_FOUND)

if(FCLib_FOUND AND NOT TARGET FCLib::FCLib)
  add_library(FCLib::FCLib INTERFACE IMPORTED)
  target_include_directories(FCLib::FCLib SYSTEM INTERFACE ${FCLIB_INCLUDE_DIR})
  target_link_libraries(FCLib::FCLib INTERFACE ${FCLIB_LIBRARY} HDF5Serial::HDF5)
endif()
