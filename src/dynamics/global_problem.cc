#include <percussion/algebra/global_matrices.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/global_problem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace percussion {
namespace {

/// Additional motion of a contact, due to its compliance or in a fixed tangent: an unknown without
/// coupling to other unknowns.
struct AdditionalMotion {
  /// Rows of H, and the coefficients of the motion in them.
  std::array<std::pair<unsigned int, double>, 2> rows;
  double resistance; ///< diagonal entry of Â
};

/// Adds motions of fixed tangents. In 3D, a node may be fixed in a tangential direction: any
/// resistance to an additional motion in this direction makes the percussion zero there. `free`
/// holds the rows of global_rows().
template <int dim>
void add_fixed_tangents(const CompressedRows &free, const std::vector<double> &diagonal,
                        std::vector<AdditionalMotion> &motions) {
  std::vector<std::array<double, 2>> pairs(dim == 3 ? free.n_columns : 0);
  for (unsigned int first = 1; dim == 3 && first < free.n_rows; first += dim) {
    const auto visit = [&](const auto &act) {
      for (unsigned int r = 0; r < 2; ++r)
        for (std::size_t k = free.row_start[first + r]; k < free.row_start[first + r + 1]; ++k)
          act(r, free.column[k], free.value[k]);
    };
    visit([&](unsigned int r, std::size_t column, double value) { pairs[column][r] += value; });
    double a = 0, b = 0, d = 0, resistance = 0; // entries of the rows times their transpose
    visit([&](unsigned int, std::size_t column, double) {
      auto &entry = pairs[column];
      a += entry[0] * entry[0];
      b += entry[0] * entry[1];
      d += entry[1] * entry[1];
      resistance = std::max(resistance, diagonal[column]);
      entry = {};
    });
    if (!(a + d > 0.) || a * d - b * b > 1e-12 * (a + d) * (a + d))
      continue;
    const double x = a >= d ? a : b, y = a >= d ? b : d, length = std::hypot(x, y);
    motions.push_back({{{{first, -y / length}, {first + 1, x / length}}}, resistance});
  }
}

/// Appends a column to the rows, and an entry to the diagonal, for each motion.
void append(const std::vector<AdditionalMotion> &motions, CompressedRows &rows,
            std::vector<double> &diagonal) {
  if (motions.empty())
    return;
  std::vector<std::vector<std::pair<std::size_t, double>>> added(rows.n_rows);
  for (const AdditionalMotion &motion : motions) {
    for (const auto &[row, value] : motion.rows)
      if (value != 0.)
        added[row].emplace_back(rows.n_columns, value);
    ++rows.n_columns;
    diagonal.push_back(motion.resistance);
  }
  CompressedRows all;
  all.n_rows = rows.n_rows;
  all.n_columns = rows.n_columns;
  all.row_start.push_back(0);
  for (std::size_t r = 0; r < rows.n_rows; ++r) {
    for (std::size_t k = rows.row_start[r]; k < rows.row_start[r + 1]; ++k) {
      all.column.push_back(rows.column[k]);
      all.value.push_back(rows.value[k]);
    }
    for (const auto &[column, value] : added[r]) {
      all.column.push_back(column);
      all.value.push_back(value);
    }
    all.row_start.push_back(all.column.size());
  }
  rows = std::move(all);
}

/// Writes b, and its largest entry as the unit of velocity: not a number if an entry is
/// none.
void write_velocities(const std::vector<double> &velocity, GlobalPose &pose) {
  pose.problem.b = velocity;
  for (const double b : velocity) {
    if (!(std::abs(b) <= pose.velocity_unit)) // true also for a NaN
      pose.velocity_unit = std::abs(b);
    if (!std::isfinite(pose.velocity_unit))
      return;
  }
  if (pose.velocity_unit == 0.) // all contacts at rest
    pose.velocity_unit = 1.;
}

std::vector<double> diagonal_of(const CompressedRows &matrix) {
  std::vector<double> diagonal(matrix.n_rows);
  for (std::size_t i = 0; i < matrix.n_rows; ++i)
    for (std::size_t k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k)
      if (matrix.column[k] == i)
        diagonal[i] = matrix.value[k];
  return diagonal;
}

/// Adds motions due to the compliance of contacts and in fixed tangents to M, to the rows of Hᵀ and
/// to the diagonal.
template <int dim>
void add_motions(const PosedLaw<dim> &law, double percussion_factor, CompressedRows &M,
                 CompressedRows &Ht, std::vector<double> &diagonal) {
  std::vector<AdditionalMotion> motions;
  for (unsigned int r = 0; r < law.compliance.diagonal.size(); ++r)
    if (law.compliance.diagonal[r] > 0.)
      motions.push_back({{{{r, 1.}, {r, 0.}}}, percussion_factor / law.compliance.diagonal[r]});
  add_fixed_tangents<dim>(Ht, diagonal, motions);
  append(motions, Ht, diagonal);
  for (const AdditionalMotion &motion : motions) {
    M.column.push_back(M.n_columns++);
    M.value.push_back(motion.resistance);
    M.row_start.push_back(M.column.size());
  }
  M.n_rows = M.n_columns;
}

} // namespace

template <int dim>
GlobalPose pose_globally(const PosedLaw<dim> &law, const std::vector<double> &velocity,
                         const std::vector<double> &p0, double percussion_factor,
                         ContactSystem &system) {
  GlobalPose pose{{}, 0., 0.};
  GlobalFrictionContactProblem &problem = pose.problem;
  problem.dimension = dim;
  problem.n_contacts = law.mu.size();
  problem.mu = law.mu;
  write_velocities(velocity, pose);
  if (!std::isfinite(pose.velocity_unit))
    return pose;

  problem.M = global_matrix(system);
  CompressedRows &M = problem.M;
  const std::size_t n_velocities = M.n_rows;
  std::vector<double> diagonal = diagonal_of(M);
  CompressedRows Ht = global_rows(law.H, system);
  add_motions(law, percussion_factor, M, Ht, diagonal);
  double trace = 0;
  for (std::size_t k = 0; k < Ht.value.size(); ++k)
    trace += percussion_factor * Ht.value[k] * Ht.value[k] / diagonal[Ht.column[k]];
  pose.percussion_unit =
      pose.velocity_unit * (trace > 0. ? static_cast<double>(Ht.n_rows) / trace : 1.);

  problem.q.assign(M.n_rows, 0.);
  for (std::size_t r = 0; r < p0.size(); ++r)
    for (std::size_t k = Ht.row_start[r]; k < Ht.row_start[r + 1]; ++k)
      if (Ht.column[k] < n_velocities) // additional motions are due to all of p
        problem.q[Ht.column[k]] -= Ht.value[k] * p0[r] / pose.percussion_unit;
  problem.H = transposed(Ht);
  for (double &value : M.value)
    value *= pose.velocity_unit / (percussion_factor * pose.percussion_unit);
  for (double &value : problem.b)
    value /= pose.velocity_unit;
  return pose;
}

PERCUSSION_INSTANTIATE(pose_globally);

} // namespace percussion
