#include <percussion/body/attitude.h>

#include "run_data.h"
#include <pybind11/stl.h>

namespace percussion::python {
namespace {

/// Returns the type of a row of the ledger.
py::dtype row_type() {
  py::list names, formats, offsets;
  for (const LedgerColumn &column : ledger_columns()) {
    offsets.append(sizeof(double) * names.size());
    names.append(column.name);
    formats.append(column.is_count ? "u4" : "f8");
  }
  return {names, formats, offsets, static_cast<py::ssize_t>(sizeof(double) * names.size())};
}

/// Returns a view of the rows so far, which stay at the same address.
template <int dim>
py::array ledger(const RunData<dim> &run) {
  using Cells = decltype(Ledger::cells);
  Cells cells;
  std::size_t n = 0;
  {
    const InLibrary library; // a step of another thread would add rows
    cells = run.ledger.cells;
    n = run.ledger.n_rows();
  }
  const py::capsule owner(new Cells(cells), [](void *p) { delete static_cast<Cells *>(p); });
  py::array rows(row_type(), {n}, cells->data(), owner);
  rows.attr("flags").attr("writeable") = false;
  return rows;
}

/// Takes n steps, before each of which the functions of connected signals are evaluated.
template <int dim>
StepReport<dim> step(const py::object &self, unsigned int n) {
  RunData<dim> &run = *self.cast<RunPointer<dim>>();
  if (n == 0)
    throw py::value_error("n is 0: a call takes at least one step");
  if (run.has_connected())
    run.evaluate_connected(self);
  const InLibrary library(run.choices.verbose);
  StepReport<dim> report = run.step();
  for (unsigned int k = 1; k < n && !run.run->is_finished(); ++k) {
    handle_signals();
    if (run.has_connected()) {
      const py::gil_scoped_acquire acquired;
      run.evaluate_connected(self);
    }
    report = run.step();
  }
  return report;
}

template <int dim>
py::array_t<double> cell_stress(const RunData<dim> &run) {
  CaseData<dim> &data = *run.case_data;
  std::vector<double> values;
  {
    const InLibrary library;
    if (data.stress.empty())
      for (const auto &body : data.c.bodies->elastic)
        data.stress.emplace_back(*body);
    const State<dim> &state = run.run->state();
    for (std::size_t b = 0; b < data.stress.size(); ++b)
      for (unsigned int cell = 0; cell < data.stress[b].n_cells(); ++cell) {
        const auto s = data.stress[b](cell, state.q, history_of_body(state.material_history, b));
        values.insert(values.end(), {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]});
      }
  }
  return rows_of(values, 6);
}

/// Ends a `with` block.
template <int dim>
void leave(RunData<dim> &run, const py::handle &exception_type) {
  if (run.is_over())
    return;
  const bool is_exception = !exception_type.is_none();
  const InLibrary library(run.choices.verbose);
  if (is_exception)
    end_at(run, exception_type);
  else
    run.end("the end of its with block");
}

template <int dim>
void bind_state(py::module_ &module) {
  const auto motion = [](Vector State<dim>::*vector) {
    return [vector](const py::object &self) {
      const RunData<dim> &run = *self.cast<StateView<dim> &>().data;
      return node_array(*run.case_data, run.run->state().*vector, self);
    };
  };
  const auto number = [](auto member) {
    return [member](const StateView<dim> &self) { return self.data->run->state().*member; };
  };
  py::class_<StateView<dim>>(module, "State",
                             "State of the bodies. Arrays are read-only views without copies; "
                             "after the next step they show its state.")
      .def_property_readonly("step", number(&State<dim>::step), "Number of steps taken.")
      .def_property_readonly("time", number(&State<dim>::time), "Time of the state [time].")
      .def_property_readonly("kinetic", number(&State<dim>::kinetic), "Kinetic energy.")
      .def_property_readonly("strain", number(&State<dim>::strain), "Strain energy.")
      .def_property_readonly(
          "energy", [](const StateView<dim> &self) { return self.data->run->state().energy(); },
          "Kinetic and strain energy.")
      .def_property_readonly("displacement", motion(&State<dim>::q),
                             "Displacement of the nodes, (n_nodes, dim) [length]; a view.")
      .def_property_readonly("velocity", motion(&State<dim>::v),
                             "Velocity of the nodes, (n_nodes, dim) [length/time]; a view.")
      .def("__repr__", [](const StateView<dim> &self) {
        const State<dim> &state = self.data->run->state();
        return "<percussion.State: step " + std::to_string(state.step) + ", time " +
               std::string(py::str(py::float_(state.time))) + ">";
      });
}

template <int dim>
py::array_t<double> poses(const RunData<dim> &run) {
  const System<dim> &bodies = *run.case_data->c.bodies;
  std::vector<double> values;
  for (std::size_t b = 0; b < bodies.rigid.size(); ++b) {
    const double *const motion = bodies.rigid_values(run.run->state().q, b);
    for (unsigned int d = 0; d < dim; ++d)
      values.push_back(bodies.rigid[b].centre[d] + motion[d]);
    if constexpr (dim == 2)
      values.push_back(motion[dim]);
    else
      for (const double component : quaternion(motion + dim))
        values.push_back(component);
  }
  return rows_of(values, dim == 2 ? 3 : 7);
}

template <int dim>
py::array_t<double> outline(const RunData<dim> &run, std::size_t b) {
  const auto &rigid = run.case_data->c.bodies->rigid;
  if (b >= rigid.size())
    throw py::index_error("there are " + std::to_string(rigid.size()) + " rigid bodies");
  const RigidPose<dim> pose = run.case_data->c.bodies->poses(run.run->state().q)[b];
  std::vector<double> values;
  for (const auto &vertex : pose.outline(rigid[b]))
    for (unsigned int d = 0; d < dim; ++d)
      values.push_back(vertex[d]);
  return rows_of(values, dim);
}

template <int dim>
void bind_rigid_bodies(py::module_ &module) {
  const auto motion = [](Vector State<dim>::*vector) {
    return [vector](const py::object &self) {
      const RunData<dim> &run = *self.cast<RigidView<dim> &>().data;
      return rigid_body_array(*run.case_data, run.run->state().*vector, self);
    };
  };
  py::class_<RigidView<dim>>(module, "RigidBodies",
                             "The rigid bodies. Arrays are read-only views without copies, which "
                             "show the next step after it; methods return new arrays.")
      .def_property_readonly(
          "names",
          [](const RigidView<dim> &self) {
            return to_list(self.data->case_data->c.bodies->rigid,
                           [](const RigidBody<dim> &body) { return body.name; });
          },
          "Names of the bodies.")
      .def_property_readonly(
          "displacement", motion(&State<dim>::q),
          "Displacement of the centres since the start [length], and rotation: in 2D [radian], (n, "
          "3), in 3D by modified Rodrigues parameters, (n, 6); a view.")
      .def_property_readonly("velocity", motion(&State<dim>::v),
                             "Velocity of the centres [length/time], and angular velocity, in 3D "
                             "in the body's frame, (n, 3) or (n, 6); a view.")
      .def(
          "pose", [](const RigidView<dim> &self) { return poses(*self.data); },
          "Returns centres of mass [length] and rotations since the start: in 2D counter-clockwise "
          "[radian], (n, 3), in 3D quaternions w, x, y, z, (n, 7). A new array.")
      .def(
          "outline",
          [](const RigidView<dim> &self, std::size_t b) { return outline(*self.data, b); },
          py::arg("body"),
          "Returns the positions of the vertices of a body, (n_vertices, dim). A new array.")
      .def("__len__", [](const RigidView<dim> &self) { return self.data->case_data->n_rigid(); })
      .def("__repr__", [](const RigidView<dim> &self) {
        return "<percussion.RigidBodies: " + std::to_string(self.data->case_data->n_rigid()) + ">";
      });
}

constexpr const char *class_text =
    "A run that is taken step by step; Case.run() begins it.\n\n"
    "    with case.run() as run:\n"
    "        for record in run:\n"
    "            print(record.time, record.energy)\n\n"
    "At the end of the with block a run that has taken all its steps is finished; any other run is "
    "stopped with a checkpoint. Without the block call finish() or stop(): a run that is deleted "
    "before resumes from its last checkpoint, like a killed run.";

} // namespace

template <int dim>
void bind_run(py::module_ &module) {
  bind_state<dim>(module);
  bind_rigid_bodies<dim>(module);
  using namespace py::literals;
  py::class_<SavedStep<dim>>(module, "SavedStep", "A step of a run, see Run.save().");
  py::class_<RunData<dim>, RunPointer<dim>>(module, "Run", class_text)
      .def_property_readonly(
          "case", [](const RunPointer<dim> &run) { return run->case_data; }, "Its Case.")
      .def_property_readonly(
          "n_steps", [](const RunPointer<dim> &run) { return run->case_data->c.span.n_steps; },
          "Steps of the whole run.")
      .def_property_readonly(
          "finished", [](const RunPointer<dim> &run) { return !run->end_reason().empty(); },
          "True if the run has taken its last step, or was ended.")
      .def_property_readonly(
          "state", [](const RunPointer<dim> &run) { return StateView<dim>{run}; }, "The State.")
      .def_property_readonly(
          "contacts", [](const RunPointer<dim> &run) { return ContactsView<dim>{run}; },
          "The Contacts.")
      .def_property_readonly(
          "rigid_bodies", [](const RunPointer<dim> &run) { return RigidView<dim>{run}; },
          "The RigidBodies.")
      .def_property_readonly(
          "ledger", [](const RunPointer<dim> &run) { return ledger(*run); },
          "The energies and works of all steps so far: a structured array (n_rows,) with the "
          "columns of energy.csv as fields, a row for the beginning and for each step. A read-only "
          "view; get it again to see later steps. After a resume it begins with the first step "
          "after the checkpoint.")
      .def_property_readonly(
          "probes",
          [](const RunPointer<dim> &run) {
            py::dict row;
            for (const auto &[name, value] : run->run->probes())
              row[to_str(name)] = value;
            return row;
          },
          "Current values of the probes, a number for each column of probes.csv, by its name. "
          "Percussions and forces refer to the time since the last row.")
      .def_property_readonly(
          "summary", [](const RunPointer<dim> &run) { return run->summary(); },
          "The Summary so far.")
      .def(
          "step", [](const py::object &self, unsigned int n) { return step<dim>(self, n); },
          "n"_a = 1,
          "Take the next n steps, or fewer if the run ends before, and write the files that are "
          "due; returns the StepRecord of the last step.\n\n"
          "Raises RunError if a step fails; files written before stay complete.")
      .def_property_readonly(
          "signals",
          [](const RunPointer<dim> &run) {
            const InLibrary library;
            return run->run->signals();
          },
          "Values of the signals of the case's formulas, by name. A new dict.")
      .def(
          "set",
          [](const RunPointer<dim> &run, const std::string &signal, double value) {
            const InLibrary library(run->choices.verbose);
            run->run->set_signal(signal, value);
          },
          "signal"_a, "value"_a,
          "Give a signal another value: formulas with it have this value from the beginning of the "
          "next step on. The energy balance counts the work of the loads and motions that follow.")
      .def(
          "connect",
          [](const RunPointer<dim> &run, const std::string &signal, const py::function &function) {
            run->connect(signal, function);
          },
          "signal"_a, "function"_a,
          "Set a signal before each step to the value that the function returns for this run.")
      .def(
          "save",
          [](const RunPointer<dim> &run) {
            const InLibrary library(run->choices.verbose);
            return run->save();
          },
          "Returns the current step, to which restore() returns, of a run with write=False.")
      .def(
          "restore",
          [](const RunPointer<dim> &run, const SavedStep<dim> &saved) {
            const InLibrary library(run->choices.verbose);
            run->restore(saved);
          },
          "saved"_a, "Return to a saved step, with its signals.")
      .def(
          "finish",
          [](const RunPointer<dim> &run) {
            const InLibrary library(run->choices.verbose);
            return run->finish();
          },
          "End a run that has taken all its steps: all results are on disk. Returns the Summary.")
      .def(
          "stop",
          [](const RunPointer<dim> &run, const std::string &reason) {
            const InLibrary library(run->choices.verbose);
            return run->stop(reason);
          },
          "reason"_a = "the caller",
          "End a run before its last step, with a checkpoint from which case.run(resume=True) or "
          "percussion --resume continues. Returns the Summary.")
      .def(
          "cell_stress", [](const RunPointer<dim> &run) { return cell_stress(*run); },
          "Returns the Cauchy stress of the cells, (n_cells, 6): xx, yy, zz, xy, yz, xz "
          "[force/length^2]. A new array.")
      .def(
          "matrices", [](const RunPointer<dim> &run) { return matrices(*run); },
          "Returns the Matrices of the bodies and of the contacts of the last step as sparse "
          "matrices of SciPy; help(percussion.Matrices) describes them.")
      .def("__iter__", [](const RunPointer<dim> &run) { return run; })
      .def("__next__",
           [](const py::object &self) {
             const auto run = self.cast<RunPointer<dim>>();
             if (run->is_over() || run->run->is_finished())
               throw py::stop_iteration();
             return step<dim>(self, 1);
           })
      .def("__enter__", [](const RunPointer<dim> &run) { return run; })
      .def("__exit__", [](const RunPointer<dim> &run, const py::object &type, const py::object &,
                          const py::object &) { leave(*run, type); })
      .def("__repr__", [](const RunPointer<dim> &run) {
        return to_str("<percussion.Run of '" + run->case_data->c.name + "': step " +
                      std::to_string(run->run->state().step) + " of " +
                      std::to_string(run->case_data->c.span.n_steps) + ">");
      });
}

template void bind_run<2>(py::module_ &);
template void bind_run<3>(py::module_ &);

} // namespace percussion::python
