# Manual pages, made from the output of --help.

find_program(HELP2MAN_PROGRAM help2man)
mark_as_advanced(HELP2MAN_PROGRAM)

# The date of the build, or SOURCE_DATE_EPOCH.
string(TIMESTAMP percussion_date "%Y-%m-%d" UTC)

# percussion_add_man_page(target "what the program does, in a few words")
function(percussion_add_man_page target name)
  if(NOT HELP2MAN_PROGRAM)
    message(STATUS "help2man is not installed: no manual page of ${target}")
    return()
  endif()
  if(PERCUSSION_SANITIZE OR PERCUSSION_FUZZ)
    return() # such programs are not installed, and report leaks of their libraries
  endif()
  get_target_property(program ${target} OUTPUT_NAME)
  if(NOT program)
    set(program ${target})
  endif()
  set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
  add_custom_command(OUTPUT ${page}
    COMMAND ${HELP2MAN_PROGRAM} --no-info --section=1 --manual=Percussion "--name=${name}"
      --output=${page}.raw ${PROJECT_BINARY_DIR}/${program}
    COMMAND sed -e "1,2s/\" \"[A-Z][a-z]* [0-9]*\" \"/\" \"${percussion_date}\" \"/"
      -f ${PROJECT_SOURCE_DIR}/cmake/man_page.sed ${page}.raw > ${page}
    DEPENDS ${target} ${PROJECT_SOURCE_DIR}/cmake/man_page.sed
    COMMENT "Making the manual page ${program}.1" VERBATIM)
  add_custom_target(${target}_man ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)
endfunction()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
