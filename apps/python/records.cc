#include "run_data.h"
#include <pybind11/stl.h>

namespace percussion::python {
namespace {

std::string number_text(double value) { return py::str(py::float_(value)); }

template <typename Class, typename Owner>
void bind_works(Class &record, Works Owner::*works) {
  for (const WorkEntry &entry : work_entries)
    record.def_property_readonly(
        entry.name, [works, work = entry.work](const Owner &self) { return self.*works.*work; },
        sentence(entry.description, "energy").c_str());
}

/// Binds a property for each defect; `defects_of` returns the defects of an owner.
template <typename Class, typename DefectsOf>
void bind_defects(Class &record, const DefectsOf &defects_of) {
  using Owner = typename Class::type;
  for (const DefectEntry &entry : defect_entries())
    record.def_property_readonly(
        entry.name,
        [kind = entry.kind, defects_of](const Owner &self) {
          return defects_of(self).defect(kind).value;
        },
        sentence(std::string("largest ") + entry.description, entry.is_length ? "length" : "")
            .c_str());
}

/// Binds a property for each step entry.
template <typename Class>
void bind_step_entries(Class &record) {
  using Report = typename Class::type;
  for (std::size_t i = 0; i < n_step_entries; ++i) {
    const StepEntry &entry = step_entries[i];
    record.def_property_readonly(
        entry.name,
        [i](const Report &self) -> py::object {
          const double value = self.extremes.values[i];
          return step_entries[i].is_count ? py::object(py::int_(static_cast<unsigned int>(value)))
                                          : py::object(py::float_(value));
        },
        sentence(entry.description, entry.unit).c_str());
  }
}

void bind_summary(py::module_ &module) {
  const auto statistic = [](auto member) {
    return [member](const Summary &s) { return s.statistics.*member; };
  };
  py::class_<Summary> summary(module, "Summary", "Numbers of a run, as in summary.json.");
  bind_defects(summary,
               [](const Summary &s) -> const ContactDefects & { return s.statistics.defects; });
  summary
      .def_property_readonly(
          "status", [](const Summary &s) { return to_str(s.status); },
          "Status: 'running', 'completed', 'stopped' or 'failed'.")
      .def_property_readonly(
          "message", [](const Summary &s) { return to_str(s.message); },
          "Reason for the stop or the failure.")
      .def_readonly("steps", &Summary::steps, "Number of steps taken.")
      .def_readonly("end", &Summary::end, "Time at the end [time].")
      .def_readonly("instants", &Summary::instants, "Instants written to VTU files.")
      .def_readonly("kinetic", &Summary::kinetic, "Kinetic energy at the end.")
      .def_readonly("strain", &Summary::strain, "Strain energy at the end.")
      .def_readonly("contact_potential", &Summary::contact_potential,
                    "Energy of springs in place of contacts at the end.")
      .def_property_readonly(
          "energy", [](const Summary &s) { return s.energy(); }, "Total energy at the end.")
      .def_readonly("initial_energy", &Summary::initial_energy, "Total energy at the beginning.");
  bind_works<py::class_<Summary>, Summary>(summary, &Summary::works);
  summary
      .def_property_readonly(
          "balance_drift",
          [](const Summary &s) { return s.energy() - s.initial_energy - s.works.sum(); },
          "Change of the energy minus all works since the beginning: round-off [energy].")
      .def_property_readonly("energy_max", statistic(&RunStatistics::energy_max), "Largest energy.")
      .def_property_readonly("balance_residual_max",
                             statistic(&RunStatistics::balance_residual_max),
                             "Largest balance residual of a step [energy].")
      .def_property_readonly("normal_work_max", statistic(&RunStatistics::normal_work_max),
                             "Largest normal work of a contact in a step [energy].")
      .def_property_readonly("tangential_work_max", statistic(&RunStatistics::tangential_work_max),
                             "Largest tangential work of a contact in a step [energy].")
      .def_property_readonly("penetration_max", statistic(&RunStatistics::penetration_max),
                             "Largest penetration [length].")
      .def_property_readonly("contacts_max", statistic(&RunStatistics::contacts_max),
                             "Largest number of contacts that took part in a step.")
      .def_property_readonly("cuts", statistic(&RunStatistics::cuts), "Number of cuts of steps.")
      .def_readonly("wall_time", &Summary::wall_time,
                    "Wall time of all steps and their output [s].")
      .def("__repr__", [](const Summary &s) {
        return to_str("<percussion.Summary: " + s.status + " after " + std::to_string(s.steps) +
                      " steps, energy " + number_text(s.initial_energy) + " -> " +
                      number_text(s.energy()) + ">");
      });
}

} // namespace

template <int dim>
void bind_step_record(py::module_ &module) {
  using Report = StepReport<dim>;
  py::class_<Report> record(module, "StepRecord", "Results of a step: numbers that never change.");
  bind_works<py::class_<Report>, Report>(record, &Report::works);
  bind_defects(record, [](const Report &r) -> const ContactDefects & { return r.defects; });
  bind_step_entries(record);
  record.def_readonly("step", &Report::step, "Number of the step, from 1.")
      .def_readonly("time", &Report::time, "Time at the end of the step [time].")
      .def_readonly("kinetic", &Report::kinetic, "Kinetic energy at the end of the step.")
      .def_readonly("strain", &Report::strain, "Strain energy at the end of the step.")
      .def_readonly("contact_potential", &Report::contact_potential,
                    "Energy of springs in place of contacts at the end of the step.")
      .def_property_readonly(
          "energy", [](const Report &r) { return r.energy(); }, "Sum of the three energies.")
      .def_readonly("normal_work_max", &Report::normal_work_max,
                    "Largest normal work of a contact [energy].")
      .def_readonly("momentum_residual", &Report::momentum_residual,
                    "Residual of the momentum, relative to the largest term of the balance.")
      .def_readonly("cuts", &Report::n_cuts, "Number of cuts of the step.")
      .def_readonly("changes", &Report::changes, "Changes of the length of substeps, with reasons.")
      .def("__repr__", [](const Report &r) {
        return "<percussion.StepRecord: step " + std::to_string(r.step) + ", time " +
               number_text(r.time) + ", energy " + number_text(r.energy()) + ", balance residual " +
               number_text(r.balance_residual) + ">";
      });
}

template void bind_step_record<2>(py::module_ &);
template void bind_step_record<3>(py::module_ &);

void bind_records(py::module_ &module) {
  bind_summary(module);
  module.attr("OPEN") = static_cast<int>(ContactStatus::open);
  module.attr("STICK") = static_cast<int>(ContactStatus::stick);
  module.attr("SLIP") = static_cast<int>(ContactStatus::slip);
}

} // namespace percussion::python
