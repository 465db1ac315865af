#include "case_data.h"

#include <percussion/advice/estimate.h>
#include <percussion/base/error.h>
#include <percussion/case/reference.h>

#include "run_data.h"
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace percussion::python {
namespace {

/// Returns a value as text of a parameter file: numbers with all their digits, lists with commas.
std::string to_text(const py::handle &value) {
  if (py::isinstance<py::str>(value))
    return value.cast<std::string>();
  if (py::isinstance<py::bool_>(value) ||
      std::string(Py_TYPE(value.ptr())->tp_name) == "numpy.bool_")
    return PyObject_IsTrue(value.ptr()) == 1 ? "true" : "false";
  if (!PySequence_Check(value.ptr())) {
    if (PyIndex_Check(value.ptr()))
      return py::str(py::int_(py::reinterpret_borrow<py::object>(value)));
    if (PyNumber_Check(value.ptr()))
      return py::repr(py::float_(py::reinterpret_borrow<py::object>(value)));
    throw py::type_error("a parameter is a text, a number, a truth value, or a sequence of these, "
                         "not " +
                         std::string(py::repr(value)));
  }
  std::string list;
  for (const auto &entry : value)
    list += (list.empty() ? "" : ", ") + to_text(entry);
  return list;
}

/// Returns a case of the dimension of its mesh or its bodies.
py::object make_case(ParameterFile file, const py::dict &parameters,
                     const std::optional<std::filesystem::path> &output) {
  for (const auto &[path, value] : parameters)
    file.override_with(path.cast<std::string>() + "=" + to_text(value));
  if (output)
    file.override_with("Output/Directory=" + output->string(), "output");
  const auto dimension = [&] {
    const InLibrary library;
    return dimension_of(file);
  }();
  return dispatch_dimension(dimension, [&](auto dim) {
    CasePointer<dim> pointer;
    {
      const InLibrary library;
      pointer = std::make_shared<CaseData<dim>>(std::move(file));
    }
    return py::object(py::cast(pointer));
  });
}

std::string joined_lines(const std::vector<std::string> &lines) {
  std::string text;
  for (const auto &line : lines)
    text += line + "\n";
  return text;
}

template <int dim>
py::dict estimate(const CaseData<dim> &data) {
  std::optional<Estimate> result;
  {
    const InLibrary library;
    result = estimate_run(data.c);
  }
  py::dict dict;
  dict["steps_taken"] = result->n_steps;
  dict["wall_time"] = result->wall_time;
  dict["memory"] = result->memory;
  dict["output_size"] = expected_size(data.c);
  dict["failure"] = to_str(result->failure);
  return dict;
}

template <int dim, typename Member>
auto case_member(Member member) {
  return [member](const CasePointer<dim> &data) { return to_str(data->c.*member); };
}

template <int dim>
void bind_initial_state(py::module_ &module) {
  const auto motion = [](bool rigid, Vector State<dim>::*vector) {
    return [rigid, vector](const py::object &self) {
      const CaseData<dim> &data = *self.cast<InitialView<dim> &>().data;
      const Vector &v = data.c.initial.*vector;
      return rigid ? rigid_body_array(data, v, self, Access::write)
                   : node_array(data, v, self, Access::write);
    };
  };
  py::class_<InitialView<dim>>(
      module, "InitialState",
      "Initial state of the runs of the case. Arrays are writable views: a run copies their values "
      "when it begins. Motions that the boundary conditions prescribe must stay unchanged.")
      .def_property_readonly("displacement", motion(false, &State<dim>::q),
                             "Displacement of the nodes, (n_nodes, dim) [length]; a writable view.")
      .def_property_readonly(
          "velocity", motion(false, &State<dim>::v),
          "Velocity of the nodes, (n_nodes, dim) [length/time]; a writable view.")
      .def_property_readonly("rigid_displacement", motion(true, &State<dim>::q),
                             "Displacement of the rigid bodies: centres and rotation, as in "
                             "RigidBodies; a writable view.")
      .def_property_readonly("rigid_velocity", motion(true, &State<dim>::v),
                             "Velocity of the rigid bodies, as in RigidBodies; a writable view.");
}

constexpr const char *case_text =
    "A case: a parameter file that was read and checked, with its meshes.\n\n"
    "Case(file, parameters={}, output=None)\n\n"
    "file: path of the .prm. parameters: values to override, by path, as percussion's --set does: "
    "{\"Time/Step\": 1e-4, \"Boundary conditions/Gravity\": (0, -9.81)}; a text is used as it is. "
    "output: folder of the results.\n"
    "Raises InputError with all errors of the input.";
constexpr const char *run_text =
    "Begin a run, to be taken step by step.\n\n"
    "write: make the folder of the results and write what the application writes, byte for byte; "
    "without it nothing is written. resume: continue from the checkpoint in the folder, if there "
    "is one. verbose: print what the application prints.\n"
    "Raises InputError if the folder cannot be used, RunError if the run cannot begin.";
constexpr const char *solve_text =
    "Take all steps of a run, as the application does, and return its Summary.\n\n"
    "The arguments are those of run(). Ctrl-C ends the run after the current step: it writes a "
    "checkpoint and raises KeyboardInterrupt; solve(resume=True) continues.";

} // namespace

template <int dim>
void bind_case(py::module_ &module) {
  bind_initial_state<dim>(module);
  using namespace py::literals;
  const auto begin = [](const CasePointer<dim> &data, bool write, bool resume, bool verbose) {
    return begin_run(data, {write, resume, verbose});
  };
  py::class_<CaseData<dim>, CasePointer<dim>>(module, "Case", case_text)
      .def_property_readonly("name", case_member<dim>(&Case<dim>::name),
                             "The file's name without .prm.")
      .def_property_readonly("scheme", case_member<dim>(&Case<dim>::scheme_name),
                             "Name of the scheme.")
      .def_property_readonly(
          "output", [](const CasePointer<dim> &d) { return to_str(d->c.output.directory); },
          "Folder of the results.")
      .def_property_readonly(
          "units", [](const CasePointer<dim> &d) { return to_str(d->c.output.units); },
          "Units of the case, as its Output/Units names them.")
      .def_property_readonly(
          "parameters",
          [](const CasePointer<dim> &data) {
            py::dict values;
            for (const auto &[path, value] : data->c.parameters)
              values[to_str(path)] = to_str(value);
            return values;
          },
          "All parameters in effect, defaults included: path and value, as texts.")
      .def_property_readonly(
          "warnings",
          [](const CasePointer<dim> &data) {
            return to_list(data->c.warnings, [](const std::string &warning) { return warning; });
          },
          "Warnings: allowed input that is perhaps not intended.")
      .def_property_readonly(
          "notes",
          [](const CasePointer<dim> &data) {
            return to_list(data->c.notes, [](const std::string &note) { return note; });
          },
          "Notes on input that is usually intended: regions that the case does not name, pairs of "
          "bodies without contact.")
      .def_property_readonly(
          "n_steps", [](const CasePointer<dim> &d) { return d->c.span.n_steps; }, "Steps of a run.")
      .def_property_readonly(
          "step_length", [](const CasePointer<dim> &d) { return d->c.choices.h; },
          "Length of a step [time].")
      .def_property_readonly(
          "theta", [](const CasePointer<dim> &d) { return d->c.choices.theta; },
          "Parameter theta of the scheme.")
      .def_property_readonly(
          "mesh",
          [](const CasePointer<dim> &d) {
            return d->c.meshes.empty() ? std::nullopt
                                       : std::optional<MeshView<dim>>(MeshView<dim>{d});
          },
          "The Mesh of the elastic bodies; None if there are rigid bodies only.")
      .def_property_readonly(
          "initial", [](const CasePointer<dim> &d) { return InitialView<dim>{d}; },
          "The InitialState, which may be changed.")
      .def(
          "describe",
          [](const CasePointer<dim> &d) { return to_str(joined_lines(describe(d->c))); },
          "Returns the description of the case that percussion --validate prints.")
      .def(
          "estimate", [](const CasePointer<dim> &d) { return estimate(*d); },
          "Estimates a run, from up to 20 steps on a copy of the initial state: a dict with "
          "wall_time [s], memory [bytes], output_size [bytes], steps_taken, and failure, the "
          "reason for which a step failed, or empty.")
      .def(
          "effective_parameters",
          [](const CasePointer<dim> &d, bool documented) {
            return to_str(effective_parameters(d->file, documented));
          },
          "documented"_a = false,
          "Returns the parameters in effect as the text of a parameter file.")
      .def("run", begin, py::kw_only(), "write"_a = true, "resume"_a = false, "verbose"_a = false,
           run_text)
      .def(
          "solve",
          [begin](const CasePointer<dim> &data, bool write, bool resume, bool verbose) {
            return take_all_steps(*begin(data, write, resume, verbose));
          },
          py::kw_only(), "write"_a = true, "resume"_a = false, "verbose"_a = false, solve_text)
      .def("__repr__", [](const CasePointer<dim> &d) {
        return to_str("<percussion.Case '" + d->c.name +
                      "': " + std::to_string(d->c.bodies->n_dofs()) + " degrees of freedom, " +
                      std::to_string(d->c.boundary->points.size()) + " candidate contacts, " +
                      std::to_string(d->c.span.n_steps) + " steps, " + d->c.scheme_name + ">");
      });
}

void bind_making_of_cases(py::module_ &module) {
  using namespace py::literals;
  using Folder = std::optional<std::filesystem::path>;
  module.def(
      "_case",
      [](const std::filesystem::path &file, const py::dict &parameters, const Folder &output) {
        return make_case(ParameterFile::read(file.string()), parameters, output);
      },
      "file"_a, "parameters"_a = py::dict(), "output"_a = py::none());
  module.def(
      "_case_from_text",
      [](const std::string &text, const py::dict &parameters, const Folder &output,
         const std::string &name) {
        return make_case(ParameterFile::parse(text, name), parameters, output);
      },
      "text"_a, "parameters"_a = py::dict(), "output"_a = py::none(), "name"_a = "case.prm",
      "Returns the case of a parameter file with this text. `name` stands for the file in "
      "messages; names of meshes and included files are relative to its folder.");
}

template void bind_case<2>(py::module_ &);
template void bind_case<3>(py::module_ &);

} // namespace percussion::python
