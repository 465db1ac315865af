#include <percussion/base/mpi_session.h>

#include <gtest/gtest.h>

/// Leaks that the address sanitizer does not report: Gmsh and OpenCASCADE, which read and write CAD
/// files, do not free all they have allocated. The name is the sanitizer's.
extern "C" const char *__lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char *__lsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier)
  return "leak:libgmsh\nleak:libTK\n";
}

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const percussion::MpiSession mpi;
  return RUN_ALL_TESTS();
}
