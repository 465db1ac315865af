#include <percussion/base/error.h>
#include <percussion/base/mpi_session.h>
#include <percussion/version.h>

#include "case_data.h"
#include <atomic>
#include <cctype>

namespace percussion::python {

class Session {
public:
  Session() {
    int is_started = 0;
    MPI_Initialized(&is_started); // by mpi4py, for example
    if (is_started == 0)
      mpi.emplace();
    else
      use_one_blas_thread();
  }

private:
  std::optional<MpiSession> mpi;
};

namespace {

std::recursive_mutex library;
std::shared_ptr<Session> global_session; ///< until the interpreter ends
std::atomic<bool> is_ending{false};

/// Waits for daemon threads to leave the library after their current step, and blocks further
/// calls: such threads could neither return to an interpreter that has ended nor use MPI.
void end_session() {
  is_ending = true;
  {
    const py::gil_scoped_release released;
    library.lock();
  }
  global_session.reset();
}

void start_session(py::module_ &module) {
  global_session = std::make_shared<Session>();
  module.attr("_end_session") = py::cpp_function(end_session);
  py::module_::import("atexit").attr("register")(module.attr("_end_session"));
}

/// Binds exceptions that Python can distinguish, with the whole message of the library.
void bind_errors(py::module_ &module) {
  static const py::object input_error =
      py::exception<InputError>(module, "InputError", PyExc_ValueError);
  static const py::object run_error =
      py::exception<RunError>(module, "RunError", PyExc_RuntimeError);
  input_error.attr("__doc__") =
      "The input is wrong: parameters, a mesh, the folder of the results. The message has a line "
      "for each error, as the application prints it.";
  run_error.attr("__doc__") = "The run has failed, or cannot execute the call. Files written "
                              "before stay complete and readable.";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(std::move(pointer));
    } catch (const InputError &error) {
      PyErr_SetObject(input_error.ptr(), to_str(error.what()).ptr());
    } catch (const RunError &error) {
      PyErr_SetObject(run_error.ptr(), to_str(error.what()).ptr());
    }
  });
}

/// Binds the classes of one dimension; percussion/__init__.py defines the classes common to both.
template <int dim>
void bind_dimension(py::module_ &module, const char *name) {
  auto submodule = module.def_submodule(name);
  bind_mesh<dim>(submodule);
  bind_step_record<dim>(submodule);
  bind_contacts<dim>(submodule);
  bind_run<dim>(submodule);
  bind_case<dim>(submodule);
}

} // namespace

std::shared_ptr<Session> session() { return global_session; }

InLibrary::InLibrary(bool verbose) : released(std::in_place), alone(library) {
  if (!verbose)
    return;
  const py::gil_scoped_acquire acquired;
  redirected = std::make_unique<py::scoped_ostream_redirect>();
}

/// Acquires the interpreter's lock before other threads may use the library, so that the
/// interpreter cannot end in between.
InLibrary::~InLibrary() {
  released.reset();
  redirected.reset();
}

void handle_signals() {
  const py::gil_scoped_acquire acquired;
  if (is_ending)
    PyErr_SetNone(PyExc_SystemExit);
  if (is_ending || PyErr_CheckSignals() != 0)
    throw py::error_already_set();
}

std::string sentence(std::string description, const std::string &unit) {
  description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(description[0])));
  return description + (unit.empty() ? "." : " [" + unit + "].");
}

py::str to_str(const std::string &text) {
  const std::string printable_text = printable(text);
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
      printable_text.data(), static_cast<py::ssize_t>(printable_text.size()), "replace"));
}

} // namespace percussion::python

PYBIND11_MODULE(_percussion, module) {
  using namespace percussion::python;
  module.doc() = "The compiled part of percussion.";
  module.attr("__version__") = PERCUSSION_VERSION;
  start_session(module);
  bind_errors(module);
  bind_records(module);
  bind_dimension<2>(module, "plane");
  bind_dimension<3>(module, "space");
  bind_making_of_cases(module);
}
