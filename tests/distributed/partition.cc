// Sums, products and solutions that processes share, against those of an undivided matrix. Run by
// mpirun with different numbers of processes.

#include <percussion/algebra/krylov.h>
#include <percussion/algebra/mixed_krylov.h>
#include <percussion/algebra/multigrid.h>
#include <percussion/algebra/node_matrix.h>
#include <percussion/algebra/single_node_matrix.h>
#include <percussion/base/processes.h>

#include <deal.II/base/mpi.h>
#include <gtest/gtest.h>

#include "support/sparse_matrices.h"
#include <cmath>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace percussion;

/// Lets the processes of mpirun share the work of all tests.
class SharedWork : public ::testing::Environment {
public:
  void SetUp() override { processes::share_work(); }
};
const auto *const shared_work = ::testing::AddGlobalTestEnvironment(new SharedWork);

constexpr unsigned int n_nodes = 700, n = 3 * n_nodes;

/// Returns a symmetric positive definite matrix that couples each node with its neighbours and with
/// nodes of other processes.
SparseMatrix matrix() {
  const auto is_coupled = [](unsigned int i, unsigned int j) {
    const unsigned int distance = i / 3 > j / 3 ? i / 3 - j / 3 : j / 3 - i / 3;
    return distance <= 2 || distance == 300;
  };
  SparseMatrix A = test::zero_matrix(n, is_coupled);
  for (unsigned int node = 0; node < n_nodes; ++node)
    for (const unsigned int distance : {0u, 1u, 2u, 300u})
      if (node + distance < n_nodes)
        for (unsigned int r = 0; r < 3; ++r)
          for (unsigned int c = 0; c < 3; ++c) {
            const unsigned int i = 3 * node + r, j = 3 * (node + distance) + c;
            const double value =
                i == j ? 20. + i % 7 : std::sin(1. + std::min(i, j) + 2. * (i + j));
            A.at(i, j) = A.at(j, i) = value;
          }
  return A;
}

std::vector<double> some_values() {
  std::vector<double> x(n);
  for (unsigned int i = 0; i < n; ++i)
    x[i] = std::cos(2. * i) * std::pow(10., i % 5);
  return x;
}

struct Parts {
  Partition shared = Partition(n, 3), whole = Partition::undivided(n, 3);
};

TEST(Partition, DividesNodesAmongTheProcesses) {
  const Partition partition(n, 3);
  EXPECT_EQ(partition.n_processes(), dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD));
  EXPECT_EQ(partition.first_of(0), 0u);
  EXPECT_EQ(partition.first_of(partition.n_processes()), n);
  EXPECT_EQ(partition.begin() % 3, 0u);
  for (unsigned int process = 0; process < partition.n_processes(); ++process) {
    EXPECT_EQ(partition.owner(partition.first_of(process)), process);
    EXPECT_EQ(partition.owner(partition.first_of(process + 1) - 1), process);
  }
}

/// Sums have the same bits as on one process.
TEST(Partition, AddsInTheSameOrder) {
  const Parts parts;
  const std::vector<double> x = some_values();
  const auto sum = [&](unsigned int begin, unsigned int end) {
    double partial = 0;
    for (unsigned int i = begin; i < end; ++i)
      partial += x[i];
    return partial;
  };
  EXPECT_EQ(parts.shared.sum(n, sum), parts.whole.sum(n, sum));
}

TEST(Partition, GathersAllRanges) {
  const Partition partition(n, 3);
  const std::vector<double> all = some_values();
  std::vector<double> x(n, 0.);
  std::copy(all.begin() + partition.begin(), all.begin() + partition.end(),
            x.begin() + partition.begin());
  partition.gather(x.data());
  EXPECT_EQ(x, all);
}

TEST(Exchange, ReceivesWhatIsNeeded) {
  const Partition partition(n, 3);
  const std::vector<double> all = some_values();
  std::vector<unsigned int> needed;
  for (unsigned int i = processes::rank(); i < n; i += 5)
    needed.push_back(i);
  std::vector<double> x(n, 0.);
  std::copy(all.begin() + partition.begin(), all.begin() + partition.end(),
            x.begin() + partition.begin());
  Exchange(partition, needed)(x.data());
  for (const unsigned int i : needed)
    EXPECT_EQ(x[i], all[i]) << i;
}

/// Returns the number of pages of these entries that are in memory, without the first and the last.
std::size_t n_resident_pages(const double *begin, const double *end) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) / page + 1) * page,
             past = reinterpret_cast<std::uintptr_t>(end) / page * page;
  std::vector<unsigned char> is_resident(first < past ? (past - first) / page : 0);
  if (!is_resident.empty()) {
    EXPECT_EQ(mincore(reinterpret_cast<void *>(first), past - first, is_resident.data()), 0);
  }
  return static_cast<std::size_t>(
      std::count_if(is_resident.begin(), is_resident.end(), [](auto r) { return r & 1; }));
}

/// Entries that a process does not compute take no memory until they are written, and are zero.
TEST(Partition, AllocatesTheRangeOfAProcess) {
  constexpr unsigned int n_entries = 3000000, n_more = 7;
  const Partition shared(n_entries, 3);
  std::vector<double> x = shared.zeros(n_entries + n_more);
  ASSERT_EQ(x.size(), n_entries + n_more);
  const double *const begin = x.data() + shared.begin(), *const end = x.data() + shared.end(),
                      *const past = x.data() + n_entries;
  EXPECT_EQ(n_resident_pages(x.data(), begin), 0);
  EXPECT_EQ(n_resident_pages(end, past), 0);
  EXPECT_GT(n_resident_pages(begin, end), 100);
  EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](double entry) { return entry == 0.; }));
  for (unsigned int i = 0; i < n_entries; i += n_entries / 9)
    x[i] = i;
  for (unsigned int i = 0; i < n_entries; i += n_entries / 9)
    EXPECT_EQ(x[i], i);
}

/// Products of a divided matrix have the same bits as those of the undivided one.
TEST(NodeMatrix, MultipliesToTheSameBits) {
  const Parts parts;
  const SparseMatrix A = matrix();
  std::vector<bool> is_free(n, true);
  is_free[7] = is_free[n / 2] = false;
  const NodeMatrix divided(A, is_free, 3, parts.shared), undivided(A, is_free, 3, parts.whole);
  std::vector<double> x = some_values(), y(n), expected(n);
  undivided.multiply(x.data(), expected.data());
  for (unsigned int i = 0; i < n; ++i) // only the entries of this process are known
    if (i < parts.shared.begin() || i >= parts.shared.end())
      x[i] = std::nan("");
  Exchange(parts.shared, divided.needed_dofs())(x.data());
  divided.multiply(x.data(), y.data());
  for (unsigned int i = parts.shared.begin(); i < parts.shared.end(); ++i)
    EXPECT_EQ(y[i], expected[i]) << i;
}

/// Every process has the diagonal blocks of its nodes and of shared nodes, and no others.
TEST(NodeMatrix, SharesDiagonalBlocks) {
  const Parts parts;
  const SparseMatrix A = matrix();
  const std::vector<bool> is_free(n, true);
  NodeMatrix divided(A, is_free, 3, parts.shared);
  const NodeMatrix undivided(A, is_free, 3, parts.whole);
  divided.share_diagonal_blocks({0, 1, 4, n - 1}, parts.shared);
  for (unsigned int i = 0; i < n; i += 3) {
    const bool is_shared = i < 6 || i + 3 == n;
    EXPECT_EQ(divided.has_node_of(i), is_shared || parts.shared.owns(i)) << i;
    if (divided.has_node_of(i)) {
      EXPECT_EQ(divided.entry(i, i + 1), undivided.entry(i, i + 1)) << i;
    }
  }
}

/// Rows of a product have the same bits.
TEST(SparseMatrices, MultiplyToTheSameBits) {
  const SparseMatrix A = matrix();
  Vector x(n), y(n), expected(n);
  const std::vector<double> values = some_values();
  std::copy(values.begin(), values.end(), x.data());
  multiply(A, x, expected);
  multiply(A, Partition(n, 3), x, y);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_EQ(y[i], expected[i]) << i;
}

/// Conjugate gradients with the diagonal have the same bits, with multigrid the same solution up to
/// the root of the condition number, 1e5, times the tolerance of 1e-14.
TEST(Multigrid, SolvesAsOneProcess) {
  const Parts parts;
  for (const double stiffness : {1., 1e9}) {
    SparseMatrix A = matrix();
    for (unsigned int i = 0; i + 3 < n; ++i) { // a chain, which needs many iterations
      A.at(i, i) += stiffness;
      A.at(i + 3, i + 3) += stiffness;
      A.at(i, i + 3) += -stiffness;
      A.at(i + 3, i) += -stiffness;
    }
    const std::vector<double> b(n, 1.);
    std::vector<std::vector<double>> modes(3, std::vector<double>(n, 0.));
    for (unsigned int i = 0; i < n; ++i)
      modes[i % 3][i] = 1.;
    std::vector<double> solution[2];
    bool is_diagonal = false;
    for (const bool is_shared : {true, false}) {
      Multigrid solver(
          std::vector<bool>(n, true), 3, [&] { return modes; },
          is_shared ? parts.shared : parts.whole);
      solver.set_matrix(A);
      is_diagonal = solver.is_diagonal();
      solution[is_shared].resize(n);
      solver.solve(b.data(), solution[is_shared].data());
    }
    EXPECT_EQ(is_diagonal, stiffness == 1.);
    if (is_diagonal) {
      EXPECT_EQ(solution[0], solution[1]);
    }
    for (unsigned int i = 0; i < n; ++i)
      EXPECT_NEAR(solution[0][i], solution[1][i], 1e-8 * std::abs(solution[0][i])) << i;
  }
}

/// Both methods have the same bits, with entries after the elastic ones that all processes compute.
TEST(Krylov, SolvesToTheSameBits) {
  const Parts parts;
  const SparseMatrix A = matrix();
  constexpr unsigned int n_all = n + 2;
  std::vector<double> inverse_diagonal(n_all, 0.5);
  for (unsigned int i = 0; i < n; ++i)
    inverse_diagonal[i] = 1. / A(i, i);
  for (const bool is_symmetric : {true, false}) {
    std::vector<double> solution[2];
    for (const bool is_shared : {true, false}) {
      const Partition &partition = is_shared ? parts.shared : parts.whole;
      const NodeMatrix nodes(A, std::vector<bool>(n, true), 3, partition);
      const Exchange exchange(partition, nodes.needed_dofs());
      const KrylovSystem system{[&](const auto &x, auto &y) {
                                  std::vector<double> complete = x;
                                  exchange(complete.data());
                                  nodes.multiply(complete.data(), y.data());
                                  y[n] = 2. * x[n] + (is_symmetric ? 0. : x[n + 1]);
                                  y[n + 1] = 3. * x[n + 1] - (is_symmetric ? 0. : x[n]);
                                },
                                [&](const auto &r, auto &z) {
                                  partition.visit_computed(n_all, [&](std::size_t i) {
                                    z[i] = inverse_diagonal[i] * r[i];
                                  });
                                },
                                inverse_diagonal, partition};
      std::vector<double> x(n_all, 0.), r(n_all, 1.);
      KrylovVectors vectors;
      is_symmetric ? conjugate_gradients(system, 1e-10, 300, vectors, x, r)
                   : gmres(system, 1e-10, 300, vectors, x, r);
      EXPECT_LT(residual_norm(r, inverse_diagonal, partition), 1e-9);
      partition.gather(x.data());
      solution[is_shared] = x;
    }
    EXPECT_EQ(solution[0], solution[1]);
  }
}

/// Solves a system with A and two further unknowns in mixed precision; returns the solution. GMRES
/// solves one that is not symmetric.
std::vector<double> mixed_solution(const SparseMatrix &A, const Partition &partition,
                                   bool is_symmetric) {
  constexpr unsigned int n_all = n + 2;
  const NodeMatrix nodes(A, std::vector<bool>(n, true), 3, partition);
  const Exchange exchange(partition, nodes.needed_dofs());
  std::vector<float> scale(n_all, 1.F);
  for (unsigned int i = 0; i < n; ++i)
    scale[i] = static_cast<float>(1. / std::sqrt(A(i, i)));
  const SingleNodeMatrix single(nodes, scale);
  std::vector<double> x(n_all, 0.), image(n_all);
  const auto set_last = [&](const auto &y, auto &y_image) {
    y_image[n] = 2 * y[n] + (is_symmetric ? 0 : y[n + 1]);
    y_image[n + 1] = 3 * y[n + 1] - (is_symmetric ? 0 : y[n]);
  };
  const MixedSystem system{[&](auto &y, auto &y_image) {
                             exchange(y.data());
                             single.multiply(y.data(), y_image.data());
                             set_last(y, y_image);
                           },
                           {},
                           [&](auto &y, auto &r) {
                             partition.visit_computed(n_all, [&](std::size_t i) {
                               x[i] += double(scale[i]) * double(y[i]);
                             });
                             exchange(x.data());
                             nodes.multiply(x.data(), image.data());
                             set_last(x, image);
                             partition.visit_computed(n_all, [&](std::size_t i) {
                               r[i] = static_cast<float>((1. - image[i]) * double(scale[i]));
                             });
                           },
                           partition};
  MixedVectors vectors;
  vectors.residual = scale; // b = 1
  const double limit = 1e-12 * std::sqrt(double(n));
  const MixedResult result = is_symmetric ? mixed_conjugate_gradients(system, limit, 300, vectors)
                                          : mixed_gmres(system, limit, 300, vectors);
  EXPECT_LE(result.residual, limit);
  partition.gather(x.data());
  return x;
}

/// Iterations in mixed precision have the same bits.
TEST(MixedKrylov, SolvesToTheSameBits) {
  const Parts parts;
  const SparseMatrix A = matrix();
  for (const bool is_symmetric : {true, false})
    EXPECT_EQ(mixed_solution(A, parts.shared, is_symmetric),
              mixed_solution(A, parts.whole, is_symmetric));
}

/// So have solutions of the solver for bodies.
TEST(MixedKrylov, SolvesForMultigridToTheSameBits) {
  const Parts parts;
  const SparseMatrix A = matrix();
  const std::vector<double> b(n, 1.);
  std::vector<double> solution[2];
  for (const bool is_shared : {true, false}) {
    const Partition &partition = is_shared ? parts.shared : parts.whole;
    Multigrid solver(
        std::vector<bool>(n, true), 3, [] { return std::vector<std::vector<double>>(); }, partition,
        1e-14, Precision::mixed);
    solver.set_matrix(A);
    ASSERT_NE(solver.single(), nullptr);
    solution[is_shared].resize(n);
    solver.solve(b.data(), solution[is_shared].data());
  }
  EXPECT_EQ(solution[0], solution[1]);
}

} // namespace
