// The contact patch test of three stacked bodies, inclined, quasi-static: uniform stress for all
// meshes, Poisson's ratios, densities and numbers of steps, and for bodies of different materials
// with the schemes that integrate contact over faces.

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
  double poisson, density;   ///< of the lowest body; relative to the documented one, 0: no inertia
  unsigned int steps_of_one; ///< number of steps for one documented step
  std::string inertia;
  std::string scheme = "moreau-jean-fremond";
  double stiffer = 1;        ///< Young's modulus of a body, relative to the body below it
  bool is_exchanged = false; ///< true if the lower sides of the joints are called Region
  std::string discretisation = "mortar", entries = ""; ///< other entries of the contacts
  double spring = 0; ///< stiffness of compliant contacts [stress / length]; zero: not compliant
  std::string law = "linear elastic";
  double end = 1.5;            ///< time at the end; loads are constant from 1 on
  bool begins_pressed = false; ///< true if the bodies begin in equilibrium, under the final load
  unsigned int refinement = 1; ///< number of elements for each element of the coarsest mesh
  std::string load = "1";      ///< traction over the uniform one
  double scale = 1;            ///< factor of all loads and prescribed displacements
  double tolerance = 1e-10;    ///< largest relative deviation
  std::string element = "standard";
};

std::ostream &operator<<(std::ostream &out, const Patch &p) {
  return out << p.dim << "D, nu = " << p.poisson << ", density x " << p.density << ", steps x "
             << p.steps_of_one << ", inertia " << p.inertia << ", " << p.scheme
             << ", Young's moduli x " << p.stiffer << (p.is_exchanged ? ", exchanged, " : ", ")
             << p.discretisation << ", " << p.law << ", " << p.element << ", spring " << p.spring
             << (p.begins_pressed ? ", begins pressed, " : ", ") << p.entries;
}

constexpr const char *names[] = {"lower", "middle", "upper"};

/// Fixture with three blocks of 2 x 1 (x 1) on top of each other, rotated by 17 degrees, of
/// quadrilaterals or hexahedra, the middle one of triangles or tetrahedra, in non-matching meshes.
/// Blocks of different Young's moduli have the Poisson's ratios of an equal strain across the
/// normal of the joints.
/// The top is pressed; the base has the tangential displacement of the uniform stress; each block
/// above it is held at one corner as far as the joints allow.
class ContactPatch : public cases::CaseFolder, public testing::WithParamInterface<Patch> {
protected:
  Patch patch = GetParam();

  void write_block(const std::string &name, double base, unsigned int along, bool simplices) const {
    const bool is_spatial = patch.dim == 3;
    const double corners[4][2] = {{0., base}, {2., base}, {2., base + 1.}, {0., base + 1.}};
    const char *sides[] = {"bottom", "right", "top", "left"};
    std::string geo, lines, named;
    for (unsigned int i = 0; i < 4; ++i) {
      const double x = cosine * corners[i][0] - sine * corners[i][1],
                   height = sine * corners[i][0] + cosine * corners[i][1];
      const std::string n = std::to_string(i + 1);
      geo += "Point(" + n + ") = {" + number(x) + ", " +
             (is_spatial ? "0, " + number(height) : number(height) + ", 0") + "};\n";
      lines += "Line(" + n + ") = {" + n + ", " + std::to_string((i + 1) % 4 + 1) + "};\n";
      named += (is_spatial ? "Physical Surface(\"" : "Physical Curve(\"") + name + " " + sides[i] +
               "\") = {" + (is_spatial ? "all[" + std::to_string(i + 2) + "]" : n) + "};\n";
    }
    geo += lines +
           "Curve Loop(1) = {1 : 4};\nPlane Surface(1) = {1};\nTransfinite Curve {1, 3} = " +
           std::to_string(along + 1) +
           ";\nTransfinite Curve {2, 4} = " + std::to_string(along / 2 + 1) +
           ";\nTransfinite Surface {1}" +
           (simplices ? " Alternate;\n" : ";\nRecombine Surface {1};\n");
    if (is_spatial)
      geo += "all[] = Extrude {0, 1, 0} { Surface{1}; Layers{" + std::to_string(along / 2) + "};" +
             (simplices ? "" : " Recombine;") + " };\nPhysical Volume(\"" + name +
             "\") = {all[1]};\n";
    else
      geo += "Physical Surface(\"" + name + "\") = {1};\n";
    for (const std::string corner : {"1", "2"})
      geo += "Physical Point(\"" + name + " corner " + corner + "\") = {" + corner + "};\n";
    write(name + ".geo", geo + named);
  }

  double young_of(unsigned int body) const { return young * std::pow(patch.stiffer, body); }
  double poisson_of(unsigned int body) const {
    const double strain = widening() * young_of(body) / pressure;
    return patch.dim == 2 ? std::sqrt(0.25 + strain) - 0.5 : strain;
  }
  /// Returns the strain along the normal of the joints, positive for shortening; widening() returns
  /// the strain across it.
  double shortening(unsigned int body) const {
    const double nu = poisson_of(body), half = pressure / young_of(body);
    if (patch.law == "neo-hooke") // without lateral strain: pressure = μ (1/λ − λ), 2 μ = E
      return 1. - (std::sqrt(1. + half * half) - half);
    return pressure / young_of(body) * (patch.dim == 2 ? 1. - nu * nu : 1.);
  }
  double widening() const {
    const double nu = patch.poisson;
    return pressure / young * (patch.dim == 2 ? nu * (1. + nu) : nu);
  }
  /// Returns the displacement against the normal of the joints at a height of a body.
  double sinking(unsigned int body, double height) const {
    double sum = shortening(body) * (height - body);
    for (unsigned int below = 0; below < body; ++below)
      sum += shortening(below) + (patch.spring > 0. ? pressure / patch.spring : 0.);
    return sum;
  }

  std::string materials() const {
    const Patch &p = patch;
    std::string text = "subsection Material\n  set Law = " + p.law + "\n";
    if (p.element != "standard")
      text += "  set Element = " + p.element + "\n";
    if (p.density > 0.)
      text += "  set Density = " + number(documented_density * p.density) + "\n";
    for (unsigned int body = 0; body < 3; ++body)
      text += std::string("  subsection ") + names[body] +
              "\n    set Young modulus = " + number(young_of(body)) +
              "\n    set Poisson ratio = " + number(poisson_of(body)) + "\n  end\n";
    return text + "end\n";
  }
  std::string contacts() const {
    const Patch &p = patch;
    std::string text = "subsection Contact\n  set Node inertia = " + p.inertia + "\n";
    for (unsigned int body = 1; body < 3; ++body) {
      const std::string above = std::string(names[body]) + " bottom",
                        below = std::string(names[body - 1]) + " top";
      text += std::string("  subsection under ") + names[body] +
              "\n    set Region = " + (p.is_exchanged ? below : above) +
              "\n    set Surface = region\n    set Against = " + (p.is_exchanged ? above : below) +
              "\n    set Discretisation = " + p.discretisation + "\n" + p.entries;
      if (p.spring > 0.)
        text += "    set Penalty stiffness = " + number(p.spring) + "\n";
      text += "  end\n";
    }
    return text + "end\n";
  }

  /// Returns the factor of loads and prescribed displacements.
  std::string ramp() const {
    return number(patch.scale) + (patch.begins_pressed ? "*" : "*min(t, 1)*");
  }

  /// Sets the displacements of uniform stress.
  template <int dim>
  void press(Case<dim> &c) const {
    for (unsigned int b = 0; b < 3; ++b)
      for (unsigned int i = 0; i < c.bodies->elastic[b]->space.n_nodes(); ++i) {
        const auto &x = c.bodies->elastic[b]->space.nodes[i];
        const auto &dofs = c.bodies->elastic[b]->space.node_dofs[i];
        double *const q = c.initial.q.data();
        const double down = sinking(b, cosine * x[dim - 1] - sine * x[0]),
                     along = widening() * (cosine * x[0] + sine * x[dim - 1]);
        q[dofs[1]] = widening() * x[1];
        q[dofs[0]] = cosine * along + sine * down;
        q[dofs[dim - 1]] = sine * along - cosine * down;
      }
  }

  void write_case() const {
    const Patch &p = patch;
    const std::string up = p.dim == 2 ? "y" : "z";
    // In space as coarse as may be: inertia is redistributed to elements without contact nodes.
    const unsigned int finer = p.inertia == "redistributed" ? 2 : 0;
    const auto n = [&](unsigned int n_plane, unsigned int n_space) {
      return p.refinement * (p.dim == 2 ? n_plane : n_space + finer);
    };
    write_block("lower", 0., n(6, 2), false);
    write_block("middle", 1., n(8, 4), true);
    write_block("upper", 2., n(10, 2), false);
    const std::string place = "(" + number(cosine) + "*x + " + number(sine) + "*" + up + ")";
    const auto along = [&](double direction) { // displacement at the base
      return " = " + ramp() + number(widening() * direction) + "*" + place + "\n";
    };
    std::string text = "subsection Mesh\n  set File = lower.geo, middle.geo, upper.geo\nend\n" +
                       materials() +
                       "subsection Boundary conditions\n  subsection lower bottom\n"
                       "    set Displacement x" +
                       along(cosine) + "    set Displacement " + up + along(sine);
    if (p.dim == 3)
      text += "    set Displacement y = " + ramp() + number(widening()) + "*y\n";
    text += "  end\n  subsection upper top\n    set Traction x = " + number(pressure * sine) + "*" +
            ramp() + "(" + p.load + ")\n    set Traction " + up + " = " +
            number(-pressure * cosine) + "*" + ramp() + "(" + p.load + ")\n  end\n";
    for (unsigned int body = 1; body < 3; ++body) {
      const std::string name = std::string("  subsection ") + names[body];
      text += name + " corner 1\n    set Displacement x = " + ramp() +
              number(sinking(body, body) * sine);
      if (p.dim == 3)
        text += "\n    set Displacement y = 0\n  end\n" + name +
                " corner 2\n    set Displacement y = 0";
      text += "\n  end\n";
    }
    text += "end\n";
    text += contacts() + "subsection Time\n  set Scheme = " + p.scheme +
            "\n  set Theta = 1\n  set End = " + number(p.end) +
            "\n  set Step = " + number(0.02 / p.steps_of_one) +
            (p.density == 0. ? "\n  set Inertia = none" : "") + "\nend\n";
    write("case.prm", text);
  }

  /// Expects that contacts have the velocities of the bodies at their quadrature points.
  template <int dim>
  static void expect_supports_at_points(const Boundary<dim> &boundary,
                                        const ContactList<dim> &found) {
    for (const Contact<dim> &contact : found.contacts) {
      const auto &[begin, end] = boundary.points[contact.point].shape();
      for (unsigned int k = begin; k < end; ++k) {
        dealii::Tensor<1, dim> difference = -boundary.supports[k].weight;
        for (unsigned int s = contact.support_begin; s < contact.support_end - contact.n_traction;
             ++s)
          if (found.support[s].entry == boundary.supports[k].entry)
            difference += found.support[s].weight;
        EXPECT_LT(difference.norm(), 1e-9);
      }
    }
  }

  /// Returns the record of the last step; expects a closed balance in each step, relative to the
  /// largest energy.
  template <int dim>
  static const StepRecord<dim> *run_to_end(Stepped<dim> &run) {
    const StepRecord<dim> *record = nullptr;
    double most_energy = 0, largest_residual = 0;
    while (run.state.step < run.c.span.n_steps) {
      record = &run.advance();
      most_energy = std::max(most_energy, run.state.energy());
      largest_residual = std::max(largest_residual, std::abs(record->balance_residual));
    }
    EXPECT_LT(largest_residual, 2e-13 * most_energy);
    return record;
  }

  /// Expects uniform stress and pressure at the end of the run, with these relative deviations.
  template <int dim>
  void check(double tolerance) const {
    Case<dim> c = build<dim>(ParameterFile::read((folder / "case.prm").string()));
    if (patch.begins_pressed)
      press(c);
    Stepped<dim> run(std::move(c));
    const StepRecord<dim> *const record = run_to_end(run);
    double contact_error = 0, stress_error = 0, position_error = 0;
    for (const auto &contact : record->contacts)
      contact_error = std::max(
          contact_error,
          std::abs(contact.percussion[0] / run.c.choices.h / contact.area / pressure - 1.));
    expect_supports_at_points(*run.c.boundary, run.state.found);
    dealii::Tensor<1, 3> normal;
    normal[0] = -sine;
    normal[dim - 1] = cosine;
    for (unsigned int b = 0; b < 3; ++b) {
      const auto &body = run.c.bodies->elastic[b];
      const CellStress<dim> stress(*body);
      for (unsigned int cell = 0; cell < body->space.mesh.triangulation.n_active_cells(); ++cell)
        stress_error =
            std::max(stress_error,
                     (stress(cell, run.state.q) * normal + pressure * normal).norm() / pressure);
      for (unsigned int i = 0; i < body->space.n_nodes(); ++i) {
        double down = 0, height = 0;
        for (unsigned int d = 0; d < dim; ++d) {
          down -= normal[d] * run.state.q[body->space.node_dofs[i][d]];
          height += normal[d] * body->space.nodes[i][d];
        }
        position_error =
            std::max(position_error, std::abs(down - sinking(b, height)) / sinking(2, 3.));
      }
    }
    EXPECT_LT(contact_error, tolerance);
    EXPECT_LT(stress_error, tolerance);
    EXPECT_LT(position_error, tolerance);
  }
};

TEST_P(ContactPatch, StressIsUniform) {
  write_case();
  if (patch.dim == 2)
    check<2>(1e-6);
  else
    check<3>(1e-6);
}

/// The same fixture with bodies of different materials, and schemes for contact between them.
class PatchOfMaterials : public ContactPatch {};

TEST_P(PatchOfMaterials, StressIsUniform) {
  write_case();
  if (patch.dim == 2)
    check<2>(patch.tolerance);
  else
    check<3>(patch.tolerance);
}

/// The same fixture in 2D under an uneven traction, whose pressure no scheme represents exactly.
/// The load is small, because the velocities of a mortar are not exactly the rates of its gaps if
/// inclined faces slide.
class UnevenPressure : public ContactPatch {
protected:
  /// Returns the displacements at the end, relative to the displacement of the top.
  std::vector<double> displacements(const std::string &scheme) {
    patch.scheme = scheme;
    patch.scale = 1e-3;
    patch.load = "1 + 0.5*cos(2*(" + number(cosine) + "*x + " + number(sine) + "*y))";
    write_case();
    Stepped<2> run(build<2>(ParameterFile::read((folder / "case.prm").string())));
    run_to_end(run);
    std::vector<double> q(run.state.q.data(), run.state.q.data() + run.c.bodies->n_dofs());
    for (double &value : q)
      value /= patch.scale * sinking(2, 3.);
    return q;
  }
  /// Returns the root of the mean square of the difference of the displacements with the scheme of
  /// the parameter, and with moreau-jean at the nodes.
  double difference() {
    const auto q = displacements(GetParam().scheme);
    patch.entries = "    set Points = nodes\n";
    patch.spring = 0;
    const auto law_displacements = displacements("moreau-jean");
    patch = GetParam();
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
      sum += (q[i] - law_displacements[i]) * (q[i] - law_displacements[i]);
    return std::sqrt(sum / static_cast<double>(q.size()));
  }
};

class UnevenPressureOfSprings : public UnevenPressure {};

TEST_P(UnevenPressureOfSprings, ApproachesTheLawWithTheirStiffness) {
  std::vector<double> differences;
  for (const double spring : {1e5, 1e6, 1e7}) {
    patch.spring = spring;
    differences.push_back(difference());
  }
  EXPECT_GT(differences[1], 1e-5);
  EXPECT_NEAR(differences[0] / differences[1], 10., 0.2);
  EXPECT_NEAR(differences[1] / differences[2], 10., 0.2);
}

class UnevenPressureOfFaces : public UnevenPressure {};

TEST_P(UnevenPressureOfFaces, ApproachesTheLawOnFinerMeshes) {
  std::vector<double> differences;
  for (const unsigned int refinement : {1u, 2u, 4u}) {
    patch.refinement = refinement;
    differences.push_back(difference());
  }
  EXPECT_GT(differences[0], 1e-5);
  EXPECT_GT(differences[0] / differences[1], 3.5);
  EXPECT_GT(differences[1] / differences[2], 3.5);
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

/// Returns a patch of bodies of different materials.
Patch material_patch(int dim, const std::string &scheme) {
  Patch patch{dim, 0.3, 1., 1, "consistent", scheme, 0.5};
  patch.end = 2;
  return patch;
}

const std::string schemes_of_faces[] = {"augmented-lagrangian", "nitsche-symmetric",
                                        "nitsche-nonsymmetric", "nitsche-skew"};

/// Augmentation of a tenth of the default: a pressure beyond the space of the multipliers is the
/// velocity times the augmentation, and so is its round-off.
const std::string reduced = "    set Normal augmentation = 1600\n";

/// Returns patches in which either side carries the multipliers, and either side is called Region.
std::vector<Patch> side_patches() {
  std::vector<Patch> all;
  for (const int dim : {2, 3})
    for (const std::string &scheme : schemes_of_faces)
      for (const bool is_exchanged : {false, true})
        for (const std::string side : {"mortar", "mortar of region"})
          for (const bool begins_pressed : {false, true}) {
            Patch patch_of_side = material_patch(dim, scheme);
            patch_of_side.is_exchanged = is_exchanged;
            patch_of_side.discretisation = side;
            patch_of_side.begins_pressed = begins_pressed;
            if (scheme == "augmented-lagrangian") {
              // A law for velocities keeps the gaps of the first steps, in which inertia is felt.
              patch_of_side.density = begins_pressed ? 1. : 1e-2;
              patch_of_side.tolerance = begins_pressed ? 1e-10 : 1e-7;
              patch_of_side.entries = begins_pressed ? reduced : "";
            }
            all.push_back(patch_of_side);
          }
  return all;
}

/// Returns patches with both contact points, and hyperelastic bodies. Hauret's springs and
/// hyperelastic bodies lose no oscillation, and begin in equilibrium.
std::vector<Patch> point_patches() {
  std::vector<Patch> all;
  const std::string nodal_points = "    set Points = nodes\n";
  for (const int dim : {2, 3})
    for (const std::string &points :
         {nodal_points, std::string("    set Points = quadrature points\n")}) {
      for (const std::string scheme : {"penalty", "hauret"}) {
        all.push_back(material_patch(dim, scheme));
        all.back().begins_pressed = scheme == "hauret";
        all.back().entries = points;
        all.back().spring = 1e5;
      }
      for (const std::string law : {"linear elastic", "neo-hooke"}) {
        all.push_back(material_patch(dim, "augmented-lagrangian"));
        all.back().entries = points + (points == nodal_points ? "" : reduced);
        all.back().begins_pressed = true;
        all.back().law = law;
        all.back().poisson = law == "neo-hooke" ? 0. : 0.3;
      }
    }
  return all;
}

/// Returns patches of cells of second order, whose traces are linear in contact.
std::vector<Patch> quadratic_patches() {
  std::vector<Patch> all;
  for (const int dim : {2, 3})
    for (const std::string element : {"quadratic", "quadratic mean dilatation"}) {
      for (const std::string law : {"linear elastic", "neo-hooke"}) {
        all.push_back(material_patch(dim, "moreau-jean-fremond"));
        all.back().begins_pressed = true;
        all.back().law = law;
        all.back().poisson = law == "neo-hooke" ? 0. : 0.3;
        all.back().element = element;
      }
      all.push_back(material_patch(dim, "moreau-jean-fremond")); // pressed from rest
      all.back().density = 0.;
      all.back().tolerance = 2e-9; // of 100 steps: 6e-10 to 1.2e-9 by the kernel of OpenBLAS
      all.back().element = element;
      all.push_back(material_patch(dim, "augmented-lagrangian"));
      all.back().begins_pressed = true;
      all.back().entries = reduced;
      all.back().element = element;
    }
  all.push_back({2, 0.3, 1e-4, 1, "redistributed"});
  all.back().tolerance = 1e-9;
  all.back().element = "quadratic";
  return all;
}

std::vector<Patch> spring_patches() {
  std::vector<Patch> all = {material_patch(2, "penalty")};
  all.back().density = 1e-2;
  return all;
}

std::vector<Patch> face_patches() {
  std::vector<Patch> all;
  for (const std::string &scheme : schemes_of_faces)
    all.push_back(material_patch(2, scheme));
  for (Patch &uneven : all)
    uneven.density = 1e-2, uneven.end = 1.1;
  return all;
}

INSTANTIATE_TEST_SUITE_P(Sides, PatchOfMaterials, testing::ValuesIn(side_patches()));
INSTANTIATE_TEST_SUITE_P(Points, PatchOfMaterials, testing::ValuesIn(point_patches()));
INSTANTIATE_TEST_SUITE_P(Quadratic, PatchOfMaterials, testing::ValuesIn(quadratic_patches()));
INSTANTIATE_TEST_SUITE_P(ThreeBodies, UnevenPressureOfSprings, testing::ValuesIn(spring_patches()));
INSTANTIATE_TEST_SUITE_P(ThreeBodies, UnevenPressureOfFaces, testing::ValuesIn(face_patches()));
INSTANTIATE_TEST_SUITE_P(ThreeBodies, ContactPatch, testing::ValuesIn(patches()));

} // namespace
} // namespace cases_in_space
