#include <percussion/dynamics/global_problem.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Whether a contact yields in the direction of this row by itself.
template <int dim>
bool yields(const PosedLaw<dim> &law, unsigned int row) {
  return !law.compliance.empty() && law.compliance[row] > 0.;
}

/// H of the step without its columns of prescribed degrees of freedom, over all of them. Where a
/// contact yields by itself the row has a further unknown, its last entry: by how much.
template <int dim>
CompressedRows free_columns(const PosedLaw<dim> &law, const ContactSystem &system) {
  const ContactRows &H = law.H;
  CompressedRows rows;
  rows.n_rows = H.n_rows();
  rows.n_columns = system.size();
  rows.row_start.push_back(0);
  for (unsigned int r = 0; r < H.n_rows(); ++r) {
    for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k)
      if (const unsigned int dof = H.dofs[H.column[k]]; system.is_free(dof)) {
        rows.column.push_back(dof);
        rows.value.push_back(H.value[k]);
      }
    if (yields(law, r)) {
      rows.column.push_back(rows.n_columns++);
      rows.value.push_back(1.);
    }
    rows.row_start.push_back(rows.column.size());
  }
  return rows;
}

} // namespace

template <int dim>
GlobalPose pose_globally(const PosedLaw<dim> &law, const std::vector<double> &u,
                         const std::vector<double> &p0, double theta, ContactSystem &system) {
  GlobalPose pose{{}, 0., 0.};
  GlobalFrictionContactProblem &problem = pose.problem;
  problem.dimension = dim;
  problem.n_contacts = law.mu.size();
  problem.mu = law.mu;
  problem.b = u;
  for (std::size_t r = 0; r < u.size(); ++r) {
    problem.b[r] += law.offset[r];
    if (!(std::abs(problem.b[r]) <= pose.velocity_unit)) // also a NaN
      pose.velocity_unit = std::abs(problem.b[r]);
    if (!std::isfinite(pose.velocity_unit))
      return pose;
  }
  if (pose.velocity_unit == 0.) // all at rest
    pose.velocity_unit = 1.;

  CompressedRows &M = problem.M;
  M.n_rows = M.n_columns = system.size();
  M.row_start.push_back(0);
  std::vector<double> diagonal(system.size());
  for (unsigned int i = 0; i < system.size(); ++i) {
    system.for_row(i, [&](unsigned int j, double value) {
      M.column.push_back(j);
      M.value.push_back(value);
      if (i == j)
        diagonal[i] = value;
    });
    M.row_start.push_back(M.column.size());
  }
  for (unsigned int r = 0; r < law.H.n_rows(); ++r)
    if (yields(law, r)) {
      M.column.push_back(M.n_columns++);
      M.value.push_back(theta / law.compliance[r]);
      diagonal.push_back(M.value.back());
      M.row_start.push_back(M.column.size());
    }
  M.n_rows = M.n_columns;
  const CompressedRows Ht = free_columns(law, system);
  double trace = 0;
  for (std::size_t k = 0; k < Ht.value.size(); ++k)
    trace += theta * Ht.value[k] * Ht.value[k] / diagonal[Ht.column[k]];
  pose.percussion_unit =
      pose.velocity_unit * (trace > 0. ? static_cast<double>(Ht.n_rows) / trace : 1.);

  problem.q.assign(M.n_rows, 0.);
  for (std::size_t r = 0; r < p0.size(); ++r)
    for (std::size_t k = Ht.row_start[r]; k < Ht.row_start[r + 1]; ++k)
      if (Ht.column[k] < system.size()) // what a contact yields by is by all of p
        problem.q[Ht.column[k]] -= Ht.value[k] * p0[r] / pose.percussion_unit;
  problem.H = transposed(Ht);
  for (double &value : M.value)
    value *= pose.velocity_unit / (theta * pose.percussion_unit);
  for (double &value : problem.b)
    value /= pose.velocity_unit;
  return pose;
}

template GlobalPose pose_globally<2>(const PosedLaw<2> &, const std::vector<double> &,
                                     const std::vector<double> &, double, ContactSystem &);
template GlobalPose pose_globally<3>(const PosedLaw<3> &, const std::vector<double> &,
                                     const std::vector<double> &, double, ContactSystem &);

} // namespace percussion
