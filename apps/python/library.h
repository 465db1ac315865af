#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/iostream.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace percussion::python {

namespace py = pybind11;

/// Session of MPI, which Trilinos needs. It starts on import, unless the process has
/// started MPI already, and ends after the interpreter has ended and the last object that needs it
/// is gone.
class Session;
std::shared_ptr<Session> session();

/// Object that releases the interpreter's lock during its lifetime, so that other threads of Python
/// continue, and reserves the library, which is not thread-safe, for this thread.
class InLibrary {
public:
  /// The library prints to sys.stdout if `verbose`.
  explicit InLibrary(bool verbose = false);
  ~InLibrary();
  InLibrary(const InLibrary &) = delete;
  InLibrary &operator=(const InLibrary &) = delete;

private:
  std::optional<py::gil_scoped_release> released;
  std::lock_guard<std::recursive_mutex> alone; ///< recursive: Python's signal handlers may call
  std::unique_ptr<py::scoped_ostream_redirect> redirected;
};

/// Lets Python handle pending signals; for long loops in the library. Throws py::error_already_set
/// if a handler raises an exception: Ctrl-C. In a thread that is running when the interpreter ends
/// it is SystemExit.
void handle_signals();

/// Returns a text that came from files: control characters and invalid UTF-8 are replaced.
py::str to_str(const std::string &text);

/// Returns a description as the sentence of a docstring, with a unit unless it is empty.
std::string sentence(std::string description, const std::string &unit);

/// Returns a list of the text of each item.
template <typename Range, typename Text>
py::list to_list(const Range &range, const Text &text) {
  py::list list;
  for (const auto &item : range)
    list.append(to_str(text(item)));
  return list;
}

enum class Access { read, write };

/// Returns a new array of rows of n values.
inline py::array_t<double> rows_of(const std::vector<double> &values, std::size_t n) {
  return py::array_t<double>({values.size() / n, n}, values.data());
}

/// Returns an array over contiguous memory of the library, which `owner` keeps alive.
template <typename T>
py::array_t<T> view(const T *data, std::vector<std::size_t> shape, py::handle owner,
                    Access access = Access::read) {
  py::array_t<T> array(std::move(shape), data, owner);
  if (access == Access::read)
    array.attr("flags").attr("writeable") = false;
  return array;
}

} // namespace percussion::python
