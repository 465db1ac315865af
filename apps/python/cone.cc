// Python's module percussion_cone: the solvers of cone/ without finite elements and MPI.

#include <percussion/cone/natural_solve.h>
#include <percussion/cone/operators.h>
#include <percussion/fclib/problem_file.h>
#include <percussion/version.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace percussion::python {
namespace {

namespace py = pybind11;
using Floats = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<long, py::array::c_style | py::array::forcecast>;

template <typename T, typename Array>
std::vector<T> vector(const Array &array) {
  return {array.data(), array.data() + array.size()};
}

template <typename T, typename U>
py::array_t<T> array(const std::vector<U> &values) {
  py::array_t<T> result(static_cast<py::ssize_t>(values.size()));
  std::transform(values.begin(), values.end(), result.mutable_data(),
                 [](U value) { return static_cast<T>(value); });
  return result;
}

[[noreturn]] void refuse(const std::string &what) { throw std::invalid_argument(what); }

void require(const char *name, std::size_t found, std::size_t needed, const char *what) {
  if (found != needed)
    refuse(std::string(name) + " has " + std::to_string(found) + " " + what + "; needed are " +
           std::to_string(needed));
}

bool is_sparse(const py::object &matrix) { return py::hasattr(matrix, "tocsr"); }

void require_shape(const char *name, const py::object &matrix, std::size_t n_rows,
                   std::size_t n_columns) {
  const py::tuple shape = matrix.attr("shape");
  if (shape.size() != 2)
    refuse(std::string(name) + " has " + std::to_string(shape.size()) +
           " dimensions; needed are rows and columns");
  require(name, shape[0].cast<std::size_t>(), n_rows, "rows");
  require(name, shape[1].cast<std::size_t>(), n_columns, "columns");
}

/// Of a matrix of NumPy or SciPy.
CompressedRows rows_of(const char *name, py::object matrix, std::size_t n_rows,
                       std::size_t n_columns) {
  if (!is_sparse(matrix)) {
    matrix = Floats(matrix);
    require_shape(name, matrix, n_rows, n_columns);
    const auto values = matrix.cast<Floats>();
    CompressedRows rows{n_rows, n_columns, {0}, {}, {}};
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t column = 0; column < n_columns; ++column)
        if (const double value = values.data()[row * n_columns + column]; value != 0.) {
          rows.column.push_back(column);
          rows.value.push_back(value);
        }
      rows.row_start.push_back(rows.column.size());
    }
    return rows;
  }
  require_shape(name, matrix, n_rows, n_columns);
  const py::object rows = matrix.attr("tocsr")().attr("copy")();
  rows.attr("sum_duplicates")(); // sorts, too
  return {n_rows, n_columns, vector<std::size_t>(Integers(rows.attr("indptr"))),
          vector<std::size_t>(Integers(rows.attr("indices"))),
          vector<double>(Floats(rows.attr("data")))};
}

/// Sizes and friction of a problem with `n` rows.
template <typename Problem>
void set_contacts(std::size_t n, const Floats &mu, Problem &problem) {
  problem.mu = vector<double>(mu);
  problem.n_contacts = problem.mu.size();
  if (n != 2 * problem.n_contacts && n != 3 * problem.n_contacts)
    refuse("there are " + std::to_string(n) + " velocities of " +
           std::to_string(problem.n_contacts) +
           " contacts (the length of mu); needed are 2 or 3 "
           "of each");
  problem.dimension = n == 3 * problem.n_contacts && n > 0 ? 3 : 2;
}

struct Limits {
  std::string method;
  double tolerance;
  unsigned int max_iterations;
  double time_limit;
};

ConeOptions options_of(const Limits &limits) {
  const ConeMethodEntry *found = find_cone_method(limits.method);
  if (found == nullptr) {
    std::string names;
    for (const auto &entry : cone_methods())
      names += (names.empty() ? "" : ", ") + std::string(entry.name);
    refuse("there is no method '" + limits.method + "'; allowed are " + names);
  }
  ConeOptions options;
  options.method = found->method;
  options.tolerance = limits.tolerance;
  options.max_iterations = limits.max_iterations;
  options.time_limit = limits.time_limit;
  return options;
}

/// What comes back: arrays have the shape of q or b.
struct Solution {
  py::array p, u, status, v;
  std::string method, outcome;
  bool converged = false;
  unsigned int iterations = 0;
  double residual = 0.;
};

Solution to_python(const ConeSolution &solution, const Floats &q) {
  const auto shaped = [&q](const std::vector<double> &values) -> py::array {
    return array<double>(values).attr("reshape")(q.attr("shape"));
  };
  return {shaped(solution.p), shaped(solution.u),           array<long>(solution.status),
          py::array(),        std::string(solution.method), outcome_name(solution.outcome),
          solution.converged, solution.iterations,          solution.residual};
}

/// p and status of an earlier solution, if there is one.
void start(const py::object &from, std::size_t n, std::size_t n_contacts, ConeSolution &solution) {
  if (from.is_none())
    return;
  const bool is_solution = py::isinstance<Solution>(from);
  solution.p = vector<double>(Floats(is_solution ? from.attr("p") : from));
  require("start", solution.p.size(), n, "percussions");
  if (!is_solution)
    return;
  for (const long status : vector<long>(Integers(from.attr("status"))))
    solution.status.push_back(static_cast<ContactStatus>(status));
  require("start", solution.status.size(), n_contacts, "statuses");
}

Solution solve(const py::object &W, const Floats &q, const Floats &mu, const py::object &from,
               const Limits &limits) {
  FrictionContactProblem problem;
  const auto n = static_cast<std::size_t>(q.size());
  set_contacts(n, mu, problem);
  problem.q = vector<double>(q);
  if (is_sparse(W))
    set_delassus(rows_of("W", W, n, n), problem);
  else {
    const Floats dense(W);
    require_shape("W", dense, n, n);
    problem.W = vector<double>(dense);
  }
  const ConeOptions options = options_of(limits);
  ConeSolution solution;
  start(from, n, problem.n_contacts, solution);
  {
    const py::gil_scoped_release released;
    solve_in_natural_units(problem, options, solution);
  }
  return to_python(solution, q);
}

Solution solve_global(const py::object &M, const py::object &H, const Floats &q, const Floats &b,
                      const Floats &mu, const py::object &from, const Limits &limits) {
  GlobalFrictionContactProblem problem;
  const auto n = static_cast<std::size_t>(b.size()), n_v = static_cast<std::size_t>(q.size());
  set_contacts(n, mu, problem);
  problem.M = rows_of("M", M, n_v, n_v);
  problem.H = rows_of("H", H, n_v, n);
  problem.q = vector<double>(q);
  problem.b = vector<double>(b);
  const ConeOptions options = options_of(limits);
  GlobalConeSolution solution;
  start(from, n, problem.n_contacts, solution);
  if (py::isinstance<Solution>(from))
    solution.v = vector<double>(Floats(from.attr("v")));
  {
    const py::gil_scoped_release released;
    solve_in_natural_units(problem, options, solution);
  }
  Solution result = to_python(solution, b);
  result.v = array<double>(solution.v);
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
  py::class_<Solution>(module, "Solution", "What was found.")
      .def_readonly("p", &Solution::p, "Percussions, in the shape of q or b [impulse].")
      .def_readonly("u", &Solution::u, "Velocities of the contacts [velocity].")
      .def_readonly("v", &Solution::v, "Velocities of the bodies, of global problems.")
      .def_readonly("status", &Solution::status, "0 open, 1 stick, 2 slip.")
      .def_readonly("converged", &Solution::converged, "Whether residual <= tolerance.")
      .def_readonly("residual", &Solution::residual, "Of the natural map, in natural units.")
      .def_readonly("iterations", &Solution::iterations, "Iterations and sweeps.")
      .def_readonly("method", &Solution::method, "That produced p.")
      .def_readonly("outcome", &Solution::outcome, "'converged', 'out of time', ...")
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
      [](const py::object &W, const Floats &q, const Floats &mu, const py::object &from,
         const std::string &method, double tolerance, unsigned int n, double time) {
        return solve(W, q, mu, from, {method, tolerance, n, time});
      },
      "W"_a, "q"_a, "mu"_a, "start"_a = py::none(), py::kw_only(), "method"_a = "auto",
      "tolerance"_a = 1e-8, "max_iterations"_a = options.max_iterations,
      "time_limit"_a = options.time_limit,
      "Find p with u = W p + q and Coulomb's law. q has the velocities without contact, contact by "
      "contact, the normal component first, two or three of each; start is the Solution, or the p, "
      "of a similar problem.");
  module.def(
      "solve_global",
      [](const py::object &M, const py::object &H, const Floats &q, const Floats &b,
         const Floats &mu, const py::object &from, const std::string &method, double tolerance,
         unsigned int n, double time) {
        return solve_global(M, H, q, b, mu, from, {method, tolerance, n, time});
      },
      "M"_a, "H"_a, "q"_a, "b"_a, "mu"_a, "start"_a = py::none(), py::kw_only(),
      "method"_a = "auto", "tolerance"_a = 1e-8, "max_iterations"_a = options.max_iterations,
      "time_limit"_a = options.time_limit,
      "Find v and p with M v = H p + q, u = H^T v + b and Coulomb's law.");
  module.def("read", &read_problem, "file"_a,
             "The problem in a file of FCLib (HDF5) or Siconos (.dat), as the arguments of solve() "
             "or, if it has M, solve_global().");
}
