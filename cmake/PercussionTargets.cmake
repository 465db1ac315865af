# One way to declare a library, an application or a test, so that flags stand in one place.

add_library(percussion_flags INTERFACE)
target_compile_features(percussion_flags INTERFACE cxx_std_17)
target_include_directories(percussion_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(percussion_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wno-psabi)
if(PERCUSSION_WERROR)
  target_compile_options(percussion_flags INTERFACE -Werror)
endif()
if(PERCUSSION_SANITIZE)
  target_compile_options(percussion_flags INTERFACE -fsanitize=address,undefined
    -fno-omit-frame-pointer -fno-sanitize=vptr
    -Wno-maybe-uninitialized) # GCC takes what it instruments, even std::regex, for uninitialised
  target_link_options(percussion_flags INTERFACE -fsanitize=address,undefined)
endif()
if(PERCUSSION_FUZZ)
  target_compile_options(percussion_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize=vptr,function -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(percussion_flags INTERFACE -fsanitize=address,undefined)
endif()
# No value-changing optimisation: two correct programs must agree to round-off.
target_compile_options(percussion_flags INTERFACE -ffp-contract=off)

# Applications land in the top of the build folder, where the README says they are.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
