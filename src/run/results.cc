#include "results.h"

#include <percussion/advice/contact_law_watch.h>
#include <percussion/base/format.h>
#include <percussion/base/processes.h>
#include <percussion/output/paraview_macro.h>
#include <percussion/version.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace percussion {
namespace {

template <int dim>
std::vector<std::pair<std::string, std::string>> remarks(const Case<dim> &c) {
  return {{"percussion", PERCUSSION_VERSION},
          {"case", c.name},
          {"scheme", c.scheme_name},
          {"units", c.output.units}};
}

template <int dim>
Summary summary_of(const Case<dim> &c) {
  Summary summary;
  summary.name = c.name;
  summary.scheme = c.scheme_name;
  summary.units = c.output.units;
  summary.processes = processes::number();
  for (const auto &body : c.bodies->elastic) {
    summary.nodes += body->space.n_nodes();
    summary.cells += body->space.mesh.triangulation.n_active_cells();
  }
  summary.rigid_bodies = static_cast<unsigned int>(c.bodies->rigid.size());
  summary.unknowns = c.bodies->n_dofs();
  summary.candidates = static_cast<unsigned int>(c.boundary->points.size());
  summary.start = c.span.start;
  summary.step = c.choices.h;
  summary.theta = c.choices.theta;
  summary.warnings = c.warnings;
  for (const auto &pair : c.boundary->pairs)
    summary.contacts.push_back(pair.name);
  return summary;
}

void note(double start, double kinetic, bool is_active, double time, StopMemory &m) {
  constexpr double quiet = 1e-8;
  m.largest_kinetic = std::max(m.largest_kinetic, kinetic);
  const bool was_quiet = m.is_quiet;
  m.is_quiet = m.largest_kinetic > 0. && kinetic < quiet * m.largest_kinetic;
  if (m.is_quiet && !was_quiet)
    m.quiet_since = time;
  if (!is_active)
    return;
  if (!m.was_active)
    m.first_active = start;
  m.was_active = true;
  m.last_active = time;
}

/// True if the criterion is met after a step. At rest: the kinetic energy has been below 1e-8 of
/// its largest value for a tenth of the time since `start`. Separated: no contact carries, and none
/// has for a time at least as long as the time span in which contacts carried. A formula: its value
/// is not zero. `probes` are the current values of the probes.
template <int dim>
bool is_met(const StopWhen &stop, double start, const State<dim> &state,
            const StepRecord<dim> &record, const std::vector<double> &probes, StopMemory &memory) {
  const auto n_active = static_cast<double>(
      std::count_if(record.contacts.begin(), record.contacts.end(),
                    [](const ContactRecord<dim> &contact) { return contact.carries(); }));
  const double step_begin = state.time - state.previous_h, t = state.time;
  note(step_begin, state.kinetic, n_active > 0, t, memory);
  switch (stop.kind) {
  case StopWhen::Kind::rest:
    return memory.is_quiet && t - memory.quiet_since >= 0.1 * (t - start);
  case StopWhen::Kind::separated:
    return memory.was_active && n_active == 0 &&
           t - memory.last_active >= memory.last_active - memory.first_active;
  case StopWhen::Kind::formula: {
    std::vector<double> values = {t, state.kinetic, state.strain, state.energy(), n_active};
    values.insert(values.end(), probes.begin(), probes.end());
    const double value = (*stop.formula)(values);
    return value != 0. && !std::isnan(value);
  }
  default:
    return false;
  }
}

} // namespace

template <int dim>
Results<dim>::Files::Files(const Case<dim> &c, const Probes<dim> &case_probes,
                           const std::vector<MassMean<dim>> &elastic_bodies,
                           const Checkpoint<dim> *resumed_from)
    : history(c.output.directory + "/energy.csv", remarks(c),
              resumed_from ? resumed_from->energy_bytes : 0),
      problems(c.output.directory,
               {resumed_from ? resumed_from->name : c.name, c.scheme_name, c.output.units,
                c.choices.theta},
               resumed_from ? resumed_from->contact_problems : 0) {
  if (!c.bodies->rigid.empty())
    rigid_history.emplace(c.output.directory + "/rigid_bodies.csv", remarks(c), c.bodies->rigid,
                          resumed_from ? resumed_from->rigid_bytes : 0);
  if (!elastic_bodies.empty() && elastic_bodies.front().mass > 0.) {
    std::vector<std::string> names;
    auto comments = remarks(c);
    for (std::size_t b = 0; b < elastic_bodies.size(); ++b) {
      names.push_back(c.meshes[b]->name());
      comments.emplace_back("mass of " + names.back(), format("%.17g", elastic_bodies[b].mass));
    }
    elastic_history.emplace(c.output.directory + "/elastic_bodies.csv", comments, names, dim,
                            resumed_from ? resumed_from->elastic_bytes : 0);
  }
  if (!case_probes.empty()) {
    std::vector<std::string> columns = {"step", "time"};
    for (const auto &name : case_probes.columns())
      columns.push_back(name);
    auto comments = remarks(c);
    for (const auto &[name, position_text] : case_probes.remarks())
      comments.emplace_back("probe " + name, position_text);
    probes.emplace(c.output.directory + "/probes.csv", comments, columns,
                   resumed_from ? resumed_from->probe_bytes : 0);
  }
  write_file(c.output.directory + "/" + paraview_macro_name, paraview_macro());
}

template <int dim>
Results<dim>::Results(const Case<dim> &c, Writes writes, const Checkpoint<dim> *resumed_from)
    : summary(summary_of(c)),
      probes(*c.bodies, *c.boundary, c.probes, resumed_from ? resumed_from->probes : ProbeMemory()),
      writes_results(writes == Writes::results),
      writes_events(c.has_value("Output/Instants at events", "true")), pressed_bodies(*c.boundary),
      the_case(c) {
  for (std::size_t b = 0; writes_results && b < c.bodies->elastic.size(); ++b)
    elastic_bodies.push_back(mass_mean(*c.bodies, *c.bodies->elastic[b]));
  if (writes_results && processes::is_first())
    files.emplace(c, probes, elastic_bodies, resumed_from);
  else
    elastic_bodies.clear();
  if (writes_results && (processes::is_first() || writes_pieces(*c.bodies, c.output.fields)))
    fields.emplace(c.output.directory, *c.bodies, *c.boundary, c.choices.h,
                   resumed_from ? resumed_from->instants : std::vector<double>{}, c.output.fields);
  if (resumed_from) {
    summary.name = resumed_from->name; // the parameters in the folder may have another name
    static_cast<RunTotals &>(summary) = resumed_from->totals;
    memory = resumed_from->results_memory;
    const auto is_written_again = [](const FileSum &sum) {
      return sum.name.find("vtu") == sum.name.npos || sum.name == ground_name;
    };
    std::remove_copy_if(resumed_from->results.begin(), resumed_from->results.end(),
                        std::back_inserter(earlier), is_written_again);
  }
}

/// True if the k-th of n steps ends at one of m evenly spaced instants: k m / n passes an integer.
template <int dim>
bool Results<dim>::is_instant(unsigned int step) const {
  const unsigned long long n = the_case.span.n_steps, m = the_case.output.n_outputs;
  return m > 0 && step * m / n > (step - 1ull) * m / n;
}

template <int dim>
std::set<typename Results<dim>::BodiesOfContact>
Results<dim>::carrying_contacts(const State<dim> &state) const {
  std::set<BodiesOfContact> found;
  if (!writes_events)
    return found;
  // Memories are of the contacts at the beginning of the substep, and state.found of those at its
  // end: a contact that has moved out of the search is in the memories only.
  for (const ContactMemory<dim> &contact_memory : state.history.memories)
    if (contact_memory.status != ContactStatus::open)
      if (const Contact<dim> *const contact = state.found.find(contact_memory.key))
        found.insert({contact_memory.key.pair,
                      the_case.boundary->points[contact->point].rigid_body(),
                      contact->opposite_body});
  return found;
}

template <int dim>
void Results<dim>::begin(const State<dim> &state, const StepRecord<dim> &record) {
  summary.initial_energy = state.energy();
  summary.statistics.add(state, record);
  memory.extremes.add(record);
  go_on(state);
  probes.begin(state);
  if (!writes_results)
    return;
  if (fields)
    fields->gather(state);
  write_rows(state);
  write_probes(state);
  write_instant(state, record);
  if (fields)
    fields->write_ground();
}

template <int dim>
bool Results<dim>::add(const State<dim> &state, const StepRecord<dim> &record) {
  summary.works += record.works;
  summary.statistics.add(state, record);
  pressed_bodies.add(record, summary.statistics.steps_of_bodies);
  memory.extremes.add(record);
  const auto previous_contacts = std::move(carrying);
  go_on(state);
  const bool makes_instant =
      writes_results && (carrying != previous_contacts || is_instant(state.step));
  if (fields && makes_instant)
    fields->gather(state);
  if (fields)
    memory.sums.add(record);
  add_accounts(record.accounts, memory.accounts);
  probes.add(state, record, memory.accounts);
  const bool is_last = the_case.stop && is_met(the_case.stop, the_case.span.start, state, record,
                                               probes.values(state), memory.stop);
  if (state.step % the_case.probe_interval == 0)
    write_probes(state);
  if (!writes_results)
    return is_last;
  if (state.step % the_case.output.history_interval == 0)
    write_rows(state);
  if (makes_instant)
    write_instant(state, record);
  return is_last;
}

template <int dim>
bool Results<dim>::lacks_instant(const State<dim> &state) const {
  return the_case.output.n_outputs > 0 && memory.last.instant < state.step;
}

template <int dim>
void Results<dim>::gather_last(const State<dim> &state) {
  if (writes_results && fields && lacks_instant(state))
    fields->gather(state);
}

template <int dim>
bool Results<dim>::close(const State<dim> &state, const StepRecord<dim> &record) {
  if (!writes_results)
    return false;
  const bool lacks_row = memory.last.row < state.step,
             lacks_probes = memory.last.probe_row < state.step;
  if (lacks_row)
    write_rows(state);
  if (lacks_probes)
    write_probes(state);
  const bool adds_instant = lacks_instant(state);
  if (adds_instant)
    write_instant(state, record);
  flush();
  return lacks_row || lacks_probes || adds_instant;
}

template <int dim>
std::vector<FileSum> Results<dim>::file_sums() const {
  std::vector<FileSum> all = {files->history.sum()};
  if (files->rigid_history)
    all.push_back(files->rigid_history->sum());
  if (files->elastic_history)
    all.push_back(files->elastic_history->sum());
  if (files->probes)
    all.push_back(files->probes->sum());
  all.insert(all.end(), earlier.begin(), earlier.end());
  const auto field_sums = fields->sums();
  all.insert(all.end(), field_sums.begin(), field_sums.end());
  return all;
}

template <int dim>
void Results<dim>::add_problem(unsigned int step, const PosedProblem &posed_problem) {
  const unsigned int interval = the_case.output.contact_problems.interval;
  if (!files || interval == 0 || step % interval != 0 || posed_problem.problem.n_contacts == 0)
    return;
  files->problems.write(step, posed_problem);
}

template <int dim>
std::string Results<dim>::add_failed_problem(unsigned int step, const PosedProblem &posed_problem) {
  if (!files || !the_case.output.contact_problems.on_failure)
    return {};
  try {
    return "\nIts contact problem is in " + files->problems.write_failed(step, posed_problem);
  } catch (const std::exception &error) {
    return std::string("\nIts contact problem was not saved: ") + error.what();
  }
}

template <int dim>
void Results<dim>::flush() {
  flush_rows();
  if (!fields)
    return;
  fields->wait();
  fields->write_ground();
  if (!files)
    sync(); // the first process does so when it has listed the pieces
}

template <int dim>
void Results<dim>::describe(Checkpoint<dim> &checkpoint) {
  checkpoint.totals = summary;
  checkpoint.results_memory = memory;
  checkpoint.probes = probes.memory();
  if (!writes_results)
    return;
  sync();
  checkpoint.instants = fields->times();
  checkpoint.energy_bytes = files->history.size();
  checkpoint.rigid_bytes = files->rigid_history ? files->rigid_history->size() : 0;
  checkpoint.elastic_bytes = files->elastic_history ? files->elastic_history->size() : 0;
  checkpoint.probe_bytes = files->probes ? files->probes->size() : 0;
  checkpoint.contact_problems = files->problems.n_written();
  checkpoint.results = file_sums();
}

template <int dim>
void Results<dim>::end(const State<dim> &state, const std::string &status,
                       const std::string &message, const PhaseTimes &times, double wall_time) {
  summary.status = status;
  summary.message = message;
  summary.end = state.time;
  summary.steps = state.step;
  summary.kinetic = state.kinetic;
  summary.strain = state.strain;
  summary.contact_potential = state.contact_potential;
  summary.times = times;
  summary.wall_time = wall_time;
  summary.statistics.contacts.resize(summary.contacts.size());
  summary.defects = defect_places(the_case, summary.statistics.defects);
  if (fields)
    summary.instants = static_cast<unsigned int>(fields->times().size());
  fields.reset(); // another process that resumes the run may write from here on
  if (!files)
    return;
  summary.contact_problems = files->problems.n_written();
  for (const BodyTable<dim> &table : the_case.body_tables)
    write_body_table(the_case.output.directory + "/bodies_" + table.section + ".csv",
                     remarks(the_case), table, *the_case.bodies, state);
  files.reset();
  write_summary(the_case.output.directory + "/summary.json", summary);
  sync();
}

template <int dim>
void Results<dim>::write_rows(const State<dim> &state) {
  if (files) {
    const std::uint64_t n_bytes = files->history.size();
    files->history.write(
        ledger_row(state, memory.extremes, summary.works, summary.statistics.percussion_normal));
    if (files->rigid_history)
      files->rigid_history->write(*the_case.bodies, state);
    if (files->elastic_history)
      files->elastic_history->write(elastic_bodies, state);
    if (files->history.size() > n_bytes) // the tables on the disk have the same rows
      flush_rows();
  }
  memory.extremes = {};
  memory.last.row = state.step;
}

/// Writes a row if there are files. The sums of percussions restart with each row, written or not:
/// formulas depend on them.
template <int dim>
void Results<dim>::write_probes(const State<dim> &state) {
  if (files && files->probes) {
    files->probes->number(state.step);
    files->probes->number(state.time);
    for (const double value : probes.values(state))
      files->probes->number(value);
    files->probes->end_row();
  }
  probes.start_row(state.time);
  memory.last.probe_row = state.step;
}

template <int dim>
void Results<dim>::write_instant(const State<dim> &state, const StepRecord<dim> &record) {
  if (fields)
    fields->write(state, record, memory.sums, memory.accounts);
  memory.sums = {};
  memory.last.instant = state.step;
  if (state.step > 0)
    flush_rows();
}

template <int dim>
void Results<dim>::flush_rows() {
  if (!files)
    return;
  files->history.flush();
  if (files->rigid_history)
    files->rigid_history->flush();
  if (files->elastic_history)
    files->elastic_history->flush();
  if (files->probes)
    files->probes->flush();
}

template class Results<2>;
template class Results<3>;

} // namespace percussion
