# Tests run the commands shown on pages of doc/, see follow.py, and search the sources for the
# messages explained there.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(doc_tests ${CMAKE_CURRENT_LIST_DIR})

# percussion_add_doc_test(NAME COMMAND...): adds a test `doc.NAME`.
function(percussion_add_doc_test name)
  add_test(NAME doc.${name} COMMAND ${Python3_EXECUTABLE} ${ARGN})
  set_tests_properties(doc.${name} PROPERTIES TIMEOUT 600
    ENVIRONMENT "OMP_NUM_THREADS=1;PYTHONDONTWRITEBYTECODE=1")
endfunction()

percussion_add_doc_test(follow ${doc_tests}/test_follow.py)
percussion_add_doc_test(check_messages ${doc_tests}/test_check_messages.py)
percussion_add_doc_test(messages ${doc_tests}/check_messages.py
  ${PROJECT_SOURCE_DIR}/doc/troubleshooting.md)
percussion_add_doc_test(check_language ${doc_tests}/test_check_language.py)
percussion_add_doc_test(language ${doc_tests}/check_language.py ${PROJECT_SOURCE_DIR})
percussion_add_doc_test(check_entries ${doc_tests}/test_check_entries.py)
percussion_add_doc_test(entries ${doc_tests}/check_entries.py ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE_DIR:percussion_app>)
percussion_add_doc_test(site_scripts ${doc_tests}/test_site.py)
percussion_add_doc_test(index ${doc_tests}/check_index.py ${PROJECT_SOURCE_DIR})
percussion_add_doc_test(check_papers ${doc_tests}/test_check_papers.py)
percussion_add_doc_test(papers ${doc_tests}/check_papers.py ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:percussion_app>)
percussion_add_doc_test(trace ${doc_tests}/check_trace.py ${PROJECT_SOURCE_DIR})
percussion_add_doc_test(check_size ${doc_tests}/test_check_size.py)
percussion_add_doc_test(size ${doc_tests}/check_size.py ${PROJECT_SOURCE_DIR})
percussion_add_doc_test(getting_started ${doc_tests}/follow.py
  --path $<TARGET_FILE_DIR:percussion_app> ${PROJECT_SOURCE_DIR}/doc/getting_started.md)
set_tests_properties(doc.getting_started PROPERTIES COST 10) # the longest of these tests

# Pages with commands that begin at the repository's root. The other pages are followed above, or
# are about other kinds of builds, which take long and change the machine.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/doc/*.md)
list(FILTER pages EXCLUDE REGEX "/(README|getting_started|install)[.]md$")
if(PERCUSSION_WITH_PYTHON)
  list(APPEND pages ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/doc/getting_started.ipynb)
else()
  list(FILTER pages EXCLUDE REGEX "/python[.]md$")
endif()
file(GLOB cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/doc/cases/*.md)
# One test for each page: tests run in parallel.
foreach(page IN LISTS pages cases)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/doc ${page})
  string(REGEX REPLACE "^[.][.]/|[.]md$" "" name ${name})
  percussion_add_doc_test(page.${name} ${doc_tests}/follow.py
    --path $<TARGET_FILE_DIR:percussion_app> --in-repository ${page})
endforeach()
