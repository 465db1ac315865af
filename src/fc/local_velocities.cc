#include <percussion/fc/run.h>

namespace percussion::fc {
namespace {

void add_dense(const std::vector<double> &W, const std::vector<double> &p, std::vector<double> &u) {
  const std::size_t n = p.size();
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k)
      u[row] += W[row * n + k] * p[k];
}

void add_blocks(const BlockSparseMatrix &W, const std::size_t d, const std::vector<double> &p,
                std::vector<double> &u) {
  for (std::size_t i = 0; i + 1 < W.row_start.size(); ++i)
    for (std::size_t block = W.row_start[i]; block < W.row_start[i + 1]; ++block)
      for (std::size_t r = 0; r < d; ++r)
        for (std::size_t c = 0; c < d; ++c)
          u[i * d + r] += W.value[(block * d + r) * d + c] * p[W.column[block] * d + c];
}

std::vector<double> velocities(const FrictionContactProblem &problem,
                               const GlobalConeSolution &solution) {
  std::vector<double> u = problem.q;
  if (problem.W.empty())
    add_blocks(problem.blocks, problem.dimension, solution.p, u);
  else
    add_dense(problem.W, solution.p, u);
  return u;
}

std::vector<double> velocities(const GlobalFrictionContactProblem &problem,
                               const GlobalConeSolution &solution) {
  std::vector<double> u = problem.b;
  const CompressedRows &H = problem.H;
  for (std::size_t row = 0; row < H.n_rows; ++row)
    for (std::size_t k = H.row_start[row]; k < H.row_start[row + 1]; ++k)
      u[H.column[k]] += H.value[k] * solution.v[row];
  return u;
}

} // namespace

std::vector<double> local_velocities(const AnyProblem &any, const GlobalConeSolution &solution) {
  return std::visit([&](const auto &problem) { return velocities(problem, solution); }, any);
}

} // namespace percussion::fc
