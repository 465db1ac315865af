#include <percussion/base/error.h>
#include <percussion/output/histories.h>

#include <gtest/gtest.h>

#include "support/rigid.h"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

using namespace percussion;
namespace fs = std::filesystem;

TEST(RigidHistory, HasAbsolutePositionsAndEveryDigit) {
  test::RigidSystem system;
  system.rigid = {test::rectangle("block, the \"first\"", 1, 2, 3, {0.1, 0.2}),
                  test::rectangle("b", 1, 1, 1, {5., 0.})};
  system.make();
  const std::array<double, 6> q = {{0.1 + 1e-15, -7. / 3, 12.7, 0, 0, 1e-300}};
  const std::array<double, 6> v = {{1. / 3, 2e17, -0.7, -1, 0, 0}};
  std::copy(q.begin(), q.end(), system.q(0));
  std::copy(v.begin(), v.end(), system.v(0));
  system.state.step = 7;
  system.state.time = 0.7;

  const fs::path file =
      fs::temp_directory_path() / ("percussion-rigid-" + std::to_string(getpid()) + ".csv");
  {
    RigidHistory history(file.string(), {{"case", "two, blocks"}}, system.bodies->rigid);
    history.write(*system.bodies, system.state);
    system.state.step = 8;
    history.write(*system.bodies, system.state);
    history.flush();
  }
  std::ifstream stream(file);
  std::string comment, header, row, next, end;
  std::getline(stream, comment);
  std::getline(stream, header);
  std::getline(stream, row);
  std::getline(stream, next);
  EXPECT_FALSE(std::getline(stream, end));
  fs::remove(file);
  EXPECT_EQ(comment, "# case: two, blocks");
  const std::string name = "\"block, the \"\"first\"\".";
  EXPECT_EQ(header, "step,time," + name + "x\"," + name + "y\"," + name + "angle\"," + name +
                        "vx\"," + name + "vy\"," + name +
                        "omega\",b.x,b.y,b.angle,b.vx,b.vy,"
                        "b.omega");
  std::vector<double> values;
  std::istringstream cells(row);
  for (std::string cell; std::getline(cells, cell, ',');)
    values.push_back(std::strtod(cell.c_str(), nullptr));
  const std::vector<double> expected = {7,    0.7, 0.1 + q[0], 0.2 + q[1], q[2], v[0], v[1],
                                        v[2], 5.,  0.,         1e-300,     -1,   0.,   0.};
  EXPECT_EQ(values, expected);
  EXPECT_EQ(next.substr(0, 2), "8,");
}

TEST(RigidHistory, SaysWhereItCannotBeWritten) {
  EXPECT_THROW(RigidHistory("/nowhere/rigid_bodies.csv", {}, std::vector<RigidBody<2>>()),
               RunError);
}

} // namespace
