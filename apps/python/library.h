#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/iostream.h>
#include <pybind11/pybind11.h>

namespace percussion::python {

namespace py = pybind11;

/// MPI, which Trilinos' vectors need. It is started on import, unless the process has it already,
/// and ends when the interpreter ends and the last object that needs it is gone.
class Session;
std::shared_ptr<Session> session();
void end_session_at_exit(py::module_ &module);

/// While it lives the interpreter's lock is released, so that other threads of Python go on, and
/// this thread is the only one in the library, which is not made for several.
class InLibrary {
public:
  /// What the library says goes to sys.stdout if it `speaks`.
  explicit InLibrary(bool speaks = false);
  ~InLibrary();
  InLibrary(const InLibrary &) = delete;
  InLibrary &operator=(const InLibrary &) = delete;

private:
  py::gil_scoped_release released;
  std::lock_guard<std::mutex> alone;
  std::optional<py::scoped_ostream_redirect> redirected;
};

/// Let Python handle signals that have come; for long loops in the library.
/// Throws py::error_already_set where a handler raises an exception: Ctrl-C.
void handle_signals();

/// A text that came from files, with '?' for control characters and what is no UTF-8 replaced.
py::str to_str(const std::string &text);

} // namespace percussion::python
