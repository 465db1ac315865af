#include "parameter_sections.h"
#include <array>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;

namespace {

const std::string section = "Rigid bodies";

/// How the motion of one degree of freedom is prescribed.
struct FreedomEntries {
  const char *displacement, *velocity;
  const char *of;   ///< what moves
  const char *unit; ///< of its displacement
};
const std::array<FreedomEntries, RigidBody<2>::n_dofs> freedoms = {
    {{"Displacement x", "Velocity x", "of the centre of mass in the direction x", "L"},
     {"Displacement y", "Velocity y", "of the centre of mass in the direction y", "L"},
     {"Rotation", "Angular velocity", "of the angle, counter-clockwise", "rad"}}};

} // namespace

void declare_rigid_motion(ParameterDeclarations &declarations) {
  declarations.declare("Initial velocity", "0, 0", List(Double(), 2, 2),
                       "Velocity x, y of the centre of mass at the start [L/T].");
  declarations.declare("Initial angular velocity", "0", Double(),
                       "Angular velocity at the start, counter-clockwise [rad/T].");
  for (const FreedomEntries &freedom : freedoms) {
    const std::string of = freedom.of, unit = freedom.unit;
    declarations.declare(freedom.displacement, "", formula_of("t"),
                         "Prescribed change " + of + " since the body was placed, at the time t [" +
                             unit + "]. Nothing: it is free.");
    declarations.declare(freedom.velocity, "", formula_of("t"),
                         "Prescribed velocity " + of + ", at the time t [" + unit +
                             "/T]. Nothing: it is free.");
  }
}

namespace {

/// Null where the degree of freedom is free, or what is given is reported.
template <int dim>
std::unique_ptr<Expression> read_formula(const CaseInput &input, const Case<dim> &c,
                                         const std::string &path) {
  auto formula = input.formula(path);
  if (!formula)
    return nullptr;
  if (formula->depends_on_position()) {
    input.parameters.report(path, "a rigid body moves as a whole: the formula may depend on t only",
                            input.problems);
    return nullptr;
  }
  input.check_finite<dim>(path, *formula, {dealii::Point<dim>()}, first_and_last_time(c));
  return formula;
}

/// Report a velocity at the start that a prescribed motion does not let the body have.
void refuse_idle_velocity(const CaseInput &input, const std::string &path, unsigned int freedom,
                          const std::string &prescribing) {
  const std::string entry = path + (freedom < 2 ? "Initial velocity" : "Initial angular velocity");
  const double value =
      freedom < 2 ? input.vector<2>(entry)[freedom] : input.parameters.get_double(entry);
  if (value != 0)
    input.parameters.report(entry,
                            (freedom < 2 ? "its " + components(2)[freedom] : std::string("it")) +
                                " has no effect: " + prescribing + " is prescribed",
                            input.problems);
}

template <int dim>
void prescribe(const CaseInput &input, const std::vector<unsigned int> &bodies,
               unsigned int freedom, const std::string &path, Case<dim> &c) {
  using Kind = typename PrescribedMotion<dim>::Kind;
  const FreedomEntries &entries = freedoms.at(freedom);
  const auto displacement = read_formula(input, c, path + entries.displacement);
  const auto velocity = read_formula(input, c, path + entries.velocity);
  if (displacement && velocity)
    return input.parameters.report(path + entries.velocity,
                                   std::string("this body has a ") + entries.displacement +
                                       " already; give one of the two",
                                   input.problems);
  if (!displacement && !velocity)
    return;
  refuse_idle_velocity(input, path, freedom,
                       displacement ? entries.displacement : entries.velocity);
  for (const unsigned int body : bodies)
    c.bodies->prescribe(body, freedom, displacement ? Kind::displacement : Kind::velocity,
                        displacement ? *displacement : *velocity);
}

} // namespace

template <int dim>
void read_rigid_motion(const CaseInput &input, const RigidInput &rigid, Case<dim> &c) {
  for (const auto &[name, copies] : rigid.sections)
    for (unsigned int freedom = 0; freedom < RigidBody<2>::n_dofs; ++freedom)
      prescribe(input, copies, freedom, section + "/" + name + "/", c);
}

template <int dim>
void read_rigid_velocity(const CaseInput &input, const RigidInput &rigid, Case<dim> &c) {
  for (const auto &[name, copies] : rigid.sections) {
    const std::string path = section + "/" + name + "/";
    const auto translation = input.vector<2>(path + "Initial velocity");
    const double rotation = input.parameters.get_double(path + "Initial angular velocity");
    for (const unsigned int body : copies) {
      double *const v = entries(c.initial.v) + c.bodies->rigid_dof(body);
      v[0] = translation[0];
      v[1] = translation[1];
      v[2] = rotation;
    }
  }
}

template void read_rigid_motion<2>(const CaseInput &, const RigidInput &, Case<2> &);
template void read_rigid_velocity<2>(const CaseInput &, const RigidInput &, Case<2> &);
template <>
void read_rigid_motion<3>(const CaseInput &, const RigidInput &, Case<3> &) {}
template <>
void read_rigid_velocity<3>(const CaseInput &, const RigidInput &, Case<3> &) {}

} // namespace percussion
