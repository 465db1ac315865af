# CHOLMOD, KLU, UMFPACK and AMD as the target SuiteSparse::SuiteSparse: Debian's
# package has no CMake files.

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(KLU_LIBRARY klu)
find_library(UMFPACK_LIBRARY umfpack)
find_library(AMD_LIBRARY amd)
mark_as_advanced(
  CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY KLU_LIBRARY UMFPACK_LIBRARY AMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS
    CHOLMOD_LIBRARY KLU_LIBRARY UMFPACK_LIBRARY AMD_LIBRARY CHOLMOD_INCLUDE_DIR)

if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  target_include_directories(SuiteSparse::SuiteSparse SYSTEM INTERFACE ${CHOLMOD_INCLUDE_DIR})
  target_link_libraries(SuiteSparse::SuiteSparse
    INTERFACE ${CHOLMOD_LIBRARY} ${KLU_LIBRARY} ${UMFPACK_LIBRARY} ${AMD_LIBRARY})
endif()
