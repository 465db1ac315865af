# Adds the files that Debian's policy requires to each installed component, and the documentation site if
# MkDocs was found. CPack runs this script on the staged files, before it determines dependencies and packs.

include(${CMAKE_CURRENT_LIST_DIR}/pages.cmake)

set(package_of_programs percussion)
set(package_of_development libpercussion-dev)
set(package_of_python python3-percussion)
string(TIMESTAMP DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # or SOURCE_DATE_EPOCH

function(compress)
  if(ARGN)
    execute_process(COMMAND gzip --best --no-name ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

foreach(group programs development python)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${group}/usr)
  if(NOT IS_DIRECTORY ${root})
    continue()
  endif()
  set(PACKAGE ${package_of_${group}})
  set(documentation ${root}/share/doc/${PACKAGE})
  file(MAKE_DIRECTORY ${documentation})
  file(REMOVE ${documentation}/LICENSE) # part of Debian; `copyright` refers to it
  if(group STREQUAL programs AND CPACK_PERCUSSION_MKDOCS_PROGRAM)
    add_pages(${documentation})
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${documentation}/copyright @ONLY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${documentation}/changelog @ONLY)
  file(GLOB pages ${root}/share/man/man*/*.[1-9])
  compress(${documentation}/changelog ${pages})
endforeach()
