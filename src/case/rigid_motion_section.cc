#include "parameter_sections.h"
#include <algorithm>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;

namespace {

/// Entries that prescribe the motion of one degree of freedom.
struct FreedomEntries {
  std::string displacement; ///< name of the entry; empty for a rotation in 3D
  std::string velocity;
  std::string subject; ///< description of the degree of freedom
  std::string unit;    ///< unit of the displacement
};
std::vector<FreedomEntries> freedoms(unsigned int dim) {
  std::vector<FreedomEntries> all;
  for (const auto &x : components(dim))
    all.push_back(
        {"Displacement " + x, "Velocity " + x, "of the centre of mass in the direction " + x, "L"});
  if (dim == 2)
    all.push_back({"Rotation", "Angular velocity", "of the angle, counter-clockwise", "rad"});
  else
    for (const auto &x : components(dim))
      all.push_back(
          {"", "Angular velocity " + x, "of the rotation about the body's axis " + x, "rad"});
  return all;
}

void declare_freedoms(ParameterDeclarations &declarations, unsigned int dim,
                      const std::vector<FreedomEntries> &declared) {
  for (const FreedomEntries &freedom : freedoms(dim)) {
    if (std::any_of(declared.begin(), declared.end(), [&](const FreedomEntries &declared_freedom) {
          return declared_freedom.velocity == freedom.velocity;
        }))
      continue;
    if (!freedom.displacement.empty())
      declarations.declare(
          freedom.displacement, "", formula_of("t"),
          (freedom.unit == "L" ? "Prescribed displacement " : "Prescribed change ") +
              freedom.subject + " relative to the placement of the body, at the time t [" +
              freedom.unit + "]. Default: free.");
    declarations.declare(freedom.velocity, "", formula_of("t"),
                         "Prescribed velocity " + freedom.subject + ", at the time t [" +
                             freedom.unit + "/T]. Default: free.");
  }
}

} // namespace

void declare_rigid_motion(ParameterDeclarations &declarations, Dimensions dimensions) {
  declarations.declare(
      "Initial velocity", dimensions.choose("0, 0", "0, 0, 0"), dimensions.vector(),
      "Velocity " + dimensions.position() + " of the centre of mass at the start [L/T].");
  const std::string in_space = "about the body's axes after the rotation by Angle";
  if (!dimensions.space)
    declarations.declare("Initial angular velocity", "0", Double(),
                         "Angular velocity at the start, counter-clockwise [rad/T].");
  else
    declarations.declare("Initial angular velocity", dimensions.choose("0", "0, 0, 0"),
                         List(Double(), dimensions.plane ? 1 : 3, 3),
                         dimensions.plane
                             ? "Angular velocity at the start, counter-clockwise; in 3D x, y, z " +
                                   in_space + " [rad/T]."
                             : "Angular velocity at the start: x, y, z " + in_space + " [rad/T].");
  if (dimensions.plane)
    declare_freedoms(declarations, 2, {});
  if (dimensions.space)
    declare_freedoms(declarations, 3,
                     dimensions.plane ? freedoms(2) : std::vector<FreedomEntries>());
}

namespace {

/// Returns a formula; null if the entry is empty or wrong, which is reported.
template <int dim>
std::unique_ptr<Expression> read_formula(const CaseInput &input, const Case<dim> &c,
                                         const std::string &path) {
  auto formula = input.formula(path);
  if (!formula)
    return nullptr;
  if (formula->depends_on_position()) {
    input.report(path, "a rigid body moves as a whole: the formula may depend on t only");
    return nullptr;
  }
  input.check_finite<dim>(path, *formula, {dealii::Point<dim>()}, first_and_last_time(c));
  return formula;
}

/// Reports an initial velocity that contradicts a prescribed motion.
template <int dim>
void refuse_idle_velocity(const CaseInput &input, const std::string &path, unsigned int freedom,
                          const std::string &prescribing) {
  const bool moves = freedom < dim;
  const std::string entry = path + (moves ? "Initial velocity" : "Initial angular velocity");
  const double value = input.parameters.get_double_list(entry).at(moves ? freedom : freedom - dim);
  if (value != 0)
    input.report(entry, (moves      ? "its " + components(dim)[freedom]
                         : dim == 3 ? "its " + components(dim)[freedom - dim]
                                    : std::string("it")) +
                            " has no effect: " + prescribing + " is prescribed");
}

template <int dim>
void prescribe(const CaseInput &input, const std::vector<unsigned int> &bodies,
               unsigned int freedom, const std::string &path, Case<dim> &c) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  const FreedomEntries entries = freedoms(dim).at(freedom);
  const auto displacement =
      entries.displacement.empty() ? nullptr : read_formula(input, c, path + entries.displacement);
  const auto velocity = read_formula(input, c, path + entries.velocity);
  if (displacement && velocity)
    return input.report(path + entries.velocity, "this body has a " + entries.displacement +
                                                     " already; remove one of the two entries");
  if (!displacement && !velocity)
    return;
  refuse_idle_velocity<dim>(input, path, freedom,
                            displacement ? entries.displacement : entries.velocity);
  for (const unsigned int body : bodies)
    c.bodies->prescribe(body, freedom, displacement ? Kind::displacement : Kind::velocity,
                        displacement ? *displacement : *velocity);
}

} // namespace

template <int dim>
void read_rigid_motion(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  for (const auto &[name, copies] : rigid.sections)
    for (unsigned int freedom = 0; freedom < RigidBody<dim>::n_dofs; ++freedom)
      prescribe(input, copies, freedom, rigid_section + "/" + name + "/", c);
}

template <int dim>
void read_rigid_velocity(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  for (const auto &[name, copies] : rigid.sections) {
    const std::string path = rigid_section + "/" + name + "/";
    const auto translation = input.parameters.get_double_list(path + "Initial velocity");
    auto rotation = input.parameters.get_double_list(path + "Initial angular velocity");
    if constexpr (dim ==
                  3) { // converts to the frame that is initially parallel to the global frame
      const auto turned = rotation_of_solid(input, path) *
                          dealii::Tensor<1, 3>({rotation[0], rotation[1], rotation[2]});
      std::copy(turned.begin_raw(), turned.end_raw(), rotation.begin());
    }
    for (const unsigned int body : copies) {
      double *const v = c.bodies->rigid_values(c.initial.v, body);
      if (const auto &of_row = rigid.rows[body].velocity) {
        std::copy(of_row->begin(), of_row->end(), v);
        continue;
      }
      std::copy(translation.begin(), translation.end(), v);
      std::copy(rotation.begin(), rotation.end(), v + dim);
    }
  }
}

template void read_rigid_motion<2>(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_rigid_motion<3>(const CaseInput &, const RigidInput<3> &, Case<3> &);
template void read_rigid_velocity<2>(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_rigid_velocity<3>(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
