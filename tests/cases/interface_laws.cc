// All laws of interfaces with random coefficients, speeds and pressures: no contact does positive
// work, and the works of the contacts are the columns of the ledger.

#include <percussion/contact/bond_law.h>

#include "cases/case_text.h"
#include "cases/rigid_runs.h"
#include <random>

namespace interface_laws {

using namespace percussion;
using namespace case_text;
using cases_in_space::Stepped;

class Numbers {
public:
  explicit Numbers(unsigned int seed) : generator(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  /// Returns a number whose logarithm is uniform.
  double decades(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  std::string vector(unsigned int dim, double size) {
    std::string text;
    for (unsigned int d = 0; d < dim; ++d)
      text += (d == 0 ? "" : ", ") + format("%.17g", uniform(-size, size));
    return text;
  }

private:
  std::mt19937 generator;
};

/// Kinds of bodies, all of the size 1.
enum class Body { box, round, elastic };

/// Entries of a law for a speed v and a pressure p.
struct Law {
  std::string name;
  std::vector<Body> bodies;
  std::vector<unsigned int> dimensions;
  std::string (*entries)(Numbers &random, double v, double p, unsigned int dim);
  std::string probed; ///< work that the law must do in some of the runs
};

const std::vector<Body> any = {Body::box, Body::round, Body::elastic}, elastic = {Body::elastic};
const std::vector<unsigned int> both = {2, 3};

std::string coulomb(Numbers &random) {
  return set("Friction coefficient", random.decades(0.05, 2.));
}

std::string rate_state(Numbers &random, double v, const std::string &kind) {
  return set("Friction coefficient", random.uniform(0.2, 0.8)) +
         set("Rate effect", random.decades(1e-3, 0.1)) +
         set("State effect", random.decades(1e-3, 0.1)) +
         set("State length", v * random.decades(1e-4, 1e-1)) +
         set("Reference speed", v * random.decades(1e-3, 1.)) + set("State law", kind);
}

/// Returns bonds that a speed v and a pressure p damage.
std::string bond(Numbers &random, double p, bool has_modes, const std::string &more) {
  const double strength = p * random.decades(0.1, 3.), opening = random.decades(1e-4, 1e-2);
  std::string text = set("Friction coefficient", random.decades(0.05, 2.)) +
                     set("Bond strength", strength) +
                     set("Fracture energy", 0.5 * strength * opening) + more;
  if (has_modes)
    text += set("Shear bond strength", strength * random.uniform(0.9, 1.5)) +
            set("Shear fracture energy", strength * opening * random.uniform(1.3, 2.));
  return text;
}

const std::vector<Law> laws = {
    {"Coulomb", any, both,
     [](Numbers &random, double, double, unsigned int) { return coulomb(random); }, "tangential"},
    {"static and kinetic", any, both,
     [](Numbers &random, double v, double, unsigned int) {
       return set("Friction coefficient",
                  format("%.17g + %.17g*exp(-slip/%.17g)", random.uniform(0.1, 0.4),
                         random.uniform(0.1, 1.), v * random.decades(1e-4, 1e-1)));
     },
     "tangential"},
    {"speed", any, both,
     [](Numbers &random, double v, double, unsigned int) {
       return set("Friction coefficient",
                  format("%.17g + %.17g*exp(-slip_speed/%.17g)", random.uniform(0.1, 0.4),
                         random.uniform(0.1, 1.), v * random.decades(1e-2, 1.)));
     },
     "tangential"},
    {"pressure", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       return set("Friction coefficient",
                  format("%.17g/(1 + pressure/%.17g)", random.uniform(0.1, 1.),
                         p * random.decades(0.1, 10.)));
     },
     "tangential"},
    {"ageing", any, both,
     [](Numbers &random, double v, double, unsigned int) {
       return rate_state(random, v, "ageing");
     },
     "tangential"},
    {"slip law", any, both,
     [](Numbers &random, double v, double, unsigned int) { return rate_state(random, v, "slip"); },
     "tangential"},
    {"backward",
     any,
     {2},
     [](Numbers &random, double, double, unsigned int) {
       return set("Friction coefficient", random.decades(0.05, 0.5)) +
              set("Backward friction ratio", random.decades(0.3, 3.));
     },
     "tangential"},
    {"elliptic",
     any,
     {3},
     [](Numbers &random, double, double, unsigned int) {
       return coulomb(random) + set("Friction ratio", random.decades(0.2, 5.)) +
              set("Friction direction", random.vector(3, 1.));
     },
     "tangential"},
    {"rolling",
     {Body::round},
     both,
     [](Numbers &random, double, double, unsigned int dim) {
       return coulomb(random) + set("Rolling friction", random.decades(1e-3, 0.3)) +
              (dim == 3 ? set("Spinning friction", random.decades(1e-3, 0.3)) : "");
     },
     "rolling"},
    {"cohesion", elastic, both,
     [](Numbers &random, double, double p, unsigned int) { return bond(random, p, false, ""); },
     "fracture"},
    {"cohesion of two modes", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       return bond(random, p, true, set("Mixed-mode exponent", random.uniform(1., 3.)));
     },
     "fracture"},
    {"power law of modes", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       return bond(random, p, true,
                   set("Mixed-mode law", "power law") +
                       set("Mixed-mode exponent", random.uniform(1., 3.)));
     },
     "fracture"},
    {"rigid bonds", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       return bond(random, p, false, set("Cohesion", "extrinsic"));
     },
     "fracture"},
    {"rigid bonds of two modes", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       return bond(random, p, true, set("Cohesion", "extrinsic"));
     },
     "fracture"},
    {"adhesion", elastic, both,
     [](Numbers &random, double, double p, unsigned int) {
       const double opening = random.decades(1e-4, 1e-2), energy = p * opening;
       return coulomb(random) + set("Adhesion energy", energy) +
              set("Bond stiffness", energy / (opening * opening)) +
              set("Adhesion viscosity", energy * random.decades(1e-4, 1e-1));
     },
     "fracture"},
};

struct Scene {
  unsigned int dim;
  Body body;
  double v; ///< speed [length / time]
  double p; ///< pressure, about the weight per area
  std::string scheme;
  bool is_nonlinear; ///< true if an elastic body is hyperelastic
  std::string law = "";
};

/// Returns a block of a few cells on the ground, which moves and turns, under a load that presses
/// it, pushes it and pulls it off.
std::string elastic_block(const Scene &scene, Numbers &random) {
  const std::string x = scene.dim == 2 ? "y" : "z";
  const double stiffness = 300. * scene.p;
  std::string text =
      in("Material", set("Law", scene.is_nonlinear ? "neo-hooke" : "linear elastic") +
                         set("Density", 1.) + set("Young modulus", stiffness) +
                         set("Poisson ratio", 0.3)) +
      "subsection Mesh\n  set File = " + (scene.dim == 2 ? "block.geo" : "cube.geo") + "\nend\n";
  std::string loads, velocities;
  for (const std::string axis : {"x", "y", "z"}) {
    if (axis == "z" && scene.dim == 2)
      continue;
    const double size = scene.p * (axis == x ? 3. : 1.);
    loads += set("Traction " + axis, format("%.17g*sin(%.17g*t/0.1 + %.17g)", size,
                                            random.uniform(3., 10.), random.uniform(0., 6.)));
    velocities += set("Velocity " + axis,
                      format("%.17g + %.17g*%s", axis == x ? 0. : random.uniform(-1., 1.) * scene.v,
                             random.uniform(-0.2, 0.2) * scene.v, x.c_str()));
  }
  return text + in("Initial state", velocities) +
         "subsection Boundary conditions\n  set Gravity = 0, " + (scene.dim == 3 ? "0, " : "") +
         format("%.17g\n", -scene.p) + section("top", loads) + "end\n";
}

std::string rigid_body(const Scene &scene, Numbers &random) {
  const bool is_round = scene.body == Body::round;
  const std::string across = scene.dim == 3 ? ", 0" : "";
  std::string text =
      set("Mass", 1.) + set("Initial velocity", random.vector(scene.dim, scene.v)) +
      set("Initial angular velocity", random.vector(scene.dim == 2 ? 1 : 3, scene.v));
  text += set("Position", "0, " + std::string(scene.dim == 3 ? "0, " : "") +
                              format("%.17g", 0.5 + 1e-3 * scene.v));
  if (is_round)
    text += set("Shape", scene.dim == 2 ? "disc" : "sphere") + set("Radius", 0.5);
  else if (scene.dim == 2)
    text += set("Width", 1.) + set("Height", 1.);
  else
    text += set("Shape", "box") + set("Size", "1, 1, 1");
  return in("Rigid bodies", section("body", text)) +
         gravity("0, " + std::string(scene.dim == 3 ? "0, " : "") + format("%.17g", -scene.p));
}

std::string text_of(const Scene &scene, Numbers &random) {
  const bool is_elastic = scene.body == Body::elastic;
  return (is_elastic ? elastic_block(scene, random) : rigid_body(scene, random)) +
         in("Contact", section("ground", set(is_elastic ? "Region" : "Bodies",
                                             is_elastic ? "bottom" : "body") +
                                             set("Surface", "half-space") + scene.law)) +
         in("Time",
            set("Scheme", scene.scheme) + set("Theta", 0.5) + set("Step", 2e-3) + set("End", 1.)) +
         in("Solver", set("Tolerance", 1e-13) +
                          (is_elastic && scene.is_nonlinear ? set("Newton tolerance", 1e-13) : ""));
}

/// Largest works of single contacts, and the sums of their works less the columns of the ledger,
/// over a run [energy].
struct Measures {
  double energy = 0, residual = 0;
  double normal = -1e300, tangential = -1e300, rolling = -1e300, fracture = -1e300;
  double normal_sum = 0, tangential_sum = 0, rolling_sum = 0, fracture_sum = 0;
  Works works;
};

/// Returns the loss of each bond in a step, by its law [energy].
template <int dim>
std::vector<double> losses(const std::vector<ContactBond<dim>> &before, const State<dim> &state,
                           const Boundary<dim> &boundary, double h) {
  std::vector<double> all;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const ContactBond<dim> &first = before[i], &last = state.history.bonds[i];
    if (first.damage == 1.)
      continue;
    BondOpening<dim> start{first.opening}, end{last.opening};
    // The slip keeps its direction or nearly so: the loss depends on its length.
    start[1] = first.slip.norm();
    end[1] = last.slip.norm();
    const auto step = bond_step<dim>(boundary.pairs[first.key.pair].bond, first.damage, start, end,
                                     h, BondTraction::mean);
    all.push_back(first.area * step.loss);
  }
  return all;
}

template <int dim>
Measures measure(Stepped<dim> run, unsigned int n_steps) {
  Measures m;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto bonds = run.state.history.bonds;
    const auto &record = run.advance();
    m.energy = std::max({m.energy, run.state.energy(), std::abs(m.works.sum())});
    m.works += record.works;
    m.residual = std::max(m.residual, std::abs(record.balance_residual));
    double normal = 0, tangential = 0, rolling = 0, fracture = 0;
    for (const auto &account : record.accounts) {
      m.normal = std::max(m.normal, account.normal_work);
      m.tangential = std::max(m.tangential, account.tangential_work);
      normal += account.normal_work;
      tangential += account.tangential_work;
    }
    for (const auto &contact : record.contacts) {
      // About the normal in 3D, and about the tangents or the axis of the plane.
      const double spinning = dim == 3 ? contact.moment[0] * contact.spin[0] : 0.;
      double rolls = 0;
      for (std::size_t r = dim == 3 ? 1 : 0; r < contact.moment.size(); ++r)
        rolls += contact.moment[r] * contact.spin[r];
      m.rolling = std::max({m.rolling, spinning, rolls});
      rolling += spinning + rolls;
    }
    for (const double loss : losses(bonds, run.state, *run.c.boundary, run.c.choices.h)) {
      m.fracture = std::max(m.fracture, -loss);
      fracture -= loss;
    }
    const auto differ = [](double &largest, double a, double b) {
      largest = std::max(largest, std::abs(a - b));
    };
    differ(m.normal_sum, normal, record.works.contact_normal);
    differ(m.tangential_sum, tangential, record.works.contact_tangential);
    differ(m.rolling_sum, rolling, record.works.contact_rolling);
    if (record.n_substeps == 1) // the modes of a bond may change from one substep to the next
      differ(m.fracture_sum, fracture, record.works.fracture);
  }
  return m;
}

/// Meshes of 2 × 2 and 2 × 2 × 1 cells, in a folder for all cases.
class InterfaceLaws : public cases::CaseFolder {
protected:
  InterfaceLaws() {
    write("block.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1};
Transfinite Curve{1:4} = 3; Transfinite Surface{1}; Recombine Surface{1};
Physical Surface("block") = {1}; Physical Curve("bottom") = {1}; Physical Curve("top") = {3};
)");
    write("cube.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1};
Transfinite Curve{1:4} = 3; Transfinite Surface{1}; Recombine Surface{1};
out[] = Extrude{0, 0, 1}{ Surface{1}; Layers{1}; Recombine; };
Physical Volume("block") = {out[1]}; Physical Surface("bottom") = {1};
Physical Surface("top") = {out[0]};
)");
  }

  template <int dim>
  Measures run(const Scene &scene, Numbers &random) const {
    write("case.prm", text_of(scene, random));
    return measure<dim>(Stepped<dim>(cases_in_space::build<dim>(
                            ParameterFile::read((folder / "case.prm").string()))),
                        40);
  }
};

TEST_F(InterfaceLaws, DoNoPositiveWorkAndAddUpToTheLedger) {
  unsigned int seed = 58;
  for (const Law &law : laws) {
    double done = 0;
    for (const Body body : law.bodies)
      for (const unsigned int dim : law.dimensions)
        for (const std::string scheme :
             {"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez"}) {
          Numbers random(++seed);
          Scene scene{dim,
                      body,
                      random.decades(1e-3, 10.),
                      random.decades(1e-2, 100.),
                      scheme,
                      random.uniform(0., 1.) < 0.5};
          scene.law = law.entries(random, scene.v, scene.p, dim);
          if (scheme == "moreau-jean-fremond")
            scene.law += set("Restitution", random.uniform(0., 1.));
          SCOPED_TRACE(law.name + format(", seed %u, body %d, ", seed, static_cast<int>(body)) +
                       std::to_string(dim) + "D, " + scheme);
          Measures m;
          EXPECT_NO_THROW(m = dim == 2 ? run<2>(scene, random) : run<3>(scene, random));
          EXPECT_LT(m.residual, 1e-13 * m.energy);
          EXPECT_LE(m.normal, 2e-12 * m.energy);
          EXPECT_LE(m.tangential, 2e-12 * m.energy);
          EXPECT_LE(m.rolling, 2e-12 * m.energy);
          EXPECT_LE(m.fracture, 2e-12 * m.energy);
          EXPECT_LE(m.normal_sum, 1e-14 * m.energy);
          EXPECT_LE(m.tangential_sum, 1e-14 * m.energy);
          EXPECT_LE(m.rolling_sum, 1e-14 * m.energy);
          EXPECT_LE(m.fracture_sum, 1e-14 * m.energy);
          done = std::min({done, law.probed == "tangential" ? m.works.contact_tangential / m.energy
                                 : law.probed == "rolling"  ? m.works.contact_rolling / m.energy
                                                            : m.works.fracture / m.energy});
        }
    EXPECT_LT(done, -1e-4) << law.name;
  }
}

} // namespace interface_laws
