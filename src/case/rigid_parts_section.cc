#include <percussion/base/nearest_name.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

/// Reports entries that are not allowed for a component of another body.
void refuse_own_motion(const CaseInput &input, const std::string &path) {
  for (const ParameterDeclaration &declared :
       input.parameters.declarations().below(to_path(path.substr(0, path.size() - 1)))) {
    const std::string name = declared.entry->name, entry = path + name;
    for (const std::string of_body :
         {"Initial ", "Displacement ", "Velocity ", "Rotation", "Angular ", "Force ", "Moment x",
          "Moment y", "Moment z", "Appears"})
      if (name.rfind(of_body, 0) == 0)
        input.refuse_unused(entry, false, "on a part of another body");
    if (name == "Moment")
      input.refuse_unused(entry, false, "on a part of another body");
  }
}

} // namespace

template <int dim>
void weld_to(const CaseInput &input, const std::string &name, const RigidInput<dim> &pieces,
             RigidInput<dim> &rigid) {
  const std::string path = rigid_section + "/" + name + "/", entry = path + "Part of",
                    host = input.parameters.get(entry);
  refuse_own_motion(input, path);
  const auto report = [&](const std::string &reason) { input.report(entry, reason); };
  const auto found = rigid.names.find(host);
  if (found == rigid.names.end()) {
    std::vector<std::string> known_names;
    for (const auto &[section, bodies] : rigid.sections)
      known_names.push_back(section);
    return report(host == name ? "no body is a part of itself"
                               : "there is no rigid body '" + host +
                                     "' that is not itself a part of another body" +
                                     did_you_mean(host, known_names));
  }
  if (found->second.size() > 1)
    return report("'" + host +
                  "' has copies, and this part would belong to all copies: name one copy, '" +
                  host + " 1'");
  RigidBody<dim> &body = rigid.bodies[found->second.front()];
  for (const RigidBody<dim> &piece : pieces.bodies)
    weld(body, piece);
}

template <int dim>
void read_appearance(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const double h = c.choices.h;
  constexpr double round_off = 1e-6; // relative to a step
  for (const auto &[name, copies] : rigid.sections) {
    const std::string path = rigid_section + "/" + name + "/Appears";
    const std::string text = input.parameters.get(path);
    if (text.empty())
      continue;
    const double first_step = std::ceil((*to_number<double>(text) - c.span.start) / h - round_off);
    const auto report = [&](const std::string &reason) { input.report(path, reason); };
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

template void weld_to(const CaseInput &, const std::string &, const RigidInput<2> &,
                      RigidInput<2> &);
template void weld_to(const CaseInput &, const std::string &, const RigidInput<3> &,
                      RigidInput<3> &);
template void read_appearance(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_appearance(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
