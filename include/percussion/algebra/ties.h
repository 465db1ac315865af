#pragma once

#include <vector>

namespace percussion {

/// A row of B by place in the degrees of freedom that are tied.
struct TieRow {
  std::vector<unsigned int> column;
  std::vector<double> value;
  double compliance = 0; ///< 1/D of Bᵀ D B; zero for a condition B x = c
  double target = 0;     ///< c
};

/// What few rows do to a system whose inverse is known where they act: with
///
///     Â x = b − Bᵀ t ,   B x − D⁻¹ t = c ,
///
/// t = S⁻¹ (B Â⁻¹ b − c) and S = B Â⁻¹ Bᵀ + D⁻¹. Conditions that repeat each other leave S
/// singular: t is then the smallest.
class Ties {
public:
  /// Take these rows over n tied degrees of freedom.
  void set(std::vector<TieRow> rows, std::size_t n);
  bool empty() const { return rows.empty(); }
  /// The users or Â have changed.
  void forget() { prepared = 0; }
  /// Names the rows.
  unsigned long version() const { return n_sets; }

  /// Whether S belongs to this version of Â; if not, prepare() is to be called with its
  /// compliances, row by row: of n_users degrees of freedom with the tied ones. The last n users
  /// are the tied ones themselves.
  bool are_prepared(unsigned long of, std::size_t n_users) const {
    return prepared == of && Y.size() == n_users * rows.size();
  }
  template <typename Compliance>
  void prepare(unsigned long of, std::size_t n_users, const Compliance &compliance) {
    prepared = of;
    Y.assign(n_users * rows.size(), 0.);
    for (std::size_t i = 0; i < n_users; ++i)
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t k = 0; k < rows[r].column.size(); ++k)
          Y[i * rows.size() + r] += rows[r].value[k] * compliance(i, rows[r].column[k]);
    factorise(n_users);
  }

  /// The t of an x without them, which they change at the users; it replaces forces().
  void start(const double *x_of_tied);
  /// The change of t that a force on the users makes, which is added to forces().
  void add(const std::vector<double> &force);
  /// The last change of t as a change of x of a user, −Y t.
  double displacement(std::size_t user) const;
  /// The last change of t as forces −Bᵀ t on the tied degrees of freedom.
  std::vector<double> force_on_tied() const;
  /// What they take from the compliance of two users, Y S⁻¹ Yᵀ.
  double share_of_compliance(std::size_t i, std::size_t j) const;

  /// t of each row.
  const std::vector<double> &forces() const { return t; }

private:
  void factorise(std::size_t n_users);
  void solve(std::vector<double> &right_side) const;

  std::vector<TieRow> rows;
  std::size_t n_tied = 0;
  unsigned long n_sets = 0, prepared = 0;
  std::vector<double> Y;       ///< Â⁻¹ Bᵀ of the users
  std::vector<double> inverse; ///< S⁻¹, or the pseudo-inverse
  std::vector<double> SinvY;   ///< S⁻¹ Yᵀ, user by user
  std::vector<double> change, t;
};

} // namespace percussion
