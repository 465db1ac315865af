// A light square that friction alone holds (GRECO's test, Code_Aster SSNV128), in long steps. Free
// velocities are many orders of magnitude larger than those of the solution, so that a residual
// relative to them would accept any percussions.

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include <cmath>
#include <utility>

namespace cases_in_space {
namespace {

/// Outcome of a run.
struct Held {
  std::vector<double> percussions; ///< p_n and p_t of all contacts over the length of a step
  unsigned int n_sticking = 0, n_sliding = 0;
};

/// Fixture with a square of 40 mm on a plane, pushed from the left and pressed from above.
class LightSquare : public cases::CaseFolder {
protected:
  LightSquare() {
    write("square.geo",
          "Point(1) = {0, 0, 0};\nPoint(2) = {0.04, 0, 0};\nPoint(3) = {0.04, 0.04, 0};\n"
          "Point(4) = {0, 0.04, 0};\nLine(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\n"
          "Line(4) = {4, 1};\nCurve Loop(1) = {1 : 4};\nPlane Surface(1) = {1};\n"
          "Transfinite Curve {1 : 4} = 33;\nTransfinite Surface {1};\nRecombine Surface {1};\n"
          "Physical Curve(\"bottom\") = {1};\nPhysical Curve(\"right\") = {2};\n"
          "Physical Curve(\"top\") = {3};\nPhysical Curve(\"left\") = {4};\n"
          "Physical Surface(\"square\") = {1};\n");
    write("case.prm", "subsection Mesh\n  set File = square.geo\nend\nsubsection Material\n"
                      "  set Density = 1\n  set Young modulus = 1.3e11\n  set Poisson ratio = 0.2\n"
                      "end\nsubsection Boundary conditions\n  subsection top\n"
                      "    set Traction y = -5e7*min(t, 1)\n  end\n  subsection left\n"
                      "    set Traction x = 15e7*min(t, 1)\n  end\n  subsection right\n"
                      "    set Displacement x = 0\n  end\nend\nsubsection Contact\n"
                      "  subsection ground\n    set Region = bottom\n    set Surface = half-plane\n"
                      "    set Point = 0, 0\n    set Normal = 0, 1\n"
                      "    set Friction coefficient = 1\n  end\nend\nsubsection Time\n"
                      "  set Theta = 1\n  set End = 1\n  set Step = 0.05\nend\n");
  }

  Held run_with(const Assignments &assignments) const {
    Stepped<2> run(build<2>(ParameterFile::read((folder / "case.prm").string()), assignments));
    const StepRecord<2> *record = nullptr;
    while (run.state.step < run.c.span.n_steps)
      record = &run.advance();
    Held held;
    for (const auto &contact : record->contacts) {
      for (const double p : {contact.percussion[0], contact.percussion[1]})
        held.percussions.push_back(p / run.c.choices.h);
      if (contact.percussion[0] > 0.)
        ++(std::abs(contact.percussion[1]) < (1. - 1e-9) * contact.percussion[0] ? held.n_sticking
                                                                                 : held.n_sliding);
    }
    return held;
  }
};

double largest(const std::vector<double> &values) {
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

double largest_difference(std::vector<double> a, const std::vector<double> &b) {
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    a[i] -= b[i];
  return largest(a);
}

TEST_F(LightSquare, SlidesAsFromADirectMethodForAllDensities) {
  const Held direct = run_with({"Solver/Method=lemke"});
  EXPECT_GT(direct.n_sliding, 3u);
  EXPECT_GT(direct.n_sticking, 3u);
  for (const std::string choice : {"Solver/Tolerance=1e-14", "Material/Density=1",
                                   "Material/Density=1e-6", "Material/Density=1e3"})
    EXPECT_LT(largest_difference(run_with({choice}).percussions, direct.percussions),
              1e-6 * largest(direct.percussions))
        << choice;
}

} // namespace
} // namespace cases_in_space
