#pragma once

#include <percussion/base/freed_memory.h>

#include <deal.II/base/index_set.h>

#include <array>
#include <cstddef>
#include <vector>

namespace percussion {

/// Ranges of elastic degrees of freedom that the processes own. Each process stores whole vectors
/// and computes its range; degrees of freedom after the elastic ones (of rigid bodies) are computed
/// by all processes.
///
/// Sums are the sums of at most 256 chunks, in the same order for any number of processes. Since a
/// process owns whole chunks, sums do not depend on the number of processes, up to 256.
class Partition {
public:
  /// No degrees of freedom.
  Partition() = default;
  /// Divides n degrees of freedom, with `node_size` consecutive ones for each node, among the
  /// processes of MPI; a single process owns them all.
  Partition(unsigned int n, unsigned int node_size);
  /// Returns the partition of a process that computes everything itself.
  static Partition undivided(unsigned int n, unsigned int node_size);

  /// Returns the first degree of freedom of this process.
  unsigned int begin() const { return first_of(rank); }
  /// Returns the degree of freedom after the last one of this process.
  unsigned int end() const { return first_of(rank + 1); }
  /// Returns the number of elastic degrees of freedom.
  unsigned int size() const { return chunk_begin.empty() ? 0 : chunk_begin.back(); }
  /// Returns the number of processes.
  unsigned int n_processes() const { return n_ranks; }
  /// Returns the number of this process.
  unsigned int process() const { return rank; }
  /// True if there are other processes.
  bool is_shared() const { return n_ranks > 1; }
  /// Returns the range of this process, and the communicator of all processes.
  dealii::IndexSet owned() const;
  MPI_Comm communicator() const;
  /// Returns the first degree of freedom of a process; size() for the number of processes.
  unsigned int first_of(unsigned int process) const {
    return chunk_begin.empty() ? 0 : chunk_begin[first_chunk(process)];
  }
  /// True if this process owns a degree of freedom.
  bool owns(unsigned int dof) const { return dof >= begin() && dof < end(); }
  /// True if a process owns no degree of freedom.
  bool has_empty_range() const;
  /// Returns the process that owns a degree of freedom.
  unsigned int owner(unsigned int dof) const;

  /// Calls f(i) for the entries that this process computes in a vector of n entries: its range, and
  /// the entries after the elastic ones.
  template <typename Function>
  void visit_computed(std::size_t n, const Function &f) const {
    for (std::size_t i = begin(); i < end(); ++i)
      f(i);
    for (std::size_t i = size(); i < n; ++i)
      f(i);
  }

  /// Returns a sum over the entries of a vector of n entries, of which all processes compute those
  /// after the elastic ones: sum_of_range(begin, end) returns the sum of a range. Collective.
  template <typename SumOfRange>
  double sum(std::size_t n, const SumOfRange &sum_of_range) const {
    for (std::size_t k = first_chunk(rank); k < first_chunk(rank + 1); ++k)
      chunk_sums[k] = sum_of_range(chunk_begin[k], chunk_begin[k + 1]);
    const double elastic_sum = sum_of_chunks();
    return n > size() ? elastic_sum + sum_of_range(size(), static_cast<unsigned int>(n))
                      : elastic_sum;
  }
  /// Returns a vector of n zeros. Entries that this process does not compute take no memory before
  /// they are written.
  template <typename Number = double>
  std::vector<Number> zeros(std::size_t n) const {
    std::vector<Number> x(n, Number(0));
    if (is_shared()) {
      release_zeros(x.data(), begin() * sizeof(Number));
      release_zeros(x.data() + end(), (size() - end()) * sizeof(Number));
    }
    return x;
  }
  /// Returns the largest of the values of all processes. Collective.
  double largest(double value) const;
  /// Returns true if the condition is true on any process. Collective.
  bool any(bool condition) const { return largest(condition ? 1. : 0.) > 0.; }
  /// Replaces n numbers by their sums over all processes, which may depend on the number of
  /// processes. Collective.
  void add_up(double *numbers, std::size_t n) const;
  /// Sends the range of each process to all others, with `n_values` values for each degree of
  /// freedom. Collective.
  void gather(double *x, unsigned int n_values = 1) const;

private:
  Partition(unsigned int n, unsigned int node_size, unsigned int rank, unsigned int n_processes);
  static constexpr std::size_t n_chunks = 256;
  std::size_t first_chunk(unsigned int process) const { return n_chunks * process / n_ranks; }
  double sum_of_chunks() const;

  unsigned int rank = 0, n_ranks = 1;
  std::vector<unsigned int> chunk_begin; ///< n_chunks + 1 entries; empty without degrees of freedom
  mutable std::array<double, n_chunks> chunk_sums{};
};

/// Items in an array of which each is computed by one process, in any order.
class SharedItems {
public:
  /// No items: every process computes all of them.
  SharedItems() = default;
  /// Stores the items that each process computes.
  SharedItems(const Partition &partition,
              const std::vector<std::vector<unsigned int>> &items_of_process);

  /// Sends the items of each process to all others, with `n_values` consecutive values for each
  /// item. Collective.
  void gather(double *values, unsigned int n_values = 1) const;

private:
  MPI_Comm communicator = MPI_COMM_SELF;
  unsigned int rank = 0;
  std::vector<unsigned int> items;   ///< process by process
  std::vector<std::size_t> start{0}; ///< first one of each process, and the end
};

/// Exchange of the entries of a vector that a process needs and others own.
class Exchange {
public:
  /// No entries.
  Exchange() = default;
  /// Prepares the exchange of these degrees of freedom, of which a process may own some.
  /// Collective.
  Exchange(const Partition &partition, std::vector<unsigned int> needed);

  /// Receives the needed entries of x from their owners. Collective.
  void operator()(double *x) const { receive(x, MPI_DOUBLE); }
  void operator()(float *x) const { receive(x, MPI_FLOAT); }

private:
  /// Entries that are sent to, or received from, another process.
  struct Message {
    int process;
    std::vector<unsigned int> dofs;
  };
  template <typename Number>
  void receive(Number *x, MPI_Datatype type) const;

  MPI_Comm communicator = MPI_COMM_SELF;
  std::vector<Message> sent, received;
};

} // namespace percussion
