#include <percussion/balance/balance_size.h>
#include <percussion/balance/time_rule.h>
#include <percussion/base/error.h>
#include <percussion/base/instantiate.h>

#include "run_data.h"
#include <optional>

namespace percussion::python {
namespace {

/// Sparse matrix as scipy.sparse.csr_matrix takes it.
struct ScipyRows {
  std::vector<double> value;
  std::vector<std::int64_t> column, start{0};
  std::size_t n_columns = 0;

  py::tuple arrays() const {
    return py::make_tuple(py::array_t<double>(value.size(), value.data()),
                          py::array_t<std::int64_t>(column.size(), column.data()),
                          py::array_t<std::int64_t>(start.size(), start.data()),
                          py::make_tuple(start.size() - 1, n_columns));
  }
};

ScipyRows rows_of_matrix(const SparseMatrix &matrix) {
  const SparsityPattern &pattern = *matrix.pattern();
  return {matrix.values(),
          {pattern.column.begin(), pattern.column.end()},
          {pattern.start.begin(), pattern.start.end()},
          pattern.n_rows()};
}

template <int dim>
ScipyRows rows_of_contacts(const ContactRows &rows, const Trace<dim> &trace, std::size_t n_dofs) {
  ScipyRows matrix{rows.value, {}, {rows.start.begin(), rows.start.end()}, n_dofs};
  matrix.column.reserve(rows.column.size());
  for (const unsigned int k : rows.column)
    matrix.column.push_back(trace.dofs()[rows.entries[k]]);
  return matrix;
}

/// Returns the terms of rigid bodies in Â beside their mass: the tangent of the gyroscopic torque.
template <int dim>
ScipyRows gyroscopic_terms(const System<dim> &bodies, const BlockDiagonal &blocks) {
  const unsigned int first = bodies.n_elastic_dofs(), d = blocks.block_size();
  ScipyRows matrix{{}, {}, std::vector<std::int64_t>(first + 1, 0), bodies.n_dofs()};
  for (unsigned int i = 0; i < blocks.size(); ++i) {
    for (unsigned int j = d * blocks.block(i); j < d * (blocks.block(i) + 1); ++j)
      if (const double term = blocks(i, j) - bodies.operators.mass(first + i, first + j);
          term != 0.) {
        matrix.value.push_back(term);
        matrix.column.push_back(first + j);
      }
    matrix.start.push_back(static_cast<std::int64_t>(matrix.value.size()));
  }
  return matrix;
}

/// Returns the reason why the balance has no constant matrices; empty if it has.
template <int dim>
std::string reason_for_nonlinear_balance(const System<dim> &bodies) {
  if (has_linear_balance(bodies))
    return "";
  return bodies.links.empty()
             ? "a material of the case has finite strains or a memory: its internal force is no "
               "product K q"
             : "a joint, spring or dashpot of the case turns with its bodies: its force is no "
               "product K q";
}

/// Matrices and vectors of a run after a step.
struct MatrixData {
  ScipyRows M, H;
  std::optional<ScipyRows> K, C, G, gyroscopic;
  std::vector<double> p, q, v, F;
  std::vector<std::uint32_t> keys;
  std::vector<unsigned int> prescribed;
  std::string reason;
  double length = 0;
  TimeRule rule{};
};

std::vector<double> copy_of(const Vector &vector) { return {vector.begin(), vector.end()}; }

template <int dim>
MatrixData read_matrices(const RunData<dim> &run) {
  const InLibrary library; // a step of another thread would change the state
  const Case<dim> &c = run.case_data->c;
  const System<dim> &bodies = *c.bodies;
  const Operators &operators = bodies.operators;
  if (operators.rows == StoredRows::owned)
    throw RunError("matrices() needs all rows of the matrices, but several processes divide them: "
                   "use one process");
  const State<dim> &state = run.run->state();
  const Step<dim> &step = run.run->step_of_run();
  const CompletedContacts &contacts = step.completed_contacts();
  MatrixData data;
  data.M = rows_of_matrix(operators.mass);
  data.reason = reason_for_nonlinear_balance(bodies);
  if (data.reason.empty()) {
    data.K = rows_of_matrix(operators.stiffness);
    if (operators.viscous)
      data.C = rows_of_matrix(operators.viscosity);
    data.gyroscopic = gyroscopic_terms(bodies, step.system().blocks());
  }
  data.H = rows_of_contacts(contacts.H, c.boundary->trace, bodies.n_dofs());
  if (contacts.G.n_rows() > 0)
    data.G = rows_of_contacts(contacts.G, c.boundary->trace, bodies.n_dofs());
  data.p = contacts.p;
  for (const ContactKey &key : contacts.keys)
    data.keys.insert(data.keys.end(), {key.pair, key.first, key.second, key.feature});
  data.prescribed = bodies.motion.dofs();
  data.q = copy_of(state.q);
  data.v = copy_of(state.v);
  data.F = copy_of(state.force);
  data.length = contacts.length > 0. ? contacts.length : c.choices.h;
  data.rule = time_rule(c.choices);
  return data;
}

template <typename T>
py::array_t<T> array_of(const std::vector<T> &values) {
  return py::array_t<T>(values.size(), values.data());
}

} // namespace

template <int dim>
py::object matrices(const RunData<dim> &run) {
  const MatrixData data = read_matrices(run);
  const auto arrays = [](const std::optional<ScipyRows> &rows) -> py::object {
    return rows ? py::object(rows->arrays()) : py::none();
  };
  const double h = data.length, factor = data.rule.percussion_factor;
  using namespace py::literals;
  return py::module_::import("percussion.matrices")
      .attr("Matrices")(
          "M"_a = data.M.arrays(), "K"_a = arrays(data.K), "C"_a = arrays(data.C),
          "H"_a = data.H.arrays(), "G"_a = arrays(data.G), "gyroscopic"_a = arrays(data.gyroscopic),
          "p"_a = array_of(data.p), "q"_a = array_of(data.q), "v"_a = array_of(data.v),
          "F"_a = array_of(data.F),
          "keys"_a =
              py::array_t<std::uint32_t>({data.keys.size() / 4, std::size_t(4)}, data.keys.data()),
          "prescribed"_a = array_of(data.prescribed), "reason"_a = data.reason, "step_length"_a = h,
          "percussion_factor"_a = factor, "viscous_factor"_a = h * factor * data.rule.viscous,
          "stiffness_factor"_a = h * h * factor * data.rule.internal);
}

PERCUSSION_INSTANTIATE(matrices);

} // namespace percussion::python
