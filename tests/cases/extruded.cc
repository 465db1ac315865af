// Extruded by one element, a case in plane strain equals the 2D case.

#include "cases/stepped.h"
#include "cases/support.h"
#include <map>

namespace cases_in_space {

class Extruded : public cases::CaseFolder {
protected:
  template <int dim>
  Stepped<dim> case_of(const std::string &name, const std::string &text) const {
    return Stepped<dim>(
        build<dim>(ParameterFile::parse(text, (folder / (name + ".prm")).string())));
  }
  /// Writes the mesh of surfaces, and the mesh of their extrusion.
  void write_meshes(const std::string &geometry, const std::string &plane_lines,
                    const std::string &space_lines) const {
    write("plane.geo", geometry + plane_lines + "Physical Surface(\"body\") = {1:n};\n");
    write("space.geo", geometry +
                           "out[] = Extrude {0, 0, 1} { Surface{1:n}; Layers{1}; Recombine; };\n" +
                           space_lines +
                           "For i In {0 : n - 1}\n  front[] += {out[6*i]};\n  "
                           "volumes[] += {out[6*i + 1]};\nEndFor\n"
                           "Physical Surface(\"back\") = {1:n};\n"
                           "Physical Surface(\"front\") = {front[]};\n"
                           "Physical Volume(\"body\") = {volumes[]};\n");
  }
  template <int dim>
  static std::map<ContactStatus, std::size_t> statuses(const StepRecord<dim> &record) {
    std::map<ContactStatus, std::size_t> counts;
    for (const auto &contact : record.contacts)
      counts[contact.status] += dim == 2 ? 2 : 1; // contacts on both faces in 3D
    return counts;
  }
  /// Expects the same steps, and returns the numbers of sticking and sliding contacts.
  static std::map<ContactStatus, std::size_t> expect_same_steps(Stepped<2> plane,
                                                                Stepped<3> space) {
    double largest = plane.state.energy();
    EXPECT_NEAR(space.state.energy(), plane.state.energy(), 1e-9 * largest);
    std::map<ContactStatus, std::size_t> sums;
    for (unsigned int k = 0; k < plane.c.span.n_steps; ++k) {
      const auto &flat = plane.advance();
      const auto &deep = space.advance();
      largest = std::max(largest, plane.state.energy());
      EXPECT_NEAR(space.state.energy(), plane.state.energy(), 1e-9 * largest) << k;
      EXPECT_NEAR(space.state.kinetic, plane.state.kinetic, 1e-9 * largest) << k;
      EXPECT_NEAR(deep.works.contact_tangential, flat.works.contact_tangential, 1e-9 * largest)
          << k;
      EXPECT_LT(std::abs(deep.balance_residual), 1e-12 * largest) << k;
      EXPECT_EQ(statuses(deep), statuses(flat)) << k;
      for (const auto &[status, n] : statuses(flat))
        sums[status] += n;
      if (HasFailure())
        break;
    }
    return sums;
  }
  const std::string held = "  subsection back\n    set Displacement z = 0\n  end\n"
                           "  subsection front\n    set Displacement z = 0\n  end\n";
};

TEST_F(Extruded, SlidingBlockIsThatOfThePlane) {
  write_meshes("n = 1;\nPoint(1) = {0, 0, 0};\nPoint(2) = {40, 0, 0};\nPoint(3) = {40, 25, 0};\n"
               "Point(4) = {0, 25, 0};\nLine(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\n"
               "Line(4) = {4, 1};\nTransfinite Curve{1, 3} = 17;\nTransfinite Curve{2, 4} = 11;\n"
               "Curve Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n"
               "Transfinite Surface{1};\nRecombine Surface{1};\n",
               "Physical Curve(\"bottom\") = {1};\nPhysical Curve(\"top\") = {3};\n"
               "Physical Curve(\"left\") = {4};\n",
               "Physical Surface(\"bottom\") = {out[2]};\nPhysical Surface(\"top\") = {out[4]};\n"
               "Physical Surface(\"left\") = {out[5]};\n");
  const auto text = [&](const std::string &name, const std::string &more,
                        const std::string &surface) {
    return "subsection Mesh\n  set File = " + name +
           ".geo\nend\nsubsection Material\n  set Density = 1.17e-3\n"
           "  set Young modulus = 5750\n  set Poisson ratio = 0.358\nend\n"
           "subsection Boundary conditions\n" +
           more +
           "  subsection left\n    set Traction x = 2*sign(sin(4*pi*t))\n  end\n"
           "  subsection top\n    set Displacement y = -0.005\n  end\n"
           "end\nsubsection Initial state\n  set Static preload = true\n"
           // With friction, round-off would decide the statuses at the limit of stick.
           "  set Preload contact nodes = fixed\nend\n"
           "subsection Contact\n  subsection ground\n    set Region = bottom\n" +
           surface +
           "    set Friction coefficient = 0.5\n  end\nend\nsubsection Time\n"
           "  set End = 0.04\n  set Step = 2e-4\nend\n";
  };
  const auto sums =
      expect_same_steps(case_of<2>("plane", text("plane", "", "")),
                        case_of<3>("space", text("space", held, "    set Normal = 0, 1, 0\n")));
  EXPECT_GT(sums.at(ContactStatus::stick), 500u);
  EXPECT_GT(sums.at(ContactStatus::slip), 500u);
}

TEST_F(Extruded, RingIsThatOfThePlane) {
  write_meshes(
      "n = 24;\nlayers = 2;\nouter = 10;\ninner = 9;\n"
      "For i In {0 : n - 1}\n  angle = 2*Pi*i/n;\n"
      "  Point(1 + i) = {outer*Sin(angle), 0.045 + outer*(1 - Cos(angle)), 0};\n"
      "  Point(1 + n + i) = {inner*Sin(angle), 0.045 + outer - inner*Cos(angle), 0};\nEndFor\n"
      "For i In {0 : n - 1}\n  j = (i + 1) % n;\n  Line(1 + i) = {1 + i, 1 + j};\n"
      "  Line(1 + n + i) = {1 + n + i, 1 + n + j};\n"
      "  Line(1 + 2*n + i) = {1 + i, 1 + n + i};\nEndFor\n"
      "Transfinite Curve {1 : 2*n} = 2;\nTransfinite Curve {1 + 2*n : 3*n} = layers + 1;\n"
      "For i In {0 : n - 1}\n  j = (i + 1) % n;\n"
      "  Curve Loop(1 + i) = {1 + i, 1 + 2*n + j, -(1 + n + i), -(1 + 2*n + i)};\n"
      "  Plane Surface(1 + i) = {1 + i};\n  Transfinite Surface {1 + i};\nEndFor\n"
      "Recombine Surface {1 : n};\n",
      "Physical Curve(\"contact\") = {1 : n};\n",
      "For i In {0 : n - 1}\n  outside[] += {out[6*i + 2]};\nEndFor\n"
      "Physical Surface(\"contact\") = {outside[]};\n");
  // The ground is inclined: frames are not parallel to the axes.
  const auto text = [&](const std::string &name, const std::string &more, const std::string &point,
                        const std::string &direction) {
    return "subsection Mesh\n  set File = " + name +
           ".geo\nend\nsubsection Material\n  set Density = 1000\n  set Law = ogden\n"
           "  set C1 = 0.5e6\n  set C2 = 0.5e4\n  set D = 0.35e6\nend\n" +
           more +
           "subsection Initial state\n  set Velocity x = 10\n  set Velocity y = -10\nend\n"
           "subsection Contact\n  subsection ground\n    set Region = contact\n"
           "    set Point = " +
           point + "\n    set Normal = " + direction +
           "\n    set Friction coefficient = 0.2\n  end\nend\nsubsection Time\n"
           "  set Scheme = pdas-leapfrog\n  set End = 0.3\n  set Step = 0.005\nend\n"
           "subsection Solver\n  set Newton tolerance = 1e-12\nend\n";
  };
  const auto sums = expect_same_steps(
      case_of<2>("plane", text("plane", "", "0, -0.1", "-0.1, 1")),
      case_of<3>("space", text("space", "subsection Boundary conditions\n" + held + "end\n",
                               "0, -0.1, 0", "-0.1, 1, 0")));
  EXPECT_GT(sums.at(ContactStatus::slip), 50u);
}

} // namespace cases_in_space
