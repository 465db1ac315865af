# The Frictional Contact Library as the target FCLib::FCLib: its own drags in curl and more. It
# stands on the serial HDF5, and so must what checks its files: others bring the parallel one along.

find_path(FCLIB_INCLUDE_DIR fclib.h)
find_library(FCLIB_LIBRARY fclib)
find_path(HDF5_SERIAL_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_SERIAL_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(FCLIB_INCLUDE_DIR FCLIB_LIBRARY HDF5_SERIAL_INCLUDE_DIR HDF5_SERIAL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FCLib
  REQUIRED_VARS FCLIB_LIBRARY FCLIB_INCLUDE_DIR HDF5_SERIAL_LIBRARY HDF5_SERIAL_INCLUDE_DIR)

if(FCLib_FOUND AND NOT TARGET FCLib::FCLib)
  add_library(FCLib::FCLib INTERFACE IMPORTED)
  target_include_directories(FCLib::FCLib SYSTEM INTERFACE
    ${FCLIB_INCLUDE_DIR} ${HDF5_SERIAL_INCLUDE_DIR})
  target_link_libraries(FCLib::FCLib INTERFACE ${FCLIB_LIBRARY} ${HDF5_SERIAL_LIBRARY})
endif()
