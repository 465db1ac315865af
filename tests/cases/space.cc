// Cases in 3D: shipped cases compared with known results, their output, and refused input.

#include <percussion/case/reference.h>
#include <percussion/run/results_folder.h>

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include "cases/support.h"

namespace cases_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;

Case<3> shipped(const std::string &name, const Assignments &assignments = {}) {
  return build<3>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + name + ".prm"),
                  assignments);
}

// ---- shipped cases ----

/// The contact time and the peak force agree with Hertz' impact within 2.5 % on the shipped mesh.
/// This test takes half of the steps.
TEST(SphereImpact, HasTheTimeAndForceOfHertz) {
  Stepped<3> ball(shipped("sphere_impact", {"Time/Step=5e-4"}));
  const double R = 10., rho = 7.85e-3, E = 210000., nu = 0.3, v = 1., h = ball.c.choices.h;
  const double m = 4. / 3. * M_PI * rho * R * R * R,
               K = 4. / 3. * E / (1. - nu * nu) * std::sqrt(R);
  const double time = 2.94 * std::pow(5. * m / (4. * K), 0.4) * std::pow(v, -0.2);
  const double peak = std::pow(K, 0.4) * std::pow(1.25 * m * v * v, 0.6);
  const double energy = ball.state.energy();
  double contact_time = 0, largest = 0, impulse = 0, balance = 0;
  for (unsigned int k = 0; k < ball.c.span.n_steps; ++k) {
    const auto &record = ball.advance();
    double p = 0;
    for (const auto &contact : record.contacts)
      p += 4. * contact.percussion[0]; // the mesh is a quarter of the ball
    contact_time += p > 0. ? h : 0.;
    largest = std::max(largest, p / h);
    impulse += p;
    balance = std::max(balance, std::abs(record.balance_residual));
  }
  EXPECT_NEAR(contact_time, time, 0.03 * time);
  EXPECT_NEAR(largest, peak, 0.03 * peak);
  EXPECT_NEAR(impulse, 2. * m * v, 0.01 * 2. * m * v);
  EXPECT_LT(balance, 1e-13 * energy);
}

/// Two bars on non-matching meshes exchange their velocities: stress 0.1 from 0 to 20, all energy
/// is strain energy at 10.
TEST(BarsInSpace, ExchangeTheirVelocities) {
  Stepped<3> bars(shipped("bars_in_space", {"Time/Step=0.1"}));
  const double energy = bars.state.energy();
  const auto momentum = [&](unsigned int b) {
    dealii::Tensor<1, 3> sum;
    for (const auto &dofs : bars.c.bodies->elastic[b]->space.node_dofs)
      for (unsigned int d = 0; d < 3; ++d)
        sum[d] += bars.state.Mv[dofs[d]];
    return sum;
  };
  const dealii::Tensor<1, 3> whole = momentum(0) + momentum(1);
  EXPECT_NEAR(energy, 0.4, 1e-12);
  double strain = 0, end = 0, force = 0;
  unsigned int n_force = 0;
  for (unsigned int k = 0; k < bars.c.span.n_steps; ++k) {
    const auto &record = bars.advance();
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * energy);
    EXPECT_LT((momentum(0) + momentum(1) - whole).norm(), 1e-12);
    double p = 0;
    for (const auto &contact : record.contacts)
      p += contact.percussion[0];
    if (bars.state.time > 1. && bars.state.time < 19.) {
      force += p / bars.c.choices.h;
      ++n_force;
    }
    if (p > 1e-3 * bars.c.choices.h)
      end = bars.state.time;
    if (std::abs(bars.state.time - 10.) < 0.01)
      strain = bars.state.strain;
  }
  EXPECT_NEAR(strain, 0.4, 0.01 * 0.4);
  EXPECT_NEAR(end, 20., 0.3);
  EXPECT_NEAR(force / n_force, 0.4, 0.01 * 0.4); // ρ c v on an area of 2 x 2
  // Dispersion behind the wave fronts keeps half a per cent of the energy.
  EXPECT_NEAR(momentum(0)[0] / 40., -0.1, 0.015 * 0.1);
  EXPECT_NEAR(momentum(1)[0] / 40., 0.1, 0.015 * 0.1);
  EXPECT_NEAR(bars.state.energy(), energy, 1e-12);
}

/// Friction and normal percussions create no energy. With the law of the paper friction opposes the
/// mean velocity of the step.
void slide(const std::string &law, bool check_direction) {
  Stepped<3> box(shipped("box_slide", {"Time/End=0.02", "Mesh/Parameters=size = 5",
                                       "Contact/ground/Impact law=" + law}));
  double largest = 0;
  unsigned int n_sliding = 0;
  for (unsigned int k = 0; k < box.c.span.n_steps; ++k) {
    const auto &record = box.advance();
    largest = std::max(largest, box.state.energy());
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * largest);
    EXPECT_LT(record.tangential_work_max, 1e-14 * largest);
    EXPECT_LT(record.normal_work_max, 1e-14 * largest);
    n_sliding += record.n_sliding;
    for (const auto &contact : record.contacts) {
      const auto &p = contact.percussion, &u = contact.velocity;
      const double friction = std::hypot(p[1], p[2]), speed = std::hypot(u[1], u[2]);
      EXPECT_LE(friction, 0.5 * p[0] * (1. + 1e-8) + 1e-14);
      if (check_direction && contact.status == ContactStatus::slip && speed > 1e-3) {
        EXPECT_NEAR(p[1] * u[1] + p[2] * u[2], -friction * speed, 1e-6 * friction * speed);
      }
    }
  }
  EXPECT_GT(n_sliding, 100u);
}

TEST(BoxSlide, LosesEnergyInEveryContact) { slide("dissipative", false); }
TEST(BoxSlide, FrictionOpposesTheSlip) { slide("as in the paper", true); }

/// A tyre falls, flattens, slips, and friction starts its rotation.
TEST(TyreDrop, KeepsItsBalanceAndLosesEnergyByFrictionOnly) {
  Stepped<3> tyre(
      shipped("tyre_drop", {"Mesh/Parameters=around = 2, across = 1, along = 5", "Time/End=0.02"}));
  const double energy = tyre.state.energy();
  double friction = 0;
  for (unsigned int k = 0; k < tyre.c.span.n_steps; ++k) {
    const auto &record = tyre.advance();
    EXPECT_LT(std::abs(record.balance_residual), 1e-12 * energy);
    EXPECT_LT(record.tangential_work_max, 1e-12 * energy);
    EXPECT_LT(std::abs(record.works.contact_normal), 1e-12 * energy);
    friction += record.works.contact_tangential;
  }
  EXPECT_LT(friction, -1e-3 * energy);
  EXPECT_GT(tyre.state.strain, 0.01 * energy);
}

/// Restitutions that must be raised do not depend on the corrections of a step: projected and
/// condensed contacts raise the same ones, here from step 14 on after a first round of raising.
TEST(TyreDrop, RaisesRestitutionsIndependentlyOfTheRoute) {
  const auto tyre = [](const std::string &elimination, const std::string &solver) {
    return shipped("tyre_drop", {"Mesh/Parameters=around = 4, across = 1, along = 12",
                                 "Initial state/Velocity z=-9", "Time/End=0.009",
                                 "Solver/Contact elimination=" + elimination,
                                 "Solver/Linear systems=" + solver});
  };
  Stepped<3> condensed(tyre("condensed", "direct"));
  Stepped<3> projected(tyre("projected", "conjugate gradients"));
  const double energy = condensed.state.energy();
  unsigned int n_raised = 0;
  for (unsigned int k = 1; k <= condensed.c.span.n_steps; ++k) {
    SCOPED_TRACE("step " + std::to_string(k));
    const auto &expected = condensed.advance();
    const auto &record = projected.advance();
    ASSERT_EQ(record.contacts.size(), expected.contacts.size());
    for (std::size_t i = 0; i < record.contacts.size(); ++i)
      ASSERT_EQ(record.contacts[i].status, expected.contacts[i].status) << i;
    ASSERT_NEAR(projected.state.kinetic, condensed.state.kinetic, 1e-9 * energy);
    ASSERT_NEAR(projected.state.strain, condensed.state.strain, 1e-9 * energy);
    EXPECT_LT(std::abs(record.balance_residual), 1e-12 * energy);
    for (const auto &memory : condensed.state.history.memories)
      n_raised += memory.first_percussion != memory.percussion ? 1 : 0;
  }
  EXPECT_GT(n_raised, 0u);
}

/// Friction at one contact raises the restitution of its neighbour, along the whole row of contacts
/// of a pressed tyre: the limit of corrections applies to those after the last raising.
TEST(PressedTyre, RaisesARowOfRestitutionsInOneStep) {
  Stepped<3> tyre(
      build<3>(ParameterFile::read(PERCUSSION_SOURCE_DIR "/tests/benchmark/pressed_tyre.prm"),
               {"Mesh/Parameters=around = 4, across = 1, along = 24, tilt = 1.5707963",
                "Time/Step=1e-3", "Time/End=0.002", "Solver/Contact elimination=projected"}));
  tyre.advance();
  const auto &record = tyre.advance();
  EXPECT_EQ(record.n_cuts, 0u);
  EXPECT_GT(record.solver_iterations, tyre.c.choices.max_newton_iterations);
  EXPECT_LT(record.tangential_work_max, 1e-12 * tyre.state.energy());
  EXPECT_LT(std::abs(record.balance_residual), 1e-12 * tyre.state.energy());
}

// ---- output ----

class WrittenInSpace : public cases::CaseFolder {
protected:
  vtkSmartPointer<vtkUnstructuredGrid> read_vtu(const std::string &name) const {
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName((folder / name).c_str());
    reader->Update();
    EXPECT_EQ(reader->GetErrorCode(), 0u) << name;
    return reader->GetOutput();
  }
};

TEST_F(WrittenInSpace, FilesHoldTheBodyAndItsContacts) {
  const std::string results = (folder / "results").string();
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/box_slide.prm");
  for (const std::string assignment :
       {"Mesh/Parameters=size = 5", "Time/End=0.01", "Output/Number of instants=2"})
    file.override_with(assignment);
  file.override_with("Output/Directory=" + results);
  const Parameters parameters(declare_case(&file), file);
  const auto c = build_case<3>(parameters, file);
  Log log(true);
  ResultsFolder<3> to(c, parameters, false);
  to.prepare(effective_parameters(file, true), log);
  run_case<3>(c, log);
  const auto grid = read_vtu("results/solution-000002.vtu");
  EXPECT_EQ(grid->GetNumberOfCells(), 8 * 3 * 5);
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    vtkCell &cell = *grid->GetCell(k);
    ASSERT_EQ(cell.GetCellType(), VTK_HEXAHEDRON);
    const auto x = [&](int i) {
      const double *const at = grid->GetPoint(cell.GetPointId(i));
      return dealii::Point<3>(at[0], at[1], at[2]);
    };
    EXPECT_NEAR(cross_product_3d(x(1) - x(0), x(3) - x(0)) * (x(4) - x(0)), 125., 1e-9);
    EXPECT_NEAR(cross_product_3d(x(5) - x(6), x(7) - x(6)) * (x(2) - x(6)), 125., 1e-9);
  }
  auto &fields = *grid->GetPointData();
  double lowest = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    lowest = std::min(lowest, fields.GetArray("displacement")->GetComponent(i, 2));
  EXPECT_NEAR(lowest, -0.005, 1e-3); // the top is pressed down
  const auto contacts = read_vtu("results/contacts-000002.vtu");
  auto &contact_data = *contacts->GetPointData();
  ASSERT_EQ(contacts->GetNumberOfPoints(), 9 * 4);
  double force = 0, area = 0;
  for (vtkIdType i = 0; i < contacts->GetNumberOfPoints(); ++i) {
    const auto vector = [&](const char *name) {
      auto &array = *contact_data.GetArray(name);
      return dealii::Tensor<1, 3>(
          {array.GetComponent(i, 0), array.GetComponent(i, 1), array.GetComponent(i, 2)});
    };
    EXPECT_EQ(vector("normal"), (dealii::Tensor<1, 3>({0., 0., 1.})));
    EXPECT_EQ(vector("tangent"), (dealii::Tensor<1, 3>({1., 0., 0.})));
    EXPECT_EQ(vector("second_tangent"), (dealii::Tensor<1, 3>({0., 1., 0.})));
    const auto p = vector("percussion");
    EXPECT_LE(std::hypot(p[0], p[1]), 0.5 * p[2] * (1. + 1e-8) + 1e-14);
    const double pressure = contact_data.GetArray("pressure")->GetComponent(i, 0);
    force += pressure * contact_data.GetArray("area")->GetComponent(i, 0);
    area += contact_data.GetArray("area")->GetComponent(i, 0);
    EXPECT_NEAR(pressure * contact_data.GetArray("area")->GetComponent(i, 0), p[2] / c.choices.h,
                1e-9 * (1. + p[2] / c.choices.h));
  }
  EXPECT_NEAR(area, 40. * 15., 1e-9);
  // Compressed by 0.005 of 25 mm: the force is between its values for free sides and for held
  // sides.
  const double nu = 0.358, free_side_pressure = 5750. * 0.005 / 25.;
  EXPECT_GT(force / area, free_side_pressure);
  EXPECT_LT(force / area, free_side_pressure * (1. - nu) / ((1. + nu) * (1. - 2. * nu)));
}

// ---- refused input ----

class WrongCaseInSpace : public cases::CheckedCase {
protected:
  WrongCaseInSpace() {
    write("box.geo", "Point(1) = {0, 0, 0};\nPoint(2) = {1, 0, 0};\nPoint(3) = {1, 1, 0};\n"
                     "Point(4) = {0, 1, 0};\nLine(1) = {1, 2};\nLine(2) = {2, 3};\n"
                     "Line(3) = {3, 4};\nLine(4) = {4, 1};\nTransfinite Curve{1:4} = 3;\n"
                     "Curve Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n"
                     "Transfinite Surface{1};\nRecombine Surface{1};\n"
                     "out[] = Extrude {0, 0, 1} { Surface{1}; Layers{2}; Recombine; };\n"
                     "Physical Surface(\"bottom\") = {1};\nPhysical Curve(\"edge\") = {1};\n"
                     "Physical Volume(\"box\") = {out[1]};\n");
  }
  void expect(const std::string &body, const std::vector<std::string> &words) const {
    write("case.prm", "subsection Mesh\n  set File = box.geo\nend\n"
                      "subsection Material\n  set Density = 1\n  set Young modulus = 1\nend\n" +
                          body);
    expect_refusal(check_with({}), words);
  }
};

TEST_F(WrongCaseInSpace, MissingAndExtraComponents) {
  expect("subsection Boundary conditions\n  set Gravity = 0, -9.81\nend\n",
         {"case.prm:9: 'Boundary conditions/Gravity' is '0, -9.81'", "3 values separated by ','"});
  expect("subsection Material\n  set Plane = stress\nend\n", {"Material/Plane"});
}

TEST_F(WrongCaseInSpace, SurfacesAndBodies) {
  expect("subsection Contact\n  subsection ground\n    set Region = edge\n  end\nend\n",
         {"Physical Surface", "dimension 1"});
  expect("subsection Contact\n  subsection tube\n    set Region = bottom\n"
         "    set Surface = inside of cylinder\n    set Axis = 0, 0, 0\n  end\nend\n",
         {"the axis must not be zero"});
  expect("subsection Rigid bodies\n  subsection ball\n    set Density = 1\n"
         "    set Shape = polygon\n  end\nend\n",
         {"Rigid bodies/ball/Shape", "polygon"});
}

TEST_F(WrongCaseInSpace, BodiesThatBeginInsideOfEachOther) {
  const auto write_block = [&](const std::string &name, const std::string &z, unsigned int n) {
    write(name + ".geo",
          "Point(1) = {0, 0, " + z + "};\nPoint(2) = {1, 0, " + z + "};\nPoint(3) = {1, 1, " + z +
              "};\nPoint(4) = {0, 1, " + z +
              "};\nLine(1) = {1, 2};\nLine(2) = {2, 3};\n"
              "Line(3) = {3, 4};\nLine(4) = {4, 1};\nTransfinite Curve{1:4} = " +
              std::to_string(n + 1) +
              ";\nCurve Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n"
              "Transfinite Surface{1};\nRecombine Surface{1};\n"
              "out[] = Extrude {0, 0, 1} { Surface{1}; Layers{" +
              std::to_string(n) +
              "}; Recombine; };\nPhysical Surface(\"under\") = {1};\n"
              "Physical Surface(\"over\") = {out[0]};\nPhysical Volume(\"block\") = {out[1]};\n");
  };
  write_block("lower", "0", 2);
  write_block("upper", "0.9", 3);
  for (const std::string discretisation : {"mortar", "nodes"}) {
    write("case.prm", "subsection Mesh\n  set File = lower.geo, upper.geo\nend\n"
                      "subsection Material\n  set Density = 1\n  set Young modulus = 1\nend\n"
                      "subsection Contact\n  subsection joint\n    set Region = lower:over\n"
                      "    set Surface = region\n    set Against = upper:under\n"
                      "    set Discretisation = " +
                          discretisation + "\n  end\nend\n");
    expect_refusal(check_with({}), {"Contact/joint", "begin inside of each other, 0.1 deep"});
  }
}

TEST_F(WrongCaseInSpace, FreeMotionsOfAPreloadedBody) {
  expect("subsection Initial state\n  set Static preload = true\nend\n",
         {"it is free to move in the direction x"});
  expect("subsection Boundary conditions\n  subsection edge\n    set Displacement x = 0\n"
         "    set Displacement y = 0\n    set Displacement z = 0\n  end\nend\n"
         "subsection Initial state\n  set Static preload = true\nend\n",
         {"it is free to rotate"});
}

TEST_F(WrongCaseInSpace, ThirdCoordinateInThePlane) {
  write("case.prm", "subsection Mesh\n  set File = block.msh\nend\n"
                    "subsection Material\n  set Density = 1\n  set Young modulus = 1\nend\n"
                    "subsection Initial state\n  set Velocity x = 2*z\nend\n");
  expect_refusal(check_with({}), {"z is a variable of 3D cases, and this case is 2D"});
}

} // namespace cases_in_space
