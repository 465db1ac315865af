# The serial HDF5 as the target HDF5Serial::HDF5, for files of FCLib. deal.II and VTK may link the
# parallel one in addition.

find_path(HDF5_SERIAL_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_SERIAL_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HDF5_SERIAL_INCLUDE_DIR HDF5_SERIAL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5Serial
  REQUIRED_VARS HDF5_SERIAL_LIBRARY HDF5_SERIAL_INCLUDE_DIR)

if(HDF5Serial_FOUND AND NOT TARGET HDF5Serial::HDF5)
  add_library(HDF5Serial::HDF5 INTERFACE IMPORTED)
  target_include_directories(HDF5Serial::HDF5 SYSTEM INTERFACE ${HDF5_SERIAL_INCLUDE_DIR})
  target_link_libraries(HDF5Serial::HDF5 INTERFACE ${HDF5_SERIAL_LIBRARY})
endif()
