#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/vector.h>

#include <cmath>
#include <vector>

namespace percussion {

/// Entries of a vector that a process computes: its range of the partition, then the entries after
/// the elastic ones, which all processes compute. It has the interface that solvers of deal.II
/// require; Partition adds up its sums. Factors and sums are in double precision for any Number.
template <typename Number>
class OwnedVector {
public:
  using value_type = double;

  OwnedVector() = default;
  /// Allocates a vector of n entries on all processes together.
  OwnedVector(const Partition &p, std::size_t n)
      : partition(&p), values(p.end() - p.begin() + n - p.size(), Number(0)) {}
  void reinit(const OwnedVector &model, bool = false) {
    partition = model.partition;
    values.assign(model.values.size(), Number(0));
  }

  /// Calls f(index in the whole vector, entry) for each entry.
  template <typename Function>
  void for_each(const Function &f) {
    visit(*this, f);
  }
  template <typename Function>
  void for_each(const Function &f) const {
    visit(*this, f);
  }

  OwnedVector &operator=(double value) {
    values.assign(values.size(), Number(value));
    return *this;
  }
  OwnedVector &operator*=(double factor) {
    for (Number &value : values)
      value *= Number(factor);
    return *this;
  }
  OwnedVector &operator/=(double divisor) { return *this *= 1. / divisor; }
  void swap(OwnedVector &other) {
    std::swap(partition, other.partition);
    values.swap(other.values);
  }
  /// Computes this = factor x.
  void equ(double factor, const OwnedVector &x) {
    const auto a = Number(factor);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = a * x.values[i];
  }
  /// Adds factor x.
  void add(double factor, const OwnedVector &x) {
    const auto a = Number(factor);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += a * x.values[i];
  }
  /// Computes this = own_factor this + factor x.
  void sadd(double own_factor, double factor, const OwnedVector &x) {
    const auto s = Number(own_factor), a = Number(factor);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = s * values[i] + a * x.values[i];
  }
  /// Adds a x, and returns the product of the result with y. Collective.
  double add_and_dot(double a, const OwnedVector &x, const OwnedVector &y) {
    add(a, x);
    return *this * y;
  }
  /// Returns the scalar product. Collective.
  double operator*(const OwnedVector &x) const {
    const unsigned int begin = partition->begin(), n_own = partition->end() - begin,
                       n_elastic = partition->size();
    return partition->sum(n_elastic + values.size() - n_own, [&](unsigned int i, unsigned int end) {
      const unsigned int k = i < n_elastic ? i - begin : n_own + (i - n_elastic);
      return dot(values.data() + k, x.values.data() + k, end - i);
    });
  }
  double l2_norm() const { return std::sqrt(*this * *this); }
  bool all_zero() const { return *this * *this == 0.; }
  /// Returns the bytes that the vector occupies.
  std::size_t memory_consumption() const {
    return sizeof(*this) + values.capacity() * sizeof(Number);
  }

private:
  template <typename Self, typename Function>
  static void visit(Self &self, const Function &f) {
    const std::size_t begin = self.partition->begin(), end = self.partition->end();
    for (std::size_t i = begin; i < end; ++i)
      f(i, self.values[i - begin]);
    for (std::size_t k = end - begin; k < self.values.size(); ++k)
      f(self.partition->size() + (k - (end - begin)), self.values[k]);
  }

  const Partition *partition = nullptr;
  std::vector<Number> values;
};

} // namespace percussion
