#include "library.h"

#include <percussion/base/error.h>
#include <percussion/base/mpi_session.h>

namespace percussion::python {

class Session {
public:
  Session() {
    int is_started = 0;
    MPI_Initialized(&is_started); // by mpi4py, for example
    if (is_started == 0)
      mpi.emplace(argc, argv);
    else
      use_one_blas_thread();
  }

private:
  int argc = 0;
  char **argv = nullptr;
  std::optional<MpiSession> mpi;
};

namespace {

std::shared_ptr<Session> &kept() {
  static std::shared_ptr<Session> kept_session;
  return kept_session;
}

std::recursive_mutex &library() {
  static std::recursive_mutex mutex;
  return mutex;
}

} // namespace

std::shared_ptr<Session> session() {
  if (!kept())
    kept() = std::make_shared<Session>();
  return kept();
}

void end_session_at_exit(py::module_ &module) {
  session();
  module.attr("_end_session") = py::cpp_function([] { kept().reset(); });
  py::module_::import("atexit").attr("register")(module.attr("_end_session"));
}

InLibrary::InLibrary(bool verbose) : alone(library()) {
  if (!verbose)
    return;
  const py::gil_scoped_acquire acquired;
  redirected.emplace();
}

InLibrary::~InLibrary() {
  if (!redirected)
    return;
  const py::gil_scoped_acquire acquired;
  redirected.reset();
}

void handle_signals() {
  const py::gil_scoped_acquire acquired;
  if (PyErr_CheckSignals() != 0)
    throw py::error_already_set();
}

py::str to_str(const std::string &text) {
  const std::string shown = printable(text);
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(shown.data(), static_cast<py::ssize_t>(shown.size()), "replace"));
}

} // namespace percussion::python
