# Programs in Python: their packages are in python/ of the build folder, and in the folder for packages
# when they are installed.

# Debian's folder for packages; relative, so that it follows the prefix.
set(PERCUSSION_PYTHON_INSTALL_DIR lib/python3/dist-packages CACHE STRING
  "Where Python's packages are installed, relative to the prefix")
file(RELATIVE_PATH PERCUSSION_PROGRAM_PYTHON
  /${CMAKE_INSTALL_BINDIR} /${PERCUSSION_PYTHON_INSTALL_DIR})

# percussion_add_python_package(package file...): copies the files of a package, or of a folder in it,
# and installs them.
function(percussion_add_python_package package)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    configure_file(${file} ${PROJECT_BINARY_DIR}/python/${package}/${name} COPYONLY)
  endforeach()
  install(FILES ${ARGN} COMPONENT programs DESTINATION ${PERCUSSION_PYTHON_INSTALL_DIR}/${package})
endfunction()

# percussion_add_python_program(program package module): adds a program that calls main() of a module.
function(percussion_add_python_program program package module)
  configure_file(${PROJECT_SOURCE_DIR}/apps/program.in ${PROJECT_BINARY_DIR}/${program} @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                     WORLD_READ WORLD_EXECUTE)
  add_custom_target(${program} ALL)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/${program}
    DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()
