#include <percussion/base/file.h>
#include <percussion/output/summary.h>
#include <percussion/version.h>

#include <nlohmann/json.hpp>

#include <cmath>

namespace percussion {

namespace {

/// Adds a step to the uses of the contacts; records are in the order of their pairs.
template <int dim>
void add_uses(double time, const StepRecord<dim> &record, std::vector<ContactUse> &uses) {
  for (auto contact = record.contacts.begin(); contact != record.contacts.end();) {
    const unsigned int pair = contact->key.pair;
    unsigned int n_carrying = 0;
    double normal = 0;
    for (; contact != record.contacts.end() && contact->key.pair == pair; ++contact) {
      n_carrying += contact->carries() ? 1 : 0;
      normal += contact->percussion[0];
    }
    if (uses.size() <= pair)
      uses.resize(pair + 1);
    uses[pair].steps += n_carrying > 0 ? 1 : 0;
    uses[pair].steps_at_one_point += n_carrying == 1 ? 1 : 0;
    if (normal > uses[pair].normal_max) {
      uses[pair].normal_max = normal;
      uses[pair].time = time;
    }
  }
}

} // namespace

template <int dim>
void RunStatistics::add(const State<dim> &state, const StepRecord<dim> &record) {
  energy_max = std::max(energy_max, state.energy());
  balance_residual_max = std::max(balance_residual_max, std::abs(record.balance_residual));
  normal_work_max = std::max(normal_work_max, record.normal_work_max);
  tangential_work_max = std::max(tangential_work_max, record.tangential_work_max);
  penetration_max = std::max(penetration_max, record.penetration_max);
  solver_residual_max = std::max(solver_residual_max, record.solver_residual);
  momentum_residual_max = std::max(momentum_residual_max, record.momentum_residual);
  cuts += record.n_cuts;
  solver_iterations += record.solver_iterations;
  for (const auto &contact : record.contacts)
    percussion_normal += contact.percussion[0];
  contacts_max = std::max(contacts_max, static_cast<unsigned int>(record.contacts.size()));
  defects.add(record.defects);
  add_uses(state.time, record, contacts);
}

namespace {

/// Returns a defect as JSON. A defect without a contact is zero.
nlohmann::ordered_json json_of(const DefectPlace &defect) {
  nlohmann::ordered_json json = {{"value", defect.value}};
  if (defect.contact.empty())
    return json;
  json["time"] = defect.time;
  json["contact"] = defect.contact;
  json["body"] = defect.body;
  json["position"] = defect.position;
  json["local_size"] = defect.local_size;
  return json;
}

} // namespace

void write_summary(const std::string &file, const Summary &s) {
  using nlohmann::ordered_json;
  ordered_json end_state = {{"kinetic", s.kinetic},
                            {"strain", s.strain},
                            {"contact_potential", s.contact_potential},
                            {"total", s.energy()},
                            {"initial_total", s.initial_energy}};
  for (const WorkEntry &entry : work_entries)
    end_state[entry.name] = s.works.*entry.work;
  end_state["balance_drift"] = s.energy() - s.initial_energy - s.works.sum();
  ordered_json phases;
  for (std::size_t i = 0; i < n_phases; ++i)
    phases[phase_names[i]] = s.times.seconds[i];
  phases["total"] = s.wall_time;
  ordered_json json = {
      {"percussion", PERCUSSION_VERSION},
      {"case", s.name},
      {"status", s.status},
      {"message", s.message},
      {"warnings", s.warnings},
      {"scheme", s.scheme},
      {"units", s.units},
      {"size",
       {{"nodes", s.nodes},
        {"cells", s.cells},
        {"rigid_bodies", s.rigid_bodies},
        {"dofs", s.unknowns},
        {"candidates", s.candidates}}},
      {"time",
       {{"start", s.start},
        {"end", s.end},
        {"step", s.step},
        {"theta", s.theta},
        {"steps", s.steps},
        {"instants", s.instants}}},
      {"end_state", end_state},
      {"extremes",
       {{"total_energy_max", s.statistics.energy_max},
        {"balance_residual_max", s.statistics.balance_residual_max},
        {"normal_work_max", s.statistics.normal_work_max},
        {"tangential_work_max", s.statistics.tangential_work_max},
        {"penetration_max", s.statistics.penetration_max},
        {"contacts_active_max", s.statistics.contacts_max},
        {"solver_residual_max", s.statistics.solver_residual_max},
        {"momentum_residual_max", s.statistics.momentum_residual_max}}},
      {"counts",
       {{"solver_iterations", s.statistics.solver_iterations}, {"cuts", s.statistics.cuts}}},
      {"wall_seconds", phases}};
  if (s.processes > 1)
    json["processes"] = s.processes;
  json["counts"]["contact_problems"] = s.contact_problems;
  for (const DefectPlace &defect : s.defects)
    json["contact_law"][defect.entry->name] = json_of(defect);
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const ContactUse &use = s.statistics.contacts[i];
    json["contacts"][s.contacts[i]] = {{"steps_closed", use.steps},
                                       {"normal_force_max", use.normal_max / s.step},
                                       {"time", use.time}};
  }
  write_file(file, json.dump(2) + "\n");
}

template void RunStatistics::add(const State<2> &, const StepRecord<2> &);
template void RunStatistics::add(const State<3> &, const StepRecord<3> &);

} // namespace percussion
