// The contact patch test of three stacked bodies, inclined, quasi-static: uniform stress for all
// meshes, Poisson's ratios, densities and numbers of steps.

#include <percussion/body/cell_stress.h>

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace cases_in_space {
namespace {

/// The density is documented for quasi-static use (doc/cases/hertz.md): the longest period of the
/// column, 12 sqrt(density/young), is half a step of 0.02.
constexpr double pressure = 4., young = 2000., documented_density = 1.8e-3,
                 angle = 17. * M_PI / 180.;
const double cosine = std::cos(angle), sine = std::sin(angle);

std::string number(double x) {
  std::ostringstream text;
  text.precision(17);
  text << x;
  return text.str();
}

/// Choices of a run.
struct Patch {
  int dim;
  double poisson, density;   ///< density relative to the documented one; 0: without inertia
  unsigned int steps_of_one; ///< number of steps for one documented step
  std::string inertia;
};

std::ostream &operator<<(std::ostream &out, const Patch &p) {
  return out << p.dim << "D, nu = " << p.poisson << ", density x " << p.density << ", steps x "
             << p.steps_of_one << ", inertia " << p.inertia;
}

/// Fixture with three blocks of 2 x 1 (x 1) on top of each other, rotated by 17 degrees, of
/// quadrilaterals or hexahedra, the middle one of triangles or tetrahedra, in non-matching meshes.
/// The top is pressed; the base has the tangential displacement of the uniform stress; each block
/// above it is held at one corner as far as the joints allow.
class ContactPatch : public cases::CaseFolder, public testing::WithParamInterface<Patch> {
protected:
  void write_block(const std::string &name, double base, unsigned int along, bool simplices) const {
    const bool in_space = GetParam().dim == 3;
    const double corners[4][2] = {{0., base}, {2., base}, {2., base + 1.}, {0., base + 1.}};
    const char *sides[] = {"bottom", "right", "top", "left"};
    std::string geo, lines, named;
    for (unsigned int i = 0; i < 4; ++i) {
      const double x = cosine * corners[i][0] - sine * corners[i][1],
                   height = sine * corners[i][0] + cosine * corners[i][1];
      const std::string n = std::to_string(i + 1);
      geo += "Point(" + n + ") = {" + number(x) + ", " +
             (in_space ? "0, " + number(height) : number(height) + ", 0") + "};\n";
      lines += "Line(" + n + ") = {" + n + ", " + std::to_string((i + 1) % 4 + 1) + "};\n";
      named += (in_space ? "Physical Surface(\"" : "Physical Curve(\"") + name + " " + sides[i] +
               "\") = {" + (in_space ? "all[" + std::to_string(i + 2) + "]" : n) + "};\n";
    }
    geo += lines +
           "Curve Loop(1) = {1 : 4};\nPlane Surface(1) = {1};\nTransfinite Curve {1, 3} = " +
           std::to_string(along + 1) +
           ";\nTransfinite Curve {2, 4} = " + std::to_string(along / 2 + 1) +
           ";\nTransfinite Surface {1}" +
           (simplices ? " Alternate;\n" : ";\nRecombine Surface {1};\n");
    if (in_space)
      geo += "all[] = Extrude {0, 1, 0} { Surface{1}; Layers{" + std::to_string(along / 2) + "};" +
             (simplices ? "" : " Recombine;") + " };\nPhysical Volume(\"" + name +
             "\") = {all[1]};\n";
    else
      geo += "Physical Surface(\"" + name + "\") = {1};\n";
    for (const std::string corner : {"1", "2"})
      geo += "Physical Point(\"" + name + " corner " + corner + "\") = {" + corner + "};\n";
    write(name + ".geo", geo + named);
  }

  /// Returns the strain along the normal of the joints, positive for shortening; widening() returns
  /// the strain across it.
  double shortening() const {
    const double nu = GetParam().poisson;
    return pressure / young * (GetParam().dim == 2 ? 1. - nu * nu : 1.);
  }
  double widening() const {
    const double nu = GetParam().poisson;
    return pressure / young * (GetParam().dim == 2 ? nu * (1. + nu) : nu);
  }

  void write_case() const {
    const Patch &p = GetParam();
    const std::string up = p.dim == 2 ? "y" : "z";
    // In space as coarse as may be: inertia is redistributed to elements without contact nodes.
    const unsigned int finer = p.inertia == "redistributed" ? 2 : 0;
    write_block("lower", 0., p.dim == 2 ? 6 : 2 + finer, false);
    write_block("middle", 1., p.dim == 2 ? 8 : 4 + finer, true);
    write_block("upper", 2., p.dim == 2 ? 10 : 2 + finer, false);
    const std::string place = "(" + number(cosine) + "*x + " + number(sine) + "*" + up + ")";
    const auto along = [&](double direction) { // displacement at the base
      return " = min(t, 1)*" + number(widening() * direction) + "*" + place + "\n";
    };
    const bool is_quasi_static = p.density == 0.;
    std::string text =
        "subsection Mesh\n  set File = lower.geo, middle.geo, upper.geo\nend\n"
        "subsection Material\n" +
        (is_quasi_static ? std::string()
                         : "  set Density = " + number(documented_density * p.density)) +
        "\n  set Young modulus = " + number(young) +
        "\n  set Poisson ratio = " + number(p.poisson) +
        "\nend\nsubsection Boundary conditions\n  subsection lower bottom\n"
        "    set Displacement x" +
        along(cosine) + "    set Displacement " + up + along(sine);
    if (p.dim == 3)
      text += "    set Displacement y = min(t, 1)*" + number(widening()) + "*y\n";
    text += "  end\n  subsection upper top\n    set Traction x = " + number(pressure * sine) +
            "*min(t, 1)\n    set Traction " + up + " = " + number(-pressure * cosine) +
            "*min(t, 1)\n  end\n";
    for (const auto &[name, base] : {std::pair{"middle", 1.}, std::pair{"upper", 2.}}) {
      text += std::string("  subsection ") + name +
              " corner 1\n    set Displacement x = min(t, 1)*" + number(shortening() * base * sine);
      if (p.dim == 3)
        text += std::string("\n    set Displacement y = 0\n  end\n  subsection ") + name +
                " corner 2\n    set Displacement y = 0";
      text += "\n  end\n";
    }
    text += "end\nsubsection Contact\n  set Node inertia = " + p.inertia + "\n";
    for (const auto &[one, other] : {std::pair{"middle", "lower"}, std::pair{"upper", "middle"}})
      text += std::string("  subsection under ") + one + "\n    set Region = " + one +
              " bottom\n    set Surface = region\n    set Against = " + other + " top\n  end\n";
    text += "end\nsubsection Time\n  set Theta = 1\n  set End = 1.5\n  set Step = " +
            number(0.02 / p.steps_of_one) + (is_quasi_static ? "\n  set Inertia = none" : "") +
            "\nend\n";
    write("case.prm", text);
  }

  template <int dim>
  void check() const {
    Stepped<dim> run(build<dim>(ParameterFile::read((folder / "case.prm").string())));
    const StepRecord<dim> *record = nullptr;
    while (run.state.step < run.c.span.n_steps)
      record = &run.advance();
    double of_contacts = 0, of_stress = 0, of_places = 0;
    for (const auto &contact : record->contacts)
      of_contacts = std::max(
          of_contacts,
          std::abs(contact.percussion[0] / run.c.choices.h / contact.area / pressure - 1.));
    dealii::Tensor<1, 3> normal;
    normal[0] = -sine;
    normal[dim - 1] = cosine;
    for (const auto &body : run.c.bodies->elastic) {
      const CellStress<dim> stress(*body);
      for (unsigned int cell = 0; cell < body->space.mesh.triangulation.n_active_cells(); ++cell)
        of_stress = std::max(
            of_stress, (stress(cell, run.state.q) * normal + pressure * normal).norm() / pressure);
      for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
        double down = 0, height = 0;
        for (unsigned int d = 0; d < dim; ++d) {
          down -= normal[d] * entries(run.state.q)[body->space.node_dofs[i][d]];
          height += normal[d] * body->space.nodes[i][d];
        }
        of_places = std::max(of_places, std::abs(down / shortening() - height) / 3.);
      }
    }
    EXPECT_LT(of_contacts, 1e-6);
    EXPECT_LT(of_stress, 1e-6);
    EXPECT_LT(of_places, 1e-6);
  }
};

TEST_P(ContactPatch, StressIsUniform) {
  write_case();
  if (GetParam().dim == 2)
    check<2>();
  else
    check<3>();
}

/// Factors of the density: with the smallest one the inertia of the blocks is 1e-16 of their
/// stiffness, or less, so that Â of blocks held by contacts only is singular to machine precision.
constexpr double densities[] = {1e-12, 1e-8, 1e-4, 1.};

std::vector<Patch> patches() {
  std::vector<Patch> all;
  for (const int dim : {2, 3})
    for (const double poisson : {0.3, 0.49})
      for (const double density : densities)
        for (const unsigned int steps : {1u, 10u})
          for (const std::string inertia : {"consistent", "redistributed"})
            all.push_back({dim, poisson, density, steps, inertia});
  for (const int dim : {2, 3})
    for (const double poisson : {0.3, 0.49})
      for (const unsigned int steps : {1u, 10u})
        all.push_back({dim, poisson, 0., steps, "consistent"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(ThreeBodies, ContactPatch, testing::ValuesIn(patches()));

} // namespace
} // namespace cases_in_space
