#include "body_entries.h"
#include <algorithm>
#include <cmath>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;

namespace {

/// Entries on the motion of one degree of freedom, and on the force on it.
struct FreedomEntries {
  std::string displacement; ///< name of the entry; empty for a rotation in 3D
  std::string velocity;
  std::string subject; ///< description of the degree of freedom
  std::string unit;    ///< unit of the displacement
  std::string force, force_description;
};
std::vector<FreedomEntries> freedoms(unsigned int dim) {
  std::vector<FreedomEntries> all;
  for (const auto &x : components(dim))
    all.push_back({"Displacement " + x, "Velocity " + x,
                   "of the centre of mass in the direction " + x, "L", "Force " + x,
                   "Force in the direction " + x + " on the centre of mass [M L/T^2]"});
  if (dim == 2)
    all.push_back({"Rotation", "Angular velocity", "of the angle, counter-clockwise", "rad",
                   "Moment", "Moment, counter-clockwise [M L^2/T^2]"});
  else
    for (const auto &x : components(dim))
      all.push_back(
          {"", "Angular velocity " + x, "of the rotation about the body's axis " + x, "rad",
           "Moment " + x,
           "Moment about the body's axis that is initially parallel to " + x + " [M L^2/T^2]"});
  return all;
}
/// Returns the degrees of freedom of one dimension, or of both.
std::vector<FreedomEntries> freedoms(const Dimensions &dimensions) {
  auto all = freedoms(dimensions.plane ? 2 : 3);
  if (dimensions.plane && dimensions.space)
    for (const FreedomEntries &freedom : freedoms(3))
      if (freedom.force != "Force x" && freedom.force != "Force y")
        all.push_back(freedom);
  return all;
}

} // namespace

void declare_rigid_motion(ParameterDeclarations &declarations, Dimensions dimensions) {
  declarations.declare(
      "Initial velocity", dimensions.choose("0, 0", "0, 0, 0"), dimensions.vector(),
      "Velocity " + dimensions.position() + " of the centre of mass at the start [L/T].");
  const std::string space_text =
                        "x, y, z about the body's axes after the rotation by Angle [rad/T].",
                    plane_text = "Angular velocity at the start, counter-clockwise";
  if (!dimensions.space)
    declarations.declare("Initial angular velocity", "0", Double(), plane_text + " [rad/T].");
  else
    declarations.declare("Initial angular velocity", dimensions.choose("0", "0, 0, 0"),
                         List(Double(), dimensions.plane ? 1 : 3, 3),
                         (dimensions.plane ? plane_text + "; in 3D "
                                           : std::string("Angular velocity at the start: ")) +
                             space_text);
  for (const FreedomEntries &freedom : freedoms(dimensions)) {
    if (!freedom.displacement.empty())
      declarations.declare(
          freedom.displacement, "", formula_of("t"),
          (freedom.unit == "L" ? "Prescribed displacement " : "Prescribed change ") +
              freedom.subject + " relative to the placement of the body [" + freedom.unit +
              "]. Default: free.");
    declarations.declare(freedom.velocity, "", formula_of("t"),
                         "Prescribed velocity " + freedom.subject + " [" + freedom.unit +
                             "/T]. Default: free.");
  }
  for (const FreedomEntries &freedom : freedoms(dimensions))
    declarations.declare(freedom.force, "", formula_of("t"),
                         freedom.force_description + ". Default: zero.");
  declarations.declare("Appears", "", OrNothing(Double()),
                       "Time at which the body appears with its initial velocities, in the first "
                       "step at or after it [T]. Before, it rests without loads and contacts. Its "
                       "energy counts as external work. Default: present from the start.");
}

namespace {

/// Reports an initial velocity that contradicts a prescribed motion.
template <int dim>
void refuse_idle_velocity(const CaseInput &section, unsigned int freedom,
                          const std::string &prescribing) {
  const bool moves = freedom < dim;
  const std::string entry = moves ? "Initial velocity" : "Initial angular velocity";
  const unsigned int component = moves ? freedom : freedom - dim;
  if (section.parameters.get_double_list(section.path + entry).at(component) != 0)
    section.report(entry,
                   (moves || dim == 3 ? "its " + components(dim)[component] : std::string("it")) +
                       " has no effect: " + prescribing + " is prescribed");
}

template <int dim>
void prescribe(const CaseInput &section, const std::vector<unsigned int> &bodies,
               unsigned int freedom, const FreedomEntries &entries, Case<dim> &c) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  const auto read = [&](const std::string &entry) {
    return entry.empty() ? nullptr
                         : section.formula_of_time(entry, "a rigid body moves as a whole",
                                                   first_and_last_time(c));
  };
  const auto displacement = read(entries.displacement), velocity = read(entries.velocity);
  if (displacement && velocity)
    return section.report(entries.velocity, "this body has a " + entries.displacement +
                                                " already; remove one of the two entries");
  if (!displacement && !velocity)
    return;
  refuse_idle_velocity<dim>(section, freedom,
                            displacement ? entries.displacement : entries.velocity);
  for (const unsigned int body : bodies)
    c.bodies->prescribe(body, freedom, displacement ? Kind::displacement : Kind::velocity,
                        displacement ? *displacement : *velocity);
}

} // namespace

template <int dim>
void read_rigid_motion(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const auto entries = freedoms(dim);
  for (const auto &[name, copies] : rigid.sections) {
    const CaseInput section = input.in(rigid_section + "/" + name);
    for (unsigned int freedom = 0; freedom < RigidBody<dim>::n_dofs; ++freedom) {
      prescribe(section, copies, freedom, entries[freedom], c);
      if (const auto force = section.formula_of_time(
              entries[freedom].force, "this acts on the body as a whole", first_and_last_time(c)))
        for (const unsigned int body : copies)
          c.bodies->add_force(body, freedom, *force);
    }
  }
}

template <int dim>
void read_rigid_velocity(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  for (const auto &[name, copies] : rigid.sections) {
    const CaseInput section = input.in(rigid_section + "/" + name);
    const auto translation = section.vector<dim>("Initial velocity");
    auto rotation = section.vector < dim == 2 ? 1 : 3 > ("Initial angular velocity");
    if constexpr (dim == 3) // to the frame that is initially parallel to the global frame
      rotation = rotation_matrix(attitude_of_solid(BodyEntries(section))) * rotation;
    for (const unsigned int body : copies) {
      double *const v = c.bodies->rigid_values(c.initial.v, body);
      if (const auto &velocity_row = rigid.rows[body].velocity) {
        std::copy(velocity_row->begin(), velocity_row->end(), v);
        continue;
      }
      std::copy(translation.begin_raw(), translation.end_raw(), v);
      std::copy(rotation.begin_raw(), rotation.end_raw(), v + dim);
    }
  }
}

template <int dim>
void read_appearance(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const double h = c.choices.h;
  constexpr double round_off = 1e-6; // relative to a step
  for (const auto &[name, copies] : rigid.sections) {
    const CaseInput section = input.in(rigid_section + "/" + name);
    if (!section.has("Appears"))
      continue;
    const double first_step = std::ceil((section.number("Appears") - c.span.start) / h - round_off);
    const auto report = [&](const std::string &reason) { section.report("Appears", reason); };
    if (c.choices.integrator != Integrator::theta)
      return report(
          "with this Scheme, which has accelerations, all bodies must be present from the start");
    for (const unsigned int b : copies) {
      for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
        if (c.bodies->is_prescribed(b, d))
          return report("a body whose motion is prescribed must be present from the start");
      for (const Link<dim> &link : c.bodies->links)
        if (link.first.rigid == b || link.second.rigid == b)
          return report("a body with links must be present from the start");
      RigidBody<dim> &body = c.bodies->rigid[b];
      if (first_step <= 0)
        continue;
      body.appears = c.span.start + (first_step - round_off) * h;
      body.appearing_window = 2 * round_off * h;
      double *const v = c.bodies->rigid_values(c.initial.v, b);
      std::copy(v, v + RigidBody<dim>::n_dofs, body.appearing_velocity.begin());
      std::fill(v, v + RigidBody<dim>::n_dofs, 0.);
    }
  }
}

PERCUSSION_INSTANTIATE(read_rigid_motion);
PERCUSSION_INSTANTIATE(read_rigid_velocity);
PERCUSSION_INSTANTIATE(read_appearance);

} // namespace percussion
