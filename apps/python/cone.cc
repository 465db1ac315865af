// Python module percussion_cone: the solvers of cone/ without finite elements and MPI.

#include <percussion/cone/method.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/percussion_cone.h>
#include <percussion/fclib/problem_file.h>
#include <percussion/version.h>

#include <algorithm>
#include <cmath>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace percussion::python {
namespace {

namespace py = pybind11;
using Floats = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<int, py::array::c_style | py::array::forcecast>;

[[noreturn]] void refuse(const std::string &message) { throw std::invalid_argument(message); }

void require(const char *name, py::ssize_t found, py::ssize_t needed, const char *unit) {
  if (found != needed)
    refuse(std::string(name) + " has " + std::to_string(found) + " " + unit + "; needed are " +
           std::to_string(needed));
}

/// Matrix of NumPy or SciPy, and the owners of its arrays.
struct Matrix {
  Floats value;
  Integers row_start, column;
  percussion_matrix view{};

  Matrix(const char *name, py::object matrix, py::ssize_t n_rows, py::ssize_t n_columns) {
    const bool is_sparse = py::hasattr(matrix, "tocsr");
    matrix = is_sparse ? matrix.attr("tocsr")() : Floats(matrix);
    const py::tuple shape = matrix.attr("shape");
    if (shape.size() != 2)
      refuse(std::string(name) + " has " + std::to_string(shape.size()) +
             " dimensions; needed are rows and columns");
    require(name, shape[0].cast<py::ssize_t>(), n_rows, "rows");
    require(name, shape[1].cast<py::ssize_t>(), n_columns, "columns");
    value = is_sparse ? matrix.attr("data") : matrix;
    view.value = value.data();
    if (!is_sparse)
      return;
    row_start = Integers(py::object(matrix.attr("indptr")));
    column = Integers(py::object(matrix.attr("indices")));
    view.row_start = row_start.data();
    view.column = column.data();
  }
};

int dimension(py::ssize_t n, py::ssize_t n_contacts) {
  if (n != 2 * n_contacts && n != 3 * n_contacts)
    refuse("there are " + std::to_string(n) + " velocities of " + std::to_string(n_contacts) +
           " contacts (the length of mu); needed are 2 or 3 for each contact");
  return n == 3 * n_contacts && n > 0 ? 3 : 2;
}

/// Returned solution: arrays have the shape of q or b.
struct Solution {
  Floats p, u, v;
  Integers status;
  std::string method, outcome;
  bool converged = false;
  unsigned int iterations = 0;
  double residual = 0.;
};

struct Limits {
  std::string method;
  double tolerance;
  unsigned int max_iterations;
  double time_limit;
};

/// Returns a new array with these numbers, in the shape of `like`.
Floats shaped(const py::object &numbers, const Floats &like) {
  const Floats values = Floats(numbers);
  require("start", values.size(), like.size(), "percussions");
  return Floats(values.attr("reshape")(like.attr("shape")).attr("copy")());
}

/// Returns the warm start from a Solution, its p, or None.
Solution start(const py::object &warm_start, const Floats &q, py::ssize_t n_contacts) {
  Solution solution;
  solution.p =
      warm_start.is_none()
          ? Floats(py::module_::import("numpy").attr("zeros_like")(q, "float64"))
          : shaped(py::isinstance<Solution>(warm_start) ? warm_start.attr("p") : warm_start, q);
  solution.u = shaped(solution.p, q);
  solution.v = Floats(0);
  solution.status = Integers(n_contacts);
  std::fill_n(solution.status.mutable_data(), n_contacts, int(PERCUSSION_UNKNOWN));
  if (py::isinstance<Solution>(warm_start)) {
    const Integers status(warm_start.attr("status"));
    require("start", status.size(), n_contacts, "statuses");
    std::copy_n(status.data(), n_contacts, solution.status.mutable_data());
  }
  return solution;
}

/// Calls the interface for C without the interpreter's lock.
template <typename Solve>
void call(const Limits &limits, Solution &solution, const Solve &solve) {
  const std::unique_ptr<percussion_cone, void (*)(percussion_cone *)> solver(percussion_cone_new(),
                                                                             percussion_cone_free);
  const auto check = [&solver](int status) {
    if (status == PERCUSSION_FAILED)
      throw std::runtime_error(percussion_cone_message(solver.get()));
    if (status == PERCUSSION_BAD_INPUT)
      refuse(percussion_cone_message(solver.get()));
    return status == PERCUSSION_SOLVED;
  };
  check(percussion_cone_set_method(solver.get(), limits.method.c_str()));
  check(percussion_cone_set_tolerance(solver.get(), limits.tolerance));
  check(percussion_cone_set_limits(solver.get(), limits.max_iterations, limits.time_limit));
  percussion_cone_result result{};
  double *p = solution.p.mutable_data(), *u = solution.u.mutable_data(),
         *v = solution.v.mutable_data();
  int *contacts = solution.status.mutable_data(), status = PERCUSSION_FAILED;
  {
    const py::gil_scoped_release released;
    status = solve(solver.get(), v, p, u, contacts, &result);
  }
  solution.converged = check(status);
  solution.method = result.method;
  solution.outcome = result.outcome;
  solution.iterations = result.iterations;
  solution.residual = result.residual;
}

/// Refuses a matrix whose symmetric part is not positive semidefinite: contacts would gain energy.
/// For sparse matrices, and for matrices with more than 1000 rows, only the diagonal is checked.
void require_positive(const py::object &W) {
  const py::module_ numpy = py::module_::import("numpy");
  const bool is_sparse = py::hasattr(W, "tocsr");
  const py::object matrix = is_sparse ? W : py::object(Floats(W));
  const Floats diagonal = Floats(py::object(matrix.attr("diagonal")()));
  const auto n = static_cast<std::size_t>(diagonal.size());
  const double *const begin = diagonal.data(), *const end = begin + n;
  const std::string not_positive = "W is not positive semidefinite";
  double largest = 0;
  for (const double *x = begin; x != end; ++x) {
    if (*x < 0)
      refuse(not_positive + ": its diagonal has " + std::to_string(*x));
    largest = std::max(largest, *x);
  }
  if (is_sparse || n == 0 || n > 1000 || !std::isfinite(largest))
    return;
  const py::object symmetric = (matrix + matrix.attr("T")) * py::float_(0.5);
  const py::object shift = numpy.attr("eye")(n) * py::float_(1e-8 * largest + 1e-300);
  const py::object linalg = numpy.attr("linalg");
  try {
    linalg.attr("cholesky")(symmetric + shift);
  } catch (const py::error_already_set &error) {
    if (!error.matches(linalg.attr("LinAlgError")))
      throw;
    refuse(not_positive);
  }
}

Solution solve(const py::object &W, const Floats &q, const Floats &mu, const py::object &warm_start,
               const Limits &limits) {
  const int d = dimension(q.size(), mu.size());
  const Matrix matrix("W", W, q.size(), q.size());
  require_positive(W);
  const percussion_cone_problem problem = {d, static_cast<int>(mu.size()), matrix.view, q.data(),
                                           mu.data()};
  Solution solution = start(warm_start, q, mu.size());
  call(limits, solution,
       [&problem](auto *solver, double *, double *p, double *u, int *status, auto *result) {
         return percussion_cone_solve(solver, &problem, p, u, status, result);
       });
  return solution;
}

Solution solve_global(const py::object &M, const py::object &H, const Floats &q, const Floats &b,
                      const Floats &mu, const py::object &warm_start, const Limits &limits) {
  const int d = dimension(b.size(), mu.size());
  const Matrix mass("M", M, q.size(), q.size()), directions("H", H, q.size(), b.size());
  const percussion_cone_global_problem problem = {d,
                                                  static_cast<int>(mu.size()),
                                                  static_cast<int>(q.size()),
                                                  mass.view,
                                                  directions.view,
                                                  q.data(),
                                                  b.data(),
                                                  mu.data()};
  Solution solution = start(warm_start, b, mu.size());
  solution.v = Floats(q.size());
  std::fill_n(solution.v.mutable_data(), q.size(), 0.);
  if (py::isinstance<Solution>(warm_start)) {
    const Floats v(warm_start.attr("v"));
    require("start", v.size(), q.size(), "velocities of bodies");
    std::copy_n(v.data(), v.size(), solution.v.mutable_data());
  }
  call(limits, solution,
       [&problem](auto *solver, double *v, double *p, double *u, int *status, auto *result) {
         return percussion_cone_solve_global(solver, &problem, v, p, u, status, result);
       });
  return solution;
}

template <typename T, typename U>
py::array_t<T> array(const std::vector<U> &values) {
  py::array_t<T> result(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), result.mutable_data());
  return result;
}

py::object sparse(const CompressedRows &rows) {
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(py::make_tuple(array<double>(rows.value), array<long>(rows.column),
                                         array<long>(rows.row_start)),
                          py::arg("shape") = py::make_tuple(rows.n_rows, rows.n_columns));
}

py::dict read_problem(const std::string &file) {
  py::dict result;
  const FclibFile content = read_problem_file(file);
  if (const auto *reduced = std::get_if<FrictionContactProblem>(&content.problem)) {
    if (reduced->blocks.value.empty())
      result["W"] = array<double>(reduced->W).attr("reshape")(reduced->q.size(), -1);
    else
      result["W"] = sparse(delassus(*reduced));
    result["q"] = array<double>(reduced->q);
    result["mu"] = array<double>(reduced->mu);
  } else {
    const auto &global = std::get<GlobalFrictionContactProblem>(content.problem);
    result["M"] = sparse(global.M);
    result["H"] = sparse(global.H);
    result["q"] = array<double>(global.q);
    result["b"] = array<double>(global.b);
    result["mu"] = array<double>(global.mu);
  }
  return result;
}

void bind_solution(py::module_ &module) {
  py::class_<Solution>(module, "Solution", "Solution of a problem.")
      .def_readonly("p", &Solution::p, "Percussions, in the shape of q or b [impulse].")
      .def_readonly("u", &Solution::u, "Velocities of the contacts [velocity].")
      .def_readonly("v", &Solution::v, "Velocities of the bodies, for global problems.")
      .def_readonly("status", &Solution::status, "Status: 0 open, 1 stick, 2 slip.")
      .def_readonly("converged", &Solution::converged, "True if residual <= tolerance.")
      .def_readonly("residual", &Solution::residual,
                    "Residual of the natural map, in natural units.")
      .def_readonly("iterations", &Solution::iterations, "Number of iterations and sweeps.")
      .def_readonly("method", &Solution::method, "Name of the method that produced p.")
      .def_readonly("outcome", &Solution::outcome, "Outcome: 'converged', 'out of time', ...")
      .def("__repr__", [](const Solution &s) {
        return "<percussion_cone.Solution: " + s.outcome + " by " + s.method + ", residual " +
               std::string(py::str(py::float_(s.residual))) + ">";
      });
}

} // namespace
} // namespace percussion::python

PYBIND11_MODULE(percussion_cone, module) {
  using namespace percussion::python;
  using namespace py::literals;
  const percussion::ConeOptions options;
  module.doc() = "Frictional contact problems: matrices of NumPy or SciPy in, arrays of NumPy out. "
                 "Wrong data raise ValueError.";
  module.attr("__version__") = PERCUSSION_VERSION;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(std::move(pointer));
    } catch (const percussion::FclibError &error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  bind_solution(module);
  module.def(
      "solve",
      [](const py::object &W, const Floats &q, const Floats &mu, const py::object &warm_start,
         const std::string &method, double tolerance, unsigned int n, double time) {
        return solve(W, q, mu, warm_start, {method, tolerance, n, time});
      },
      "W"_a, "q"_a, "mu"_a, "start"_a = py::none(), py::kw_only(), "method"_a = "auto",
      "tolerance"_a = 1e-8, "max_iterations"_a = options.max_iterations,
      "time_limit"_a = options.time_limit,
      "Finds p with u = W p + q and Coulomb's law. q has the velocities without contact, contact "
      "by contact, two or three components each, the normal component first; start is the "
      "Solution, or the p, of a similar problem.");
  module.def(
      "solve_global",
      [](const py::object &M, const py::object &H, const Floats &q, const Floats &b,
         const Floats &mu, const py::object &warm_start, const std::string &method,
         double tolerance, unsigned int n, double time) {
        return solve_global(M, H, q, b, mu, warm_start, {method, tolerance, n, time});
      },
      "M"_a, "H"_a, "q"_a, "b"_a, "mu"_a, "start"_a = py::none(), py::kw_only(),
      "method"_a = "auto", "tolerance"_a = 1e-8, "max_iterations"_a = options.max_iterations,
      "time_limit"_a = options.time_limit,
      "Finds v and p with M v = H p + q, u = H^T v + b and Coulomb's law.");
  module.def("read", &read_problem, "file"_a,
             "Returns the problem in a file of FCLib (HDF5) or Siconos (.dat), as the arguments of "
             "solve() or, if it has M, solve_global().");
}
