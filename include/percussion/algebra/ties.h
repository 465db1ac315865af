#pragma once

#include <optional>
#include <vector>

namespace percussion {

/// Monotone law of a tie between w = C x and its force t, which rises by steps: t is `forces[k]`
/// between `targets[k − 1]` and `targets[k]`, and at `targets[k]` any value from `forces[k]` to
/// `forces[k + 1]`.
struct TieLaw {
  std::vector<double> targets; ///< ascending
  std::vector<double> forces;  ///< one more, ascending; ±infinity where C x has a bound
};

/// Row of B, by index in the list of tied degrees of freedom.
struct TieRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  std::vector<double> left_value = {}; ///< row of C; empty if C = B and Â is symmetric
  double compliance = 0;               ///< 1/D of Bᵀ D C; zero for a condition C x = c
  double target = 0;                   ///< c
  std::optional<TieLaw> law = {};      ///< replaces C x − D⁻¹ t = c
};

/// Effect of few rows on a system whose inverse is known at their degrees of freedom:
///
///     Â x = b − Bᵀ t ,   C x − D⁻¹ t = c ,
///
/// with t = S⁻¹ (C Â⁻¹ b − c) and S = C Â⁻¹ Bᵀ + D⁻¹. Redundant conditions make S singular: t is
/// then the smallest solution. A tie with a law is a condition C x = target while its law holds it
/// at a target, else t is constant: start() decides, and add() does not change this.
class Ties {
public:
  /// Relative size of the eigenvalues or singular values of S, scaled to a unit diagonal, that
  /// count as zero in exact rows.
  static constexpr double negligible = 1e-12;
  /// Sets the rows over n tied degrees of freedom. Either all or none of them have a row of C;
  /// `negligible_value` is the relative size of singular values that count as zero if they have.
  void set(std::vector<TieRow> rows, std::size_t n, double negligible_value = negligible);
  bool empty() const { return rows.empty(); }
  /// Marks S as outdated, after a change of the users or of Â.
  void forget() { prepared = 0; }
  /// Returns the number of calls of set(): it identifies the current rows of B.
  unsigned long version() const { return n_sets; }

  /// Returns true if S belongs to this version of Â. If not, prepare() must be called with the
  /// compliances of Â between its n_users users: degrees of freedom with the tied ones. The last
  /// users are the tied ones themselves.
  bool are_prepared(unsigned long factor_version, std::size_t n_users) const {
    return prepared == factor_version && Y.size() == n_users * rows.size();
  }
  template <typename Compliance>
  void prepare(unsigned long factor_version, std::size_t n_users, const Compliance &compliance) {
    prepared = factor_version;
    const std::size_t m = rows.size(), first = n_users - n_tied;
    Y.assign(n_users * m, 0.);
    Z.assign(are_symmetric() ? 0 : n_users * m, 0.);
    for (std::size_t i = 0; i < n_users; ++i)
      for (std::size_t r = 0; r < m; ++r)
        for (std::size_t k = 0; k < rows[r].column.size(); ++k) {
          const std::size_t tied = first + rows[r].column[k];
          Y[i * m + r] += rows[r].value[k] * compliance(i, tied);
          if (!are_symmetric())
            Z[i * m + r] += rows[r].left_value[k] * compliance(tied, i);
        }
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
  /// Returns the reduction of the compliance of two users by the ties, Y S⁻¹ Zᵀ.
  double reduction_of_compliance(std::size_t i, std::size_t j) const;

  /// Returns for each row with a law twice the index of the segment of the law on which its force
  /// is constant, or one more than twice the index of the target at which it is held.
  const std::vector<unsigned int> &statuses() const { return all_statuses; }
  /// Returns t of each row.
  const std::vector<double> &forces() const { return t; }

private:
  /// True if C = B and Â is symmetric.
  bool are_symmetric() const { return rows.empty() || rows.front().left_value.empty(); }
  void factorise(std::size_t n_users);
  void compute_response(std::size_t n_users);
  std::vector<double> inverse_of(const std::vector<unsigned int> &active) const;
  std::vector<double> invert_symmetric(std::vector<double> S,
                                       const std::vector<double> &scale) const;
  std::vector<double> invert_general(std::vector<double> S, const std::vector<double> &scale) const;
  void start_laws();
  void solve(std::vector<double> &right_side) const;

  std::vector<TieRow> rows;
  std::size_t n_tied = 0;
  double negligible_singular_value = negligible;
  unsigned long n_sets = 0, prepared = 0;
  std::vector<double> Y; ///< Â⁻¹ Bᵀ at the users
  std::vector<double> Z; ///< (C Â⁻¹)ᵀ at the users; empty if it equals Y
  std::vector<double> S; ///< scaled to a unit diagonal by `scale`
  std::vector<double> scale;
  std::vector<double> inverse; ///< S⁻¹, or the pseudo-inverse, of the rows that are held
  std::vector<double> SinvZ;   ///< S⁻¹ Zᵀ, user by user
  std::vector<unsigned int> all_statuses;
  std::vector<double> change, t;
};

} // namespace percussion
