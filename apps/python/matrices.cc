#include <percussion/algebra/global_matrices.h>
#include <percussion/balance/balance_size.h>
#include <percussion/balance/time_rule.h>
#include <percussion/base/error.h>
#include <percussion/base/instantiate.h>

#include "run_data.h"
#include <numeric>
#include <optional>

namespace percussion::python {
namespace {

/// Returns values, columns, row starts and shape, as scipy.sparse.csr_matrix takes them.
py::tuple arrays(const CompressedRows &matrix) {
  const auto integers = [](const std::vector<std::size_t> &values) {
    const std::vector<std::int64_t> copy(values.begin(), values.end());
    return py::array_t<std::int64_t>(copy.size(), copy.data());
  };
  return py::make_tuple(py::array_t<double>(matrix.value.size(), matrix.value.data()),
                        integers(matrix.column), integers(matrix.row_start),
                        py::make_tuple(matrix.n_rows, matrix.n_columns));
}

CompressedRows compressed(const SparseMatrix &matrix, const Partition &partition) {
  const std::size_t n = matrix.n_rows();
  CompressedRows rows{n, n, std::vector<std::size_t>(n + 1, 0), {}, {}};
  visit_entries(matrix, partition,
                [&](unsigned int i, unsigned int, double) { ++rows.row_start[i + 1]; });
  std::partial_sum(rows.row_start.begin(), rows.row_start.end(), rows.row_start.begin());
  rows.column.resize(rows.row_start.back());
  rows.value.resize(rows.row_start.back());
  std::vector<std::size_t> next = rows.row_start;
  visit_entries(matrix, partition, [&](unsigned int i, unsigned int j, double value) {
    rows.column[next[i]] = j;
    rows.value[next[i]++] = value;
  });
  return rows;
}

/// Returns the terms of rigid bodies in Â beside their mass: the tangent of the gyroscopic torque.
CompressedRows gyroscopic_terms(const SparseMatrix &mass, const ContactSystem &system) {
  const BlockDiagonal &blocks = system.blocks();
  const unsigned int first = system.n_elastic(), d = blocks.block_size();
  CompressedRows matrix{system.size(), system.size(), std::vector<std::size_t>(first + 1), {}, {}};
  for (unsigned int i = 0; i < blocks.size(); ++i) {
    for (unsigned int j = d * blocks.block(i); j < d * (blocks.block(i) + 1); ++j)
      if (const double term = blocks(i, j) - mass(first + i, first + j); term != 0.) {
        matrix.value.push_back(term);
        matrix.column.push_back(first + j);
      }
    matrix.row_start.push_back(matrix.value.size());
  }
  return matrix;
}

std::vector<unsigned int> prescribed_velocities(const ContactSystem &system) {
  std::vector<unsigned int> prescribed;
  for (unsigned int i = 0; i < system.size(); ++i)
    if (!system.is_free(i))
      prescribed.push_back(i);
  return prescribed;
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
  CompressedRows M, H;
  std::optional<CompressedRows> K, C, G, gyroscopic;
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
  if (operators.storage == MatrixStorage::nodes && operators.partition.is_shared())
    throw RunError("matrices() needs all rows of the matrices, but several processes divide them: "
                   "use one process");
  const State<dim> &state = run.run->state();
  const Step<dim> &step = run.run->step_of_run();
  const ContactSystem &system = step.system();
  const CompletedContacts &contacts = step.completed_contacts();
  const Partition all_rows = Partition::undivided(bodies.n_elastic_dofs(), dim);
  MatrixData data;
  data.M = compressed(operators.mass, all_rows);
  data.reason = reason_for_nonlinear_balance(bodies);
  if (data.reason.empty()) {
    data.K = compressed(operators.stiffness, all_rows);
    if (operators.viscous)
      data.C = compressed(operators.viscosity, all_rows);
    data.gyroscopic = gyroscopic_terms(operators.mass, system);
  }
  data.H = complete_rows(contacts.H, system);
  if (contacts.G.n_rows() > 0)
    data.G = complete_rows(contacts.G, system);
  data.p = contacts.p;
  for (const ContactKey &key : contacts.keys)
    data.keys.insert(data.keys.end(), {key.pair, key.first, key.second, key.feature});
  data.prescribed = prescribed_velocities(system);
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
  const auto arrays_or_none = [](const std::optional<CompressedRows> &rows) -> py::object {
    return rows ? py::object(arrays(*rows)) : py::none();
  };
  const double h = data.length, factor = data.rule.percussion_factor;
  using namespace py::literals;
  return py::module_::import("percussion.matrices")
      .attr("Matrices")(
          "M"_a = arrays(data.M), "K"_a = arrays_or_none(data.K), "C"_a = arrays_or_none(data.C),
          "H"_a = arrays(data.H), "G"_a = arrays_or_none(data.G),
          "gyroscopic"_a = arrays_or_none(data.gyroscopic), "p"_a = array_of(data.p),
          "q"_a = array_of(data.q), "v"_a = array_of(data.v), "F"_a = array_of(data.F),
          "keys"_a =
              py::array_t<std::uint32_t>({data.keys.size() / 4, std::size_t(4)}, data.keys.data()),
          "prescribed"_a = array_of(data.prescribed), "reason"_a = data.reason, "step_length"_a = h,
          "percussion_factor"_a = factor, "viscous_factor"_a = h * factor * data.rule.viscous,
          "stiffness_factor"_a = h * h * factor * data.rule.internal);
}

PERCUSSION_INSTANTIATE(matrices);

} // namespace percussion::python
