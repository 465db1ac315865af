# Fails if a file or a program has a version other than VERSION.
#
#   cmake -DVERSION=1.2.3 -DSOURCE_DIR=DIR -DPROGRAMS=FILE|FILE... -P check_version.cmake

set(failed FALSE)

function(expect who found)
  if(NOT found STREQUAL VERSION)
    message(SEND_ERROR "${who} says version '${found}'; CMakeLists.txt says '${VERSION}'")
    set(failed TRUE PARENT_SCOPE)
  endif()
endfunction()

# Expects VERSION as the first match of a pattern with one group in a file.
function(expect_in file pattern)
  file(READ ${SOURCE_DIR}/${file} text)
  set(found "nothing")
  if(text MATCHES "${pattern}")
    set(found ${CMAKE_MATCH_1})
  endif()
  expect(${file} "${found}")
endfunction()

file(READ ${SOURCE_DIR}/codemeta.json codemeta)
string(JSON found GET "${codemeta}" version)
expect(codemeta.json "${found}")
expect_in(CITATION.cff "\nversion: ([^\n]*)\n")
expect_in(doc/install.md "percussion_([0-9.]*)_")
expect_in(CHANGELOG.md "\n## ([^ \n]*)")
if(EXISTS ${SOURCE_DIR}/doc/Doxyfile) # Doxyfile.in gets its version from CMake
  expect_in(doc/Doxyfile "\nPROJECT_NUMBER *= *([^\n]*)\n")
endif()

string(REPLACE "|" ";" programs "${PROGRAMS}")
foreach(program IN LISTS programs)
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE text
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  get_filename_component(name ${program} NAME)
  string(REPLACE "${name} " "" found "${text}")
  expect("${name} --version" "${found}")
endforeach()

if(NOT failed)
  message(STATUS "version ${VERSION} everywhere")
endif()
