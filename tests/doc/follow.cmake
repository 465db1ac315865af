# The commands that pages of doc/ show, run as they stand; see follow.py.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(doc_tests ${CMAKE_CURRENT_LIST_DIR})

# percussion_add_doc_test(NAME COMMAND...): a test `doc.NAME`.
function(percussion_add_doc_test name)
  add_test(NAME doc.${name} COMMAND ${Python3_EXECUTABLE} ${ARGN})
  set_tests_properties(doc.${name} PROPERTIES TIMEOUT 600
    ENVIRONMENT "OMP_NUM_THREADS=1;PYTHONDONTWRITEBYTECODE=1")
endfunction()

percussion_add_doc_test(follow ${doc_tests}/test_follow.py)
percussion_add_doc_test(check_messages ${doc_tests}/test_check_messages.py)
percussion_add_doc_test(messages ${doc_tests}/check_messages.py
  ${PROJECT_SOURCE_DIR}/doc/troubleshooting.md)
percussion_add_doc_test(getting_started ${doc_tests}/follow.py --path $<TARGET_FILE_DIR:percussion_app>
  ${PROJECT_SOURCE_DIR}/doc/getting_started.md)

# Pages whose commands begin at the repository's root.
set(pages running meshes contact_solvers validation troubleshooting cases/README)
list(TRANSFORM pages PREPEND ${PROJECT_SOURCE_DIR}/doc/)
list(TRANSFORM pages APPEND .md)
percussion_add_doc_test(commands ${doc_tests}/follow.py --path $<TARGET_FILE_DIR:percussion_app>
  --in-repository ${pages})
