# cpack -G DEB: Debian packages of the installed files. cmake/debian/finish.cmake adds what Debian
# requires in addition (copyright, changelog, compression). The packages have the pages of doc/ as
# Markdown, and as the site if doc/CMakeLists.txt has found MkDocs, its theme and KaTeX.

set(PERCUSSION_MAINTAINER "Percussion developers <percussion@packages.invalid>" CACHE STRING
  "Maintainer of the Debian packages: NAME <ADDRESS>")

# Without another one, the address of the repository from which this clone is.
execute_process(COMMAND git config --get remote.origin.url WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE origin OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE ignored)
if(NOT origin MATCHES "^https://[^@]+$") # a path, or an address with a password
  set(origin "")
endif()
set(PERCUSSION_HOMEPAGE "${origin}" CACHE STRING "Homepage in the Debian packages: https://...")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME percussion)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VENDOR "Percussion developers")
set(CPACK_PACKAGE_CONTACT ${PERCUSSION_MAINTAINER})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)

# Two packages, percussion and libpercussion-dev, and python3-percussion if the module is built.
get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(FILTER CPACK_COMPONENTS_ALL INCLUDE REGEX "^(programs|documentation|development|python)$")
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_PROGRAMS_GROUP programs)
set(CPACK_COMPONENT_DOCUMENTATION_GROUP programs)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
set(CPACK_COMPONENT_PYTHON_GROUP python)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(PERCUSSION_HOMEPAGE)
  set(CPACK_DEBIAN_PACKAGE_HOMEPAGE ${PERCUSSION_HOMEPAGE})
endif()

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME percussion)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "python3, python3-jinja2, python3-matplotlib, python3-numpy,\
 python3-pil")
if(MKDOCS_PROGRAM AND MKDOCS_MATERIAL_DIR AND KATEX_DIR) # for cmake/debian/pages.cmake
  set(CPACK_PERCUSSION_SOURCE_DIR ${PROJECT_SOURCE_DIR})
  set(CPACK_PERCUSSION_MKDOCS_PROGRAM ${MKDOCS_PROGRAM})
  set(CPACK_PERCUSSION_MATERIAL_DIR ${MKDOCS_MATERIAL_DIR})
  set(CPACK_PERCUSSION_KATEX_DIR ${KATEX_DIR})
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "libjs-katex, mkdocs-material")
endif()
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "paraview, python3-vtk9, xvfb")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION
"finite-element dynamics with contact, impact and Coulomb friction
Percussion computes the dynamics of linear elastic, hyperelastic and rigid
bodies in contact, impact and Coulomb friction: finite elements in space, one
implicit time step. Its discrete energy balance closes to round-off, whatever
the contact does, and is recorded at every step.
.
The input is a parameter file; the output is files for ParaView, an energy
history, pictures and a page that shows them. percussion-fc solves frictional
contact problems in files of FCLib and Siconos and compares solvers.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpercussion-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "percussion (= ${PROJECT_VERSION}), libsuitesparse-dev, liblapack-dev, libhdf5-dev,\
 libmuparser-dev")
# Percussion::cone alone must not require the finite elements.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
  "libdeal.ii-dev, libgmsh-dev, libvtk9-dev, mpi-default-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"finite-element dynamics with contact - development files
Static libraries, headers and the package for CMake's find_package(Percussion).
.
Percussion::cone, the solvers of frictional contact problems in 2D and 3D,
needs no finite elements. Percussion::percussion needs the recommended packages.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-percussion)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# A compiled module works with one version of Python.
if(PERCUSSION_WITH_PYTHON)
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "percussion (= ${PROJECT_VERSION}),\
 python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}),\
 python3 (<< ${Python3_VERSION_MAJOR}.${next_minor}), python3-numpy")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-h5py")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"finite-element dynamics with contact - Python modules
Loads a case, overrides its parameters, takes its steps, and provides state,
contacts and energies as NumPy arrays. The module percussion_cone solves
frictional contact problems without finite elements.")

include(CPack)
