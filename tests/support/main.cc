#include <percussion/base/mpi_session.h>

#include <gtest/gtest.h>

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const percussion::MpiSession mpi;
  return RUN_ALL_TESTS();
}
