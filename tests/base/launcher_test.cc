#include <percussion/base/launcher.h>

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using percussion::launch;

/// Fixture without variables of a launcher in the environment.
class Launcher : public testing::Test {
protected:
  Launcher() { clear(); }
  ~Launcher() override { clear(); }
  static void clear() {
    for (const char *const name :
         {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK"})
      unsetenv(name);
  }
  static void expect(unsigned int n, unsigned int rank, bool is_by_mpirun) {
    EXPECT_EQ(launch().n_processes, n);
    EXPECT_EQ(launch().rank, rank);
    EXPECT_EQ(launch().is_by_mpirun, is_by_mpirun);
  }
};

TEST_F(Launcher, OneProcessWithoutVariables) { expect(1, 0, false); }

TEST_F(Launcher, VariablesOfOpenMpi) {
  setenv("OMPI_COMM_WORLD_SIZE", "12", 1);
  expect(1, 0, false);
  setenv("OMPI_COMM_WORLD_RANK", "7", 1);
  expect(12, 7, true);
}

TEST_F(Launcher, VariablesOfMpich) {
  setenv("PMI_SIZE", "1", 1);
  setenv("PMI_RANK", "0", 1);
  expect(1, 0, true);
}

} // namespace
