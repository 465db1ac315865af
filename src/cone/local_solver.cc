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

  // Slip along s requires s u_T ≤ 0. At the limit between stick and slip, round-off can exclude
  // both: take the nearer.
  Vector<2> slip{0., 0.};
  double smallest = std::numeric_limits<double>::infinity();
  for (const double s : {1., -1.}) {
    const double stiffness = W[0][0] + s * mu * W[0][1];
    if (stiffness <= 0.)
      continue;
    const double p_normal = -q[0] / stiffness;
    const double s_u_tangential = s * q[1] + (s * W[1][0] + mu * W[1][1]) * p_normal;
    if (s_u_tangential < smallest) {
      smallest = s_u_tangential;
      slip = {p_normal, s * mu * p_normal};
    }
  }
  return slip;
}

namespace {

double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

constexpr double round_off = 32. * std::numeric_limits<double>::epsilon();

/// Equation of slip of a contact whose normal percussion is eliminated by u_N = 0:
///
///     u_T = S p_T + b ,   S = W_TT − W_TN W_NT / W_NN ,   b = q_T − W_TN q_N / W_NN .
///
/// With u_T = −λ p_T the percussions are functions of λ; λ = 0 is stick. If S is nearly singular,
/// the principal directions of its symmetric part are the axes.
class SlipEquation {
public:
  SlipEquation(const Block<3> &W, const Vector<3> &q, double friction);

  struct Point {
    Vector<3> p{}; ///< (p_N, p_T) in the axes
    double value = 0.; ///< μ p_N / ‖p_T‖ − 1: nearly linear in λ, zero at slip, positive at stick
    double slope = 0.; ///< its derivative
  };
  Point evaluate(double lambda) const;
  Vector<3> rotated_back(const Vector<3> &p) const;
  double stiffness() const { return std::max({S[0][0], S[1][1], std::abs(S[0][1])}); }
  bool regular() const { return is_regular; } ///< S is definite; then there is a root above λ = 0
  /// Returns the λ above which S + λ is regular; 0 if the symmetric part of S is semidefinite.
  double pole() const {
    const double mean = 0.5 * (S[0][0] + S[1][1]), half = 0.5 * (S[0][0] - S[1][1]);
    return is_regular
               ? 0.
               : std::max(0., -mean + std::sqrt(std::max(0., half * half + S[0][1] * S[1][0])));
  }

private:
  using Tangent = std::array<double, 2>;
  void turn_to_principal_directions(const Block<3> &W, const Vector<3> &q);

  double mu, W_NN_inverse, q_N, cosine = 1., sine = 0.;
  bool is_regular;
  std::array<Tangent, 2> S;
  Tangent b, W_NT;
};

SlipEquation::SlipEquation(const Block<3> &W, const Vector<3> &q, double friction)
    : mu(friction), W_NN_inverse(1. / W[0][0]), q_N(q[0]), W_NT{W[0][1], W[0][2]} {
  constexpr double nearly_singular = 0.01; // determinant of S, relative
  const double share_1 = W[1][0] * W_NN_inverse, share_2 = W[2][0] * W_NN_inverse;
  S = {Tangent{W[1][1] - share_1 * W[0][1], W[1][2] - share_1 * W[0][2]},
       Tangent{W[2][1] - share_2 * W[0][1], W[2][2] - share_2 * W[0][2]}};
  b = {q[1] - share_1 * q_N, q[2] - share_2 * q_N};
  const double mean = 0.5 * (S[0][0] + S[1][1]), S_12 = 0.5 * (S[0][1] + S[1][0]);
  is_regular = mean > 0. && S[0][0] * S[1][1] - S_12 * S_12 > nearly_singular * mean * mean;
  if (!is_regular)
    turn_to_principal_directions(W, q);
}

void SlipEquation::turn_to_principal_directions(const Block<3> &W, const Vector<3> &q) {
  const double mean = 0.5 * (S[0][0] + S[1][1]), difference = 0.5 * (S[0][0] - S[1][1]);
  const double S_12 = 0.5 * (S[0][1] + S[1][0]), half = length_of(difference, S_12);
  double skew = 0.5 * (S[0][1] - S[1][0]); // the same in any axes
  // Half of the angle whose cosine is difference / half, from its larger component.
  const double c = half > 0. ? std::sqrt(0.5 + 0.5 * std::abs(difference) / half) : 1.;
  const double t = half > 0. ? 0.5 * S_12 / (half * c) : 0.;
  cosine = difference >= 0. ? c : std::abs(t);
  sine = difference >= 0. ? t : std::copysign(c, S_12);
  const auto turned = [this](const Tangent &x) {
    return Tangent{cosine * x[0] + sine * x[1], cosine * x[1] - sine * x[0]};
  };
  Tangent s = {mean + half, mean - half};
  b = turned(b);
  W_NT = turned(W_NT);
  // If W is singular, S and b are round-off in its null space.
  const double size_of_s = W[1][1] + W[2][2];
  const double size_of_b = length_of(q[1], q[2]) - length_of(W_NT[0], W_NT[1]) * q_N * W_NN_inverse;
  for (std::size_t k = 0; k < 2; ++k) {
    if (std::abs(s[k]) <= round_off * size_of_s)
      s[k] = 0.;
    if (std::abs(b[k]) <= round_off * size_of_b)
      b[k] = 0.;
  }
  if (std::abs(skew) <= round_off * size_of_s)
    skew = 0.;
  S = {Tangent{s[0], skew}, Tangent{-skew, s[1]}};
}

SlipEquation::Point SlipEquation::evaluate(double lambda) const {
  Point point;
  const Tangent c = {S[0][0] + lambda, S[1][1] + lambda};
  Tangent tangential, derivative; // −(S + λ)⁻¹ b and its derivative
  if (S[0][1] == 0. && S[1][0] == 0.) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double inverse = b[k] == 0. ? 0. : 1. / c[k];
      tangential[k] = -b[k] * inverse;
      derivative[k] = -tangential[k] * inverse;
    }
  } else {
    const double inverse = 1. / (c[0] * c[1] - S[0][1] * S[1][0]);
    const auto divided = [&](const Tangent &x) {
      return Tangent{(S[0][1] * x[1] - c[1] * x[0]) * inverse,
                     (S[1][0] * x[0] - c[0] * x[1]) * inverse};
    };
    tangential = divided(b);
    derivative = divided(tangential);
  }
  const auto dot = [](const Tangent &x, const Tangent &y) { return x[0] * y[0] + x[1] * y[1]; };
  const double length = std::sqrt(dot(tangential, tangential));
  point.p = {-(q_N + dot(W_NT, tangential)) * W_NN_inverse, tangential[0], tangential[1]};
  if (!(length > 0.)) {
    point.value = std::numeric_limits<double>::infinity();
    return point;
  }
  const double shrink = 1. / length;
  point.value = mu * point.p[0] * shrink - 1.;
  point.slope = -mu * shrink *
                (dot(W_NT, derivative) * W_NN_inverse +
                 point.p[0] * dot(tangential, derivative) * shrink * shrink);
  return point;
}

Vector<3> SlipEquation::rotated_back(const Vector<3> &p) const {
  return {p[0], cosine * p[1] - sine * p[2], sine * p[1] + cosine * p[2]};
}

/// Searches a geometric grid from `high` down to the pole for a point outside the cone: it and the
/// next point above bracket a root. Returns false if there is none.
bool find_bracket(const SlipEquation &equation, double &low, double &high) {
  constexpr unsigned int n_places = 120;
  const double pole = equation.pole();
  double offset = high - pole;
  for (unsigned int k = 0; k < n_places; ++k, offset *= 0.8)
    if (equation.evaluate(pole + 0.8 * offset).value < 0.) {
      low = pole + 0.8 * offset;
      high = pole + offset;
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
  SlipEquation::Point point = equation.evaluate(0.);
  if (point.value >= 0. && std::isfinite(point.p[0] + point.p[1] + point.p[2]))
    return equation.rotated_back(point.p);

  // At λ below the root p is outside the cone; for large λ p_T vanishes, and p is inside.
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double pole = equation.pole();
  const double scale = equation.stiffness() > 0. ? equation.stiffness() : W[0][0];
  double low = pole, high = unlimited, lambda = 0.;
  if (!equation.regular() || !std::isfinite(point.value)) {
    high = 2. * pole + scale;
    while (!((point = equation.evaluate(high)).value >= 0.) && high < 1e300)
      low = high, high *= 8.;
    // A null vector inside the cone in the direction of q: the number of roots is even. If there is
    // none, return the percussion that stops the normal velocity.
    if (low == pole && equation.evaluate(pole + 1e-30 * high).value >= 0. &&
        !find_bracket(equation, low, high))
      return {-q[0] / W[0][0], 0., 0.};
    lambda = high;
    point = equation.evaluate(lambda);
  }
  for (unsigned int iteration = 0; iteration < 200; ++iteration) {
    const double newton = lambda - point.value / point.slope;
    const bool inside = newton > low && newton < high;
    const double next = inside             ? newton
                        : high < unlimited ? 0.5 * (low + high)
                                           : std::max(scale, 8. * low);
    if (next == lambda || !(next > low && next < high))
      break;
    // The error of Newton's next iterate is about the square of the step.
    const bool last = inside && std::abs(next - lambda) <= 1e-8 * lambda;
    lambda = next;
    point = equation.evaluate(lambda);
    (point.value >= 0. ? high : low) = lambda;
    if (last || std::abs(point.value) <= 4. * std::numeric_limits<double>::epsilon())
      break;
  }
  // Exactly on the cone; u_N = 0 to round-off.
  const double length = length_of(point.p[1], point.p[2]);
  if (!(point.p[0] > 0.) || !(length > 0.) || !std::isfinite(length))
    return {-q[0] / W[0][0], 0., 0.};
  const double shrink = mu * point.p[0] / length;
  return equation.rotated_back({point.p[0], shrink * point.p[1], shrink * point.p[2]});
}

} // namespace percussion::local
