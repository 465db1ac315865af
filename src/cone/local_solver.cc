#include <percussion/cone/local_solver.h>

#include <limits>

namespace percussion::local {

template <>
Vector<2> solve_one_contact<2>(const Block<2> &W, const Vector<2> &q, double mu) {
  if (q[0] >= 0.)
    return {0., 0.};

  const double determinant = W[0][0] * W[1][1] - W[0][1] * W[1][0];
  if (mu > 0. && determinant > std::numeric_limits<double>::epsilon() * W[0][0] * W[1][1]) {
    const Vector<2> p{(W[0][1] * q[1] - W[1][1] * q[0]) / determinant,
                      (W[1][0] * q[0] - W[0][0] * q[1]) / determinant};
    if (std::abs(p[1]) <= mu * p[0])
      return p;
  }

  // Slip along s requires s u_T ≤ 0. Between stick and slip, round-off can exclude both: take the
  // nearer.
  Vector<2> slip{0., 0.};
  double least = std::numeric_limits<double>::infinity();
  for (const double s : {1., -1.}) {
    const double stiffness = W[0][0] + s * mu * W[0][1];
    if (stiffness <= 0.)
      continue;
    const double p_normal = -q[0] / stiffness;
    const double s_u_tangential = s * q[1] + (s * W[1][0] + mu * W[1][1]) * p_normal;
    if (s_u_tangential < least) {
      least = s_u_tangential;
      slip = {p_normal, s * mu * p_normal};
    }
  }
  return slip;
}

namespace {

constexpr double round_off = 32. * std::numeric_limits<double>::epsilon();

/// A contact whose normal percussion is eliminated by u_N = 0:
///
///     u_T = S p_T + b ,   S = W_TT − W_TN W_NT / W_NN ,   b = q_T − W_TN q_N / W_NN ,
///
/// in the principal directions of the symmetric part of S. With u_T = −λ p_T the percussions are
/// functions of λ; λ = 0 is stick.
class SlipEquation {
public:
  SlipEquation(const Block<3> &W, const Vector<3> &q, double friction);

  struct Point {
    Vector<3> p{}; ///< (p_N, p_T) in the principal directions of S
    double value = 0.; ///< μ p_N / ‖p_T‖ − 1: nearly linear in λ, zero at slip, positive at stick
    double slope = 0.; ///< its derivative
  };
  Point at(double lambda) const;
  Vector<3> rotated_back(const Vector<3> &p) const;
  double stiffness() const { return std::max({s[0], s[1], std::abs(skew)}); }
  /// Above this λ, S + λ is regular; 0 if the symmetric part of S is semidefinite.
  double pole() const {
    const double mean = 0.5 * (s[0] + s[1]), half = 0.5 * (s[0] - s[1]);
    return std::max(0., -mean + std::sqrt(std::max(0., half * half - skew * skew)));
  }

private:
  double mu, W_NN, q_N, cosine, sine;
  double skew; ///< S is diag(s) + skew [0 1; −1 0], in any frame
  std::array<double, 2> s{}, b{}, W_NT{};
};

SlipEquation::SlipEquation(const Block<3> &W, const Vector<3> &q, double friction)
    : mu(friction), W_NN(W[0][0]), q_N(q[0]) {
  const double S_11 = W[1][1] - W[1][0] * W[0][1] / W_NN;
  const double S_22 = W[2][2] - W[2][0] * W[0][2] / W_NN;
  const double upper = W[1][2] - W[1][0] * W[0][2] / W_NN;
  const double lower = W[2][1] - W[2][0] * W[0][1] / W_NN;
  const double S_12 = 0.5 * (upper + lower);
  skew = 0.5 * (upper - lower);
  const double angle = 0.5 * std::atan2(2. * S_12, S_11 - S_22);
  cosine = std::cos(angle);
  sine = std::sin(angle);
  const double mean = 0.5 * (S_11 + S_22), half = std::hypot(0.5 * (S_11 - S_22), S_12);
  const auto rotated = [this](double x, double y) {
    return std::array<double, 2>{cosine * x + sine * y, cosine * y - sine * x};
  };
  s = {mean + half, mean - half};
  b = rotated(q[1] - W[1][0] * q[0] / W_NN, q[2] - W[2][0] * q[0] / W_NN);
  W_NT = rotated(W[0][1], W[0][2]);
  // If W is singular, S and b are round-off in its null space.
  const double size_of_s = W[1][1] + W[2][2];
  const double size_of_b = std::hypot(q[1], q[2]) - std::hypot(W_NT[0], W_NT[1]) * q[0] / W_NN;
  for (std::size_t k = 0; k < 2; ++k) {
    if (std::abs(s[k]) <= round_off * size_of_s)
      s[k] = 0.;
    if (std::abs(b[k]) <= round_off * size_of_b)
      b[k] = 0.;
  }
  if (std::abs(skew) <= round_off * size_of_s)
    skew = 0.;
}

SlipEquation::Point SlipEquation::at(double lambda) const {
  Point point;
  double square = 0., falling = 0., W_p = 0., W_dp = 0.;
  const std::array<double, 2> c = {s[0] + lambda, s[1] + lambda};
  const auto divided = [&](const std::array<double, 2> &x) { // −(S + λ)⁻¹ x
    if (skew == 0.)
      return std::array<double, 2>{x[0] == 0. ? 0. : -x[0] / c[0], x[1] == 0. ? 0. : -x[1] / c[1]};
    const double determinant = c[0] * c[1] + skew * skew;
    return std::array<double, 2>{(skew * x[1] - c[1] * x[0]) / determinant,
                                 -(skew * x[0] + c[0] * x[1]) / determinant};
  };
  const std::array<double, 2> tangential = divided(b), derivative = divided(tangential);
  for (std::size_t k = 0; k < 2; ++k) {
    const double p = tangential[k], dp = derivative[k];
    point.p[k + 1] = p;
    square += p * p;
    falling += p * dp;
    W_p += W_NT[k] * p;
    W_dp += W_NT[k] * dp;
  }
  point.p[0] = -(q_N + W_p) / W_NN;
  const double length = std::sqrt(square);
  if (!(length > 0.)) {
    point.value = std::numeric_limits<double>::infinity();
    return point;
  }
  point.value = mu * point.p[0] / length - 1.;
  point.slope = mu * (-W_dp / W_NN - point.p[0] * falling / square) / length;
  return point;
}

Vector<3> SlipEquation::rotated_back(const Vector<3> &p) const {
  return {p[0], cosine * p[1] - sine * p[2], sine * p[1] + cosine * p[2]};
}

/// Search a geometric grid from `high` down to the pole for a point outside the cone: it and the
/// next point above bracket a root. False if there is none.
bool find_bracket(const SlipEquation &equation, double &low, double &high) {
  constexpr unsigned int n_places = 120;
  const double pole = equation.pole();
  double above = high - pole;
  for (unsigned int k = 0; k < n_places; ++k, above *= 0.8)
    if (equation.at(pole + 0.8 * above).value < 0.) {
      low = pole + 0.8 * above;
      high = pole + above;
      return true;
    }
  return false;
}

} // namespace

template <>
Vector<3> solve_one_contact<3>(const Block<3> &W, const Vector<3> &q, double mu) {
  if (q[0] >= 0. || W[0][0] <= 0.)
    return {};
  if (mu <= 0.)
    return {-q[0] / W[0][0], 0., 0.};

  const SlipEquation equation(W, q, mu);
  SlipEquation::Point point = equation.at(0.);
  if (point.value >= 0. && std::isfinite(point.p[0] + point.p[1] + point.p[2]))
    return equation.rotated_back(point.p);

  // Below the root p is outside the cone; far above it p_T vanishes, and p is inside.
  const double pole = equation.pole();
  double low = pole,
         high = 2. * pole + (equation.stiffness() > 0. ? equation.stiffness() : W[0][0]);
  while (!((point = equation.at(high)).value >= 0.) && high < 1e300)
    low = high, high *= 8.;
  // A null vector inside the cone, towards which q points: the number of roots is even. If there is
  // none, return what stops the normal velocity.
  if (low == pole && equation.at(pole + 1e-30 * high).value >= 0. &&
      !find_bracket(equation, low, high))
    return {-q[0] / W[0][0], 0., 0.};
  double lambda = high;
  point = equation.at(lambda);
  for (unsigned int iteration = 0; iteration < 200; ++iteration) {
    const double newton = lambda - point.value / point.slope;
    const bool inside = newton > low && newton < high;
    const double next = inside ? newton : 0.5 * (low + high);
    if (next == lambda || !(next > low && next < high))
      break;
    lambda = next;
    point = equation.at(lambda);
    (point.value >= 0. ? high : low) = lambda;
    if (std::abs(point.value) <= 4. * std::numeric_limits<double>::epsilon())
      break;
  }
  // Exactly on the cone; u_N = 0 to round-off.
  const double length = std::hypot(point.p[1], point.p[2]);
  if (!(point.p[0] > 0.) || !(length > 0.) || !std::isfinite(length))
    return {-q[0] / W[0][0], 0., 0.};
  const double shrink = mu * point.p[0] / length;
  return equation.rotated_back({point.p[0], shrink * point.p[1], shrink * point.p[2]});
}

} // namespace percussion::local
