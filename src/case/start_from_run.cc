#include <percussion/base/format.h>
#include <percussion/dynamics/step.h>
#include <percussion/input/mesh_fingerprint.h>
#include <percussion/output/checkpoint.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

namespace percussion {
namespace {

/// True for entries of rigid bodies that determine their shape or their placement.
bool is_of_shape(const std::string &entry) {
  static const std::string names =
      "/Shape/Width/Height/Length/Vertices/Size/Radius/Contact points/Part of/"
      "/Position/Angle/Axis/Copies/Offset/Turn/Turn centre/Turn axis/Courses/Course offset/"
      "/Fewer in each course/Alternate shift/Repetitions/Repetition offset/";
  return begins_with(entry, body_table_prefix) ||
         begins_with(entry, surface_prefix + "Rigid bodies/") ||
         (begins_with(entry, "Rigid bodies/") &&
          names.find(entry.substr(entry.rfind('/')) + "/") != std::string::npos);
}

/// True for entries that do not affect steps: they may differ between runs with the same steps.
bool may_differ(const std::string &entry) {
  const std::array<std::string, 5> sections = {
      {"Output/", "Probes/", "Initial state/", "Constants/", table_prefix}};
  constexpr std::array<const char *, 4> names = {
      {"Mesh/File", "Time/Start", "Time/End", "Time/Stop when"}};
  const std::string name = entry.substr(entry.rfind('/') + 1);
  return std::any_of(sections.begin(), sections.end(),
                     [&](const std::string &head) { return begins_with(entry, head); }) ||
         std::find(names.begin(), names.end(), entry) != names.end() ||
         names_file_of_bodies(entry) ||
         (begins_with(entry, "Rigid bodies/") &&
          (name == "Initial velocity" || name == "Initial angular velocity"));
}

/// Returns the entries that count and differ between both runs.
Parameters::Values differences(const Parameters::Values &new_values,
                               const Parameters::Values &old_values,
                               bool (*counts)(const std::string &)) {
  const auto counted = [&](const Parameters::Values &values) {
    std::set<std::pair<std::string, std::string>> some;
    std::copy_if(values.begin(), values.end(), std::inserter(some, some.end()),
                 [&](const auto &entry) { return counts(entry.first); });
    return some;
  };
  const auto a = counted(new_values), b = counted(old_values);
  Parameters::Values different;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(different));
  return different;
}

/// Returns the reason why the run has different bodies; empty if they are the same.
template <int dim>
std::string body_mismatch(const Case<dim> &c, const Checkpoint<dim> &end) {
  if (fingerprint(c.meshes) != end.mesh)
    return "its mesh is different";
  const auto entries = differences(c.parameters, end.parameters, is_of_shape);
  if (!entries.empty())
    return "its rigid bodies are different: " + entries.front().first;
  return end.state.q.size() == c.initial.q.size() ? "" : "its bodies are different";
}

/// True for entries on which the meaning of the histories of materials depends.
bool is_of_history(const std::string &entry) {
  const std::string name = entry.substr(entry.rfind('/') + 1);
  return begins_with(entry, "Material/") &&
         (name == "Law" || name == "Element" || name == "Kinematic modulus" ||
          name == "Heat capacity" || begins_with(name, "Prony"));
}

/// Returns the reason why the histories of the run's materials do not suit this case; empty if they
/// suit.
template <int dim>
std::string history_mismatch(const Case<dim> &c, const Checkpoint<dim> &end) {
  const auto entries = differences(c.parameters, end.parameters, is_of_history);
  return entries.empty() || end.state.material_history.empty()
             ? ""
             : "its materials have a memory, which depends on " + entries.front().first +
                   ", and that is different";
}

/// True if a contact has begun to press in the last step: the acceleration is then an impact.
template <int dim>
bool ends_with_impact(const State<dim> &end) {
  const auto &memories = end.history.memories;
  return std::any_of(memories.begin(), memories.end(), [](const ContactMemory<dim> &memory) {
    return memory.percussion[0] > 0. && memory.previous_percussion[0] == 0.;
  });
}

/// Returns the velocities at the end of the run. Velocities of Integrator::half_steps are half a
/// step older and continue with their last change, unless the change was an impact.
template <int dim>
Vector velocities_at_end(const Checkpoint<dim> &end, Case<dim> &c) {
  const State<dim> &state = end.state;
  Vector v = state.v;
  const auto &parameters = end.parameters;
  const auto entry = std::find_if(parameters.begin(), parameters.end(), [](const auto &parameter) {
    return parameter.first == "Time/Scheme";
  });
  if (entry == parameters.end() || scheme(entry->second).integrator != Integrator::half_steps ||
      state.a.size() != v.size())
    return v;
  if (ends_with_impact(state))
    c.warnings.push_back("a contact began to press in the last step of the run in Initial "
                         "state/From: its velocities are those in the middle of that step");
  else
    v.add(0.5 * state.previous_h, state.a);
  return v;
}

/// True if the run and this case have the same contacts.
template <int dim>
bool has_same_contacts(const Checkpoint<dim> &end, const Case<dim> &c) {
  const auto is_of_contacts = [](const std::string &entry) {
    return begins_with(entry, "Contact/") || begins_with(entry, surface_prefix + "Contact/");
  };
  return differences(c.parameters, end.parameters, is_of_contacts).empty();
}

/// Returns the memories of the contacts with percussions of steps of this case if the contacts are
/// the same: contacts that press remain closed, and tangential springs keep their forces. Otherwise
/// returns none.
template <int dim>
std::vector<ContactMemory<dim>> memories_at_end(const Checkpoint<dim> &end, const Case<dim> &c) {
  if (!(end.state.previous_h > 0.) || !has_same_contacts(end, c))
    return {};
  auto memories = end.state.history.memories;
  for (ContactMemory<dim> &memory : memories)
    for (auto *const percussion :
         {&memory.percussion, &memory.first_percussion, &memory.previous_percussion})
      for (double &component : *percussion)
        component *= c.choices.h / end.state.previous_h;
  return memories;
}

/// Starts from the displacements and velocities of the run, and from the memories of its contacts;
/// all other variables of the state follow from them.
template <int dim>
void restart(const Checkpoint<dim> &checkpoint, Case<dim> &c) {
  const State<dim> &end = checkpoint.state;
  c.initial = {};
  c.initial.time = c.span.start;
  c.initial.q = end.q;
  const auto places_joints = [](const std::string &entry) {
    return (begins_with(entry, "Joints/") || begins_with(entry, "Links/")) &&
           entry.find("Motor") == std::string::npos;
  };
  if (differences(c.parameters, checkpoint.parameters, places_joints).empty()) {
    c.initial.link_turns = end.link_turns;
    c.initial.bound_memory = end.bound_memory;
  } else if (std::any_of(end.link_turns.begin(), end.link_turns.end(),
                         [](double turns) { return turns != 0.; }))
    c.warnings.push_back("the joints differ from those of the run in Initial state/From: their "
                         "angles begin within half a turn");
  c.initial.v = velocities_at_end(checkpoint, c);
  c.initial.material_history = end.material_history;
  c.initial.history.memories = memories_at_end(checkpoint, c);
  if (has_same_contacts(checkpoint, c)) {
    c.initial.entries = end.entries;
    c.initial.history.bonds = end.history.bonds;
    c.initial.history.states = end.history.states;
  } else if (!end.history.bonds.empty() || !end.history.states.empty())
    c.warnings.push_back("the contacts differ from those of the run in Initial state/From: bonds "
                         "and states of friction begin anew");
  c.bodies->motion.set_initial_velocity(c.span.start, c.choices.h, c.initial.v);
  Vector prescribed = end.q;
  c.bodies->motion.set_displacement(c.span.start, prescribed);
  prescribed -= end.q;
  const double jump = prescribed.linfty_norm();
  if (jump > 1e-9 * end.q.linfty_norm())
    c.warnings.push_back(format("a prescribed displacement differs by %.3g from the end of the run "
                                "in Initial state/From: it begins with a jump there",
                                jump));
}

} // namespace

template <int dim>
bool start_from_run(const CaseInput &input, Case<dim> &c) {
  const CaseInput section = input.in("Initial state");
  const std::string folder = section.get("From"), condition = "with Initial state/From";
  if (folder.empty())
    return false;
  for (const auto &component : components(dim))
    section.refuse_unused("Velocity " + component, false, condition);
  section.refuse_unused("Static preload", false, condition);
  for (const auto &region : input.subsections("Initial state"))
    section.in(region).report_idle("this has no effect " + condition);
  const auto report = [&](const std::string &reason) {
    section.report("From", reason);
    return true;
  };
  std::vector<std::string> remarks;
  std::optional<Checkpoint<dim>> end;
  try {
    if (!std::filesystem::is_directory(folder))
      return report("there is no such folder");
    end = CheckpointFiles(folder).read<dim>(remarks);
  } catch (const RunError &error) {
    return report(error.what());
  }
  if (!end)
    return report("the folder has no checkpoint-1.bin or checkpoint-2.bin, which a run leaves at "
                  "its end");
  for (const std::string &reason : {body_mismatch(c, *end), history_mismatch(c, *end)})
    if (!reason.empty())
      return report(reason);
  const auto counts = [](const std::string &entry) { return !may_differ(entry); };
  const bool is_in_time = std::abs(c.span.start - end->state.time) < 1e-6 * c.choices.h;
  if (is_in_time && differences(c.parameters, end->parameters, counts).empty()) {
    c.initial = std::move(end->state);
    c.initial.step = 0;
    c.initial.time = c.span.start;
    c.memory = std::make_shared<const StepMemory>(std::move(end->memory));
    for (const auto &[name, value] : end->signals)
      if (const auto signal = c.initial_signals.find(name); signal != c.initial_signals.end())
        *c.signals.at(name) = signal->second = value;
  } else
    restart(*end, c);
  return true;
}

PERCUSSION_INSTANTIATE(start_from_run);

} // namespace percussion
