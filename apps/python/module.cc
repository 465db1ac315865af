#include <percussion/base/error.h>
#include <percussion/version.h>

#include "case.h"

namespace percussion::python {
namespace {

/// Exceptions that Python can tell apart, with the library's message as a whole.
void bind_errors(py::module_ &module) {
  static const py::object input_error =
      py::exception<InputError>(module, "InputError", PyExc_ValueError);
  static const py::object run_error =
      py::exception<RunError>(module, "RunError", PyExc_RuntimeError);
  input_error.attr("__doc__") =
      "The input is wrong: parameters, a mesh, the folder of the results. The message has a line "
      "for everything that is, as the application prints it.";
  run_error.attr("__doc__") = "The run has failed, or cannot do what it is asked for. What was "
                              "written before stays complete "
                              "and readable.";
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

} // namespace
} // namespace percussion::python

PYBIND11_MODULE(_percussion, module) {
  using namespace percussion::python;
  module.doc() = "The compiled part of percussion.";
  module.attr("__version__") = PERCUSSION_VERSION;
  end_session_at_exit(module);
  bind_errors(module);
  bind_mesh(module);
  bind_records(module);
  bind_contacts(module);
  bind_run(module);
  bind_case(module);
}
