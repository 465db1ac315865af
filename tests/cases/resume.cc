// Runs that are killed, stopped or run out of space continue from their last checkpoint and write
// the same bytes as an uninterrupted run.

#include "cases/resume.h"

namespace {

using namespace resume;

/// Returns a block that falls, bounces and slides, for long enough to be killed.
std::vector<std::string> short_slide(const std::string &scheme, const std::string &law,
                                     const std::string &step = "2e-4") {
  return {"Boundary conditions/Gravity=1, -4",
          "Contact/ground/Friction coefficient=0.2",
          "Contact/ground/Point=0, -0.01",
          "Material/Law=" + law,
          "Time/Scheme=" + scheme,
          "Time/Step=" + step,
          "Probes/Interval=3",
          "Probes/foot/Kind=force",
          "Probes/foot/Contact=ground",
          "Probes/done/Kind=work",
          "Probes/done/Contact=ground",
          "Probes/slid/Kind=slip",
          "Probes/slid/Contact=ground",
          "Probes/wrong/Kind=defects",
          "Probes/wrong/Contact=ground",
          "Probes/tip/Kind=acceleration",
          "Probes/tip/Point=1, 1",
          "Output/Number of instants=40"};
}

TEST_F(Resume, KilledRunsOfLinearBodies) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(scheme);
    auto assignments = short_slide(scheme, "linear elastic");
    assignments.emplace_back("Time/End=1");
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfHyperelasticBodies) {
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(scheme);
    auto assignments = short_slide(scheme, "neo-hooke");
    assignments.emplace_back("Time/End=0.4");
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfMaterialsWithMemory) {
  for (const std::vector<std::string> &law :
       {std::vector<std::string>{"elastoplastic", "Material/Yield stress=0.5",
                                 "Material/Kinematic modulus=5"},
        std::vector<std::string>{
            "elastoplastic", "Material/Yield stress=0.5", "Material/Hardening strains=0.01, 0.1",
            "Material/Hardening stresses=0.6, 0.8", "Material/Heat capacity=20"},
        std::vector<std::string>{"viscoelastic", "Material/Prony moduli=30, 10",
                                 "Material/Prony times=0.1, 0.01"}}) {
    SCOPED_TRACE(law.front());
    auto assignments = short_slide("moreau-jean-fremond", law.front());
    assignments.insert(assignments.end(), law.begin() + 1, law.end());
    assignments.insert(assignments.end(), {"Material/Element=mean dilatation", "Time/End=0.3"});
    kill_and_resume(assignments, 5, 0.05);
    fs::remove_all(folder / "reference");
    fs::remove_all(folder / "results");
  }
}

TEST_F(Resume, KilledRunsOfCellsOfSecondOrder) {
  auto assignments = short_slide("moreau-jean-fremond", "neo-hooke");
  assignments.insert(assignments.end(),
                     {"Material/Element=quadratic mean dilatation", "Time/End=0.3"});
  kill_and_resume(assignments, 5, 0.05);
}

TEST_F(Resume, KilledRunsWithFrictionThatDependsOnSpeedPressureAndSlip) {
  auto assignments = short_slide("moreau-jean-fremond", "linear elastic");
  assignments.emplace_back("Time/End=1");
  assignments[1] = "Contact/ground/Friction coefficient=0.1 + 0.1*exp(-slip_speed/0.1) + "
                   "0.2*slip/(slip + 0.01) + 0.1*pressure/(pressure + 1) + 0.05*sin(9*x + t)^2";
  kill_and_resume(assignments, 5, 0.05);
}

TEST_F(Resume, KilledRunsWithAdaptiveStepsAndAMovingGround) {
  auto assignments = short_slide("moreau-jean-fremond", "linear elastic", "2e-3");
  for (const char *more :
       {"Time/Adaptive=true", "Time/Energy error=1e-4", "Time/Theta=0.7", "Time/Grow after=3",
        "Time/End=1", "Contact/ground/Motion y=0.01*sin(20*t)"})
    assignments.emplace_back(more);
  kill_and_resume(assignments, 3, 0.05);
  EXPECT_TRUE(has(read("results/log.txt"), ": cut to 1/2: energy error"));
  EXPECT_TRUE(has(read("results/log.txt"), ": grown to 1/"));
}

constexpr const char *bricks = R"(subsection Rigid bodies
  subsection brick
    set Shape = rectangle
    set Width = 1
    set Height = 0.5
    set Density = 1
    set Copies = 4
    set Offset = 0.1, 0.6
    set Angle = 5
    set Position = 0, 0.5
  end
end
subsection Boundary conditions
  set Gravity = 0, -10
end
subsection Contact
  subsection ground
    set Bodies = all
    set Friction coefficient = 0.3
  end
  subsection pile
    set Bodies = all
    set Surface = rigid bodies
    set Friction coefficient = 0.3
  end
end
subsection Time
  set End = 2
  set Step = 1e-3
end
subsection Output
  set Number of instants = 40
end
)";

TEST_F(Resume, KilledRunsOfRigidBodies) {
  write("case.prm", bricks);
  kill_and_resume({"Output/Contact problems=every 100"}, 5, 0.05);
  EXPECT_TRUE(exists("results/rigid_bodies.csv"));
  EXPECT_TRUE(exists("results/problems/step-001900.hdf5"));
}

/// Spheres that roll and spin on each other and on the ground.
TEST_F(Resume, KilledRunsWithRollingFriction) {
  write("case.prm", R"(subsection Rigid bodies
  subsection ball
    set Shape = sphere
    set Radius = 0.1
    set Density = 1000
    set Copies = 5
    set Offset = 0.05, 0.03, 0.21
    set Position = 0, 0, 0.1
    set Initial velocity = 0.5, -0.2, 0
    set Initial angular velocity = 3, 5, 10
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Contact
  subsection ground
    set Bodies = all
    set Friction coefficient = 0.4
    set Rolling friction = 0.004
    set Spinning friction = 0.002
  end
  subsection each other
    set Bodies = all
    set Surface = rigid bodies
    set Friction coefficient = 0.4
    set Rolling friction = 0.004
    set Spinning friction = 0.002
  end
end
subsection Time
  set End = 1
  set Step = 5e-4
end
subsection Output
  set Number of instants = 40
end
)");
  kill_and_resume({"Output/Contact problems=every 500"}, 3, 0.05);
}

TEST_F(Resume, KilledRunsWithEllipticFriction) {
  write("case.prm", rigid_runs::brick_in_a_bowl("", R"(    set Friction coefficient = 0.4
    set Friction ratio = 0.3
    set Friction direction = 1, 2, 0
)") + R"(subsection Time
  set End = 1
  set Step = 2e-4
end
subsection Output
  set Number of instants = 40
end
)");
  kill_and_resume({}, 3, 0.05);
}

/// A cart with a motor, a belt, facets and a turning drum; angles of joints count turns.
TEST_F(Resume, KilledRunsWithJointsAndMovingSurfaces) {
  const std::string source = PERCUSSION_SOURCE_DIR "/tests/processes/";
  for (const std::string name : {"box.geo", "road.csv"})
    write(name, cases::read(source + name));
  write("case.prm", cases::read(source + "machine.prm"));
  kill_and_resume(
      {"Time/End=0.4", "Output/Number of instants=40", "Joints/axle 1/Motor torque=0.5*cos(5*t)"},
      4, 0.05);
}

TEST_F(Resume, StoppedRunsSayHowToGoOn) {
  const std::vector<std::string> reference = {
      "case.prm",
      "--set",
      "Time/Step=1e-6",
      "--set",
      "Output/Energy interval=10",
      "--set",
      "Output/Number of instants=40"}; // the first kill is early in the run
  auto arguments = reference;
  arguments.insert(arguments.end(), {"--output", "reference"});
  ASSERT_EQ(wait_for(launch(arguments)), 0);
  const std::pair<int, std::string> signals[] = {{SIGINT, "Ctrl-C (SIGINT)"},
                                                 {SIGTERM, "SIGTERM"},
                                                 {SIGHUP, "SIGHUP (the terminal is gone)"},
                                                 {SIGXCPU, "SIGXCPU (limit of processor time)"},
                                                 {SIGUSR1, "SIGUSR1"}};
  for (const auto &[signal, name] : signals) {
    fs::remove_all(folder / "results");
    fs::remove(folder / ".out");
    arguments = reference;
    arguments.insert(arguments.end(), {"--output", "results"});
    const pid_t pid = launch(arguments);
    int status = 0;
    while (is_running(pid, status) && !exists("results/solution-000001.vtu"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(pid, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(pid, signal); // like programs that forward the signal
    status = wait_for(pid);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << said();
    EXPECT_TRUE(has(said(), "Stopped by " + name + " after step ")) << said();
    EXPECT_TRUE(has(said(), "percussion case.prm --set Time/Step=1e-6 --set 'Output/Energy "
                            "interval=10' --set 'Output/Number of instants=40' --output results "
                            "--resume"))
        << said();
    EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"stopped\""));
    arguments.emplace_back("--resume");
    ASSERT_EQ(wait_for(launch(arguments)), 0) << said();
    expect_same_results("results");
    EXPECT_TRUE(has(read("results/summary.json"), "\"status\": \"completed\""));
  }
}

/// Two runs in one folder would overwrite each other's files.
TEST_F(Resume, AFolderIsForOneRunAtATime) {
  const std::vector<std::string> arguments = {"case.prm",
                                              "--output",
                                              "results",
                                              "--set",
                                              "Time/Step=1e-8",
                                              "--set",
                                              "Output/Number of instants=1000"};
  const pid_t pid = launch(arguments);
  int status = 0;
  while (is_running(pid, status) && !exists("results/solution-000001.vtu"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto second = start("percussion", arguments);
  auto resuming = arguments;
  resuming.emplace_back("--resume");
  for (const auto &outcome : {second, start("percussion", resuming)}) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.error, "results': another run is writing its results there"))
        << outcome.error;
  }
  EXPECT_TRUE(is_running(pid, status));
  kill(pid, SIGKILL);
  wait_for(pid);
  EXPECT_FALSE(exists("results.1"));
}

} // namespace
