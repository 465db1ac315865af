#pragma once

#include <vector>

namespace percussion {

/// Row of B, by index in the list of tied degrees of freedom.
struct TieRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  double compliance = 0; ///< 1/D of Bᵀ D B; zero for a condition B x = c
  double target = 0;     ///< c
};

/// Effect of few rows on a system whose inverse is known at their degrees of freedom:
///
///     Â x = b − Bᵀ t ,   B x − D⁻¹ t = c ,
///
/// with t = S⁻¹ (B Â⁻¹ b − c) and S = B Â⁻¹ Bᵀ + D⁻¹. Redundant conditions make S singular: t is
/// then the smallest solution.
class Ties {
public:
  /// Sets the rows over n tied degrees of freedom.
  void set(std::vector<TieRow> rows, std::size_t n);
  bool empty() const { return rows.empty(); }
  /// Marks S as outdated, after a change of the users or of Â.
  void forget() { prepared = 0; }
  /// Returns the number of calls of set(): it identifies the current rows of B.
  unsigned long version() const { return n_sets; }

  /// Returns true if S belongs to this version of Â. If not, prepare() must be called with the
  /// compliances of Â, row by row: n_users degrees of freedom with the tied ones. The last users
  /// are the tied ones themselves.
  bool are_prepared(unsigned long factor_version, std::size_t n_users) const {
    return prepared == factor_version && Y.size() == n_users * rows.size();
  }
  template <typename Compliance>
  void prepare(unsigned long factor_version, std::size_t n_users, const Compliance &compliance) {
    prepared = factor_version;
    Y.assign(n_users * rows.size(), 0.);
    for (std::size_t i = 0; i < n_users; ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t k = 0; k < rows[r].column.size(); ++k)
          Y[i * rows.size() + r] += rows[r].value[k] * compliance(i, rows[r].column[k]);
    factorise(n_users);
  }

  /// Computes the forces t of the ties from the solution x = Â⁻¹ b without ties, given at the tied
  /// degrees of freedom. They replace forces() and count as the last change of t.
  void start(const double *x_of_tied);
  /// Adds to forces() the change of t due to a force on the users.
  void add(const std::vector<double> &force);
  /// Returns the change of x of a user due to the last change of t, −Y t.
  double displacement(std::size_t user) const;
  /// Returns the forces −Bᵀ t on the tied degrees of freedom due to the last change of t.
  std::vector<double> force_on_tied() const;
  /// Returns the reduction of the compliance of two users by the ties, Y S⁻¹ Yᵀ.
  double reduction_of_compliance(std::size_t i, std::size_t j) const;

  /// Returns t of each row.
  const std::vector<double> &forces() const { return t; }

private:
  void factorise(std::size_t n_users);
  void solve(std::vector<double> &right_side) const;

  std::vector<TieRow> rows;
  std::size_t n_tied = 0;
  unsigned long n_sets = 0, prepared = 0;
  std::vector<double> Y;       ///< Â⁻¹ Bᵀ at the users
  std::vector<double> inverse; ///< S⁻¹, or the pseudo-inverse
  std::vector<double> SinvY;   ///< S⁻¹ Yᵀ, user by user
  std::vector<double> change, t;
};

} // namespace percussion
