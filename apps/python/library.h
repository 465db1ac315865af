#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/iostream.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace percussion::python {

namespace py = pybind11;

/// MPI, which Trilinos' vectors need. It starts on import, unless the process has started it
/// already, and ends once the interpreter has ended and the last object that needs it is gone.
class Session;
std::shared_ptr<Session> session();

/// While it lives, the interpreter's lock is released, so that other threads of Python go on, and
/// this thread is the only one in the library, which is not thread-safe.
class InLibrary {
public:
  /// The library prints to sys.stdout if it is `verbose`.
  explicit InLibrary(bool verbose = false);
  ~InLibrary();
  InLibrary(const InLibrary &) = delete;
  InLibrary &operator=(const InLibrary &) = delete;

private:
  std::optional<py::gil_scoped_release> released;
  std::lock_guard<std::recursive_mutex> alone; ///< recursive: Python's signal handlers may call
  std::optional<py::scoped_ostream_redirect> redirected;
};

/// Let Python handle pending signals; for long loops in the library.
/// Throws py::error_already_set where a handler raises an exception: Ctrl-C. In a thread that the
/// end of the interpreter finds at work it is SystemExit.
void handle_signals();

/// A text that came from files: control characters and invalid UTF-8 are replaced.
py::str to_str(const std::string &text);

/// A list of the text of each item.
template <typename Range, typename Text>
py::list to_list(const Range &range, const Text &text) {
  py::list list;
  for (const auto &item : range)
    list.append(to_str(text(item)));
  return list;
}

enum class Access { read, write };

/// A new array of rows of n values.
inline py::array_t<double> rows_of(const std::vector<double> &values, std::size_t n) {
  return py::array_t<double>({values.size() / n, n}, values.data());
}

/// An array over contiguous memory of the library, which `owner` keeps alive.
template <typename T>
py::array_t<T> view(const T *data, std::vector<std::size_t> shape, py::handle owner,
                    Access access = Access::read) {
  py::array_t<T> array(std::move(shape), data, owner);
  if (access == Access::read)
    array.attr("flags").attr("writeable") = false;
  return array;
}

} // namespace percussion::python
