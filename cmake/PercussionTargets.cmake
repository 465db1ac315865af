# Functions that declare libraries, applications and tests, with all flags in one file.

# Only files that include <percussion/version.h> are recompiled when the version changes.
configure_file(${PROJECT_SOURCE_DIR}/include/percussion/version.h.in
  ${PROJECT_BINARY_DIR}/include/percussion/version.h @ONLY)

# Flags of Percussion itself; not passed on to users of the installed libraries.
add_library(percussion_flags INTERFACE)
target_compile_features(percussion_flags INTERFACE cxx_std_17)
target_include_directories(percussion_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_options(percussion_flags INTERFACE -Wall -Wextra -Wpedantic
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:PERCUSSION_MAY_SHADOW>>>:-Wshadow>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  -Wcast-align -Wno-psabi)
if(PERCUSSION_WERROR)
  target_compile_options(percussion_flags INTERFACE -Werror)
endif()
if(PERCUSSION_SANITIZE)
  target_compile_options(percussion_flags INTERFACE -fsanitize=address,undefined
    -fno-omit-frame-pointer -fno-sanitize=vptr
    -Wno-maybe-uninitialized) # false positives of GCC in instrumented code, even std::regex
  target_link_options(percussion_flags INTERFACE -fsanitize=address,undefined)
endif()
if(PERCUSSION_FUZZ)
  target_compile_options(percussion_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize=vptr,function -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(percussion_flags INTERFACE -fsanitize=address,undefined)
endif()
# No value-changing optimisation: two correct builds must agree to round-off.
target_compile_options(percussion_flags INTERFACE -ffp-contract=off)
# Messages of installed programs name files relative to the source tree.
target_compile_options(percussion_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

# A library that is installed as Percussion::${name}, in the export set of a component of
# find_package(Percussion).
function(percussion_add_library target name component)
  add_library(${target} STATIC ${ARGN})
  add_library(Percussion::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:percussion_flags>)
  install(TARGETS ${target} EXPORT percussion-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# Applications are built at the top of the build folder, as documented in the README.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
