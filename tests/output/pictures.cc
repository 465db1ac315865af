// Written runs of rigid bodies, read again by the report.

#include <percussion/report/display.h>
#include <percussion/report/pictures.h>

#include "report/picture.h"
#include "support/meshes.h"
#include "written_run.h"

namespace {

using namespace percussion;
using test::WrittenRun;

/// What energy.csv would tell of the run.
report::History history_of(const WrittenRun &written) {
  report::History run;
  run.folder = written.folder;
  run.label = "run";
  run.remarks["units"] = "kg, m, s";
  for (std::size_t k = 0; k < written.states.size(); ++k) {
    run.columns["step"].push_back(static_cast<double>(k));
    run.columns["time"].push_back(written.states[k].time);
    run.columns["strain"].push_back(written.states[k].strain);
    run.columns["contacts_active"].push_back(
        static_cast<double>(written.records[k].contacts.size()));
  }
  return run;
}

/// A block falls on another one that lies on the ground: few points are near at first.
void make_tower(WrittenRun &written) {
  auto &system = written.system;
  system.choices.h = 2e-3;
  system.gravity[1] = -9.81;
  system.rigid = {test::rectangle("lower", 1, 1, 2, {0., 0.5}),
                  test::rectangle("upper", 0.8, 0.6, 1, {0.2, 1.9}, 0.2)};
  system.add_contact(ImpactLawKind::fremond, {}, 0.4);
  system.add_mutual_contact(ImpactLawKind::fremond, {}, 0.3);
  system.make();
  system.start();
}

/// Tests that draw; they need an X display.
class PicturesOfRigidBodies : public ::testing::Test {
protected:
  void SetUp() override {
    if (!report::display_answers())
      GTEST_SKIP() << "no X display (run under xvfb-run -a)";
  }
};

TEST_F(PicturesOfRigidBodies, SuccessivePositionsStandInOnePicture) {
  WrittenRun written("positions");
  make_tower(written);
  written.run(250);
  const auto run = history_of(written);
  const auto draw = [&](const report::SceneOptions &options) {
    const auto pictures = report::draw_snapshots(run, options, written.folder, "snapshot-");
    EXPECT_EQ(pictures.size(), 1u);
    EXPECT_EQ(pictures.front().file.filename(), "snapshot-positions.png");
    EXPECT_NE(pictures.front().caption.find("true to scale"), std::string::npos);
    return content_of(pictures.front().file);
  };
  report::SceneOptions options;
  const Content twelve = draw(options);
  EXPECT_GT(twelve.count(colour_of_rigid_bodies), 12 * 10000);
  EXPECT_GT(twelve.count(colour_of_ground), 12 * 500);
  EXPECT_GT(twelve.count(colour_of_arrows), 500);
  // At the start nothing has been pressed.
  options.times = {0};
  const Content one = draw(options);
  EXPECT_GT(one.count(colour_of_rigid_bodies), 100000);
  EXPECT_EQ(one.count(colour_of_arrows), 0);
  options.field = "velocity";
  options.times = {0.1, 0.5};
  const Content coloured = draw(options);
  EXPECT_EQ(coloured.count(colour_of_rigid_bodies), 0);
  EXPECT_GT(coloured.n_colours(), 200u);
}

TEST_F(PicturesOfRigidBodies, MixedRunsHaveAPictureOfEachInstant) {
  const auto mesh = test::rectangle(CellShape::hypercube, 2, 1, 8, 4);
  WrittenRun written("mixed-pictures");
  auto &system = written.system;
  const Material<2> material{1., 1., LinearElastic<2>::from_young(1e3, 0.3, Plane::strain), {}};
  system.add_elastic(*mesh, material);
  system.rigid = {test::rectangle("block", 0.5, 0.5, 1, {1., 1.3}, 0.1)};
  auto &pair = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  pair.bodies.clear();
  pair.region = "top";
  pair.against = {0};
  auto &ground = system.add_contact(ImpactLawKind::fremond, {}, 0.3);
  ground.bodies.clear();
  ground.region = "bottom";
  system.make();
  system.v(0)[1] = -1;
  system.start();
  written.run(100);
  const auto pictures = report::draw_snapshots(history_of(written), {}, written.folder, "s-");
  ASSERT_GE(pictures.size(), 3u);
  for (const auto &picture : pictures) {
    EXPECT_NE(picture.caption.find("true to scale"), std::string::npos) << picture.caption;
    EXPECT_GT(content_of(picture.file).n_colours(), 100u);
    EXPECT_GT(content_of(picture.file).count(colour_of_ground), 3000);
  }
}

} // namespace
