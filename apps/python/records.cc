#include "run_data.h"
#include <pybind11/stl.h>

namespace percussion::python {
namespace {

std::string number_text(double value) { return py::str(py::float_(value)); }

template <typename Class, typename Owner>
void bind_works(Class &record, Works Owner::*works) {
  const auto add = [&](const char *name, double Works::*work, const char *text) {
    record.def_property_readonly(
        name, [works, work](const Owner &self) { return self.*works.*work; }, text);
  };
  add("work_external", &Works::external, "Work of loads [energy].");
  add("work_viscous", &Works::viscous, "Work of viscous forces [energy].");
  add("work_numerical", &Works::numerical,
      "Numerical work of the scheme, zero at theta = 1/2 [energy].");
  add("work_contact_normal", &Works::contact_normal, "Work of normal percussions [energy].");
  add("work_contact_tangential", &Works::contact_tangential, "Work of friction [energy].");
  add("work_prescribed", &Works::prescribed, "Work of prescribed motions and surfaces [energy].");
  add("work_position_correction", &Works::position_correction,
      "Work of position corrections against the loads [energy].");
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
        (std::string("Largest ") + entry.description + (entry.is_length ? " [length]." : "."))
            .c_str());
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
  bind_works(summary, &Summary::works);
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
  record.def_readonly("step", &Report::step, "Number of the step, from 1.")
      .def_readonly("time", &Report::time, "Time at the end of the step [time].")
      .def_readonly("kinetic", &Report::kinetic, "Kinetic energy at the end of the step.")
      .def_readonly("strain", &Report::strain, "Strain energy at the end of the step.")
      .def_readonly("contact_potential", &Report::contact_potential,
                    "Energy of springs in place of contacts at the end of the step.")
      .def_property_readonly(
          "energy", [](const Report &r) { return r.energy(); }, "Sum of the three energies.")
      .def_readonly("balance_residual", &Report::balance_residual,
                    "Change of the energy minus all works: round-off [energy].")
      .def_readonly("normal_work_max", &Report::normal_work_max,
                    "Largest normal work of a contact [energy].")
      .def_readonly("tangential_work_max", &Report::tangential_work_max,
                    "Largest tangential work of a contact [energy].")
      .def_readonly("tangential_work_min", &Report::tangential_work_min,
                    "Smallest tangential work of a contact [energy].")
      .def_readonly("contacts_active", &Report::contacts_active,
                    "Number of contacts that took part.")
      .def_readonly("contacts_sliding", &Report::n_sliding, "Number of contacts that slipped.")
      .def_readonly("penetration_max", &Report::penetration_max,
                    "Largest penetration at the end of the step [length].")
      .def_readonly("solver_iterations", &Report::solver_iterations,
                    "Iterations of the contact solver, or of Newton's method for finite strains.")
      .def_readonly("solver_residual", &Report::solver_residual, "Residual of the contact problem.")
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
  using Row = LedgerRow;
  PYBIND11_NUMPY_DTYPE_EX(
      Row, step, "step", time, "time", kinetic, "kinetic", strain, "strain", total, "total",
      works.external, "work_external", works.viscous, "work_viscous", works.numerical,
      "work_numerical", works.contact_normal, "work_contact_normal", works.contact_tangential,
      "work_contact_tangential", works.prescribed, "work_prescribed", balance_residual,
      "balance_residual", tangential_work_max, "tangential_work_max", tangential_work_min,
      "tangential_work_min", contacts_active, "contacts_active", contacts_sliding,
      "contacts_sliding", penetration_max, "penetration_max", solver_iterations,
      "solver_iterations", solver_residual, "solver_residual", percussion_normal,
      "percussion_normal", contact_potential, "contact_potential", work_position_correction,
      "work_position_correction", missed_depth, "missed_depth", relapse_depth, "relapse_depth",
      drift, "drift", pressing_gap, "pressing_gap", cone_violation, "cone_violation",
      slip_direction_error, "slip_direction_error", resting_work, "resting_work");
  bind_summary(module);
  module.attr("OPEN") = static_cast<int>(ContactStatus::open);
  module.attr("STICK") = static_cast<int>(ContactStatus::stick);
  module.attr("SLIP") = static_cast<int>(ContactStatus::slip);
}

} // namespace percussion::python
