#include "body_system.h"

#include "six.h"
#include "vectors.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using local::Block;
using Matrix = std::array<double, 36>;

/// Computes to += factor × from.
template <std::size_t n>
void add_row(double factor, const double *source, double *target) {
  if constexpr (n == 6) {
    Six(target).add(factor, Six(source)).store(target);
  } else {
    for (std::size_t c = 0; c < n; ++c)
      target[c] += factor * source[c];
  }
}

/// Inverts the first `size` rows and columns of a block, by Gauss and Jordan with pivots by rows.
/// Returns the sign of the determinant, or 0 if a pivot is below round-off.
template <std::size_t n>
int invert(const double *block, std::size_t size, double *inverse) {
  constexpr double round_off = 1e-15;
  double a[n][n], b[n][n] = {}, largest = 0.;
  std::copy_n(block, n * n, &a[0][0]);
  for (std::size_t k = 0; k < n * n; ++k)
    largest = std::max(largest, std::abs(block[k]));
  for (std::size_t k = 0; k < size; ++k)
    b[k][k] = 1.;
  int sign = 1;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < size; ++r)
      if (std::abs(a[r][k]) > std::abs(a[pivot][k]))
        pivot = r;
    if (!(std::abs(a[pivot][k]) > round_off * largest))
      return 0;
    sign *= (pivot == k ? 1 : -1) * (a[pivot][k] > 0. ? 1 : -1);
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    const double scale = 1. / a[k][k];
    for (std::size_t c = 0; c < n; ++c) {
      a[k][c] *= scale;
      b[k][c] *= scale;
    }
    for (std::size_t r = 0; r < size; ++r)
      if (const double factor = -a[r][k]; r != k && factor != 0.) {
        add_row<n>(factor, a[k], a[r]);
        add_row<n>(factor, b[k], b[r]);
      }
  }
  std::copy_n(&b[0][0], n * n, inverse);
  return sign;
}

/// Computes c += a b, or c −= a b.
template <bool subtract>
void add_product(const Matrix &a, const Matrix &b, Matrix &c) {
  for (std::size_t r = 0; r < 6; ++r) {
    Six row(&c[6 * r]);
    for (std::size_t l = 0; l < 6; ++l)
      row.add(subtract ? -a[6 * r + l] : a[6 * r + l], Six(&b[6 * l]));
    row.store(&c[6 * r]);
  }
}

/// Computes y += sign × a x.
void add_product(double sign, const Matrix &a, const double *x, double *y) {
  const Six all(x);
  for (std::size_t r = 0; r < 6; ++r)
    y[r] += sign * Six(&a[6 * r]).dot(all);
}

} // namespace

local::Vector<3> contact_velocity(const ContactingBodies &bodies, std::size_t i, const double *v) {
  local::Vector<3> u{};
  for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e) {
    const Six body_velocity(v + 6 * bodies.body[e]);
    for (std::size_t r = 0; r < 3; ++r)
      u[r] += Six(&bodies.rows[18 * e + 6 * r]).dot(body_velocity);
  }
  return u;
}

void add_impulse(const ContactingBodies &bodies, std::size_t i, const local::Vector<3> &p,
                 double *f) {
  for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e) {
    const double *const h = &bodies.rows[18 * e];
    double *const target = f + 6 * bodies.body[e];
    Six(target).add(p[0], Six(h)).add(p[1], Six(h + 6)).add(p[2], Six(h + 12)).store(target);
  }
}

bool BodySystem::factorise(const ContactingBodies &bodies, const std::vector<Contact> &contacts) {
  pattern.make(bodies);
  if (!reduce(bodies, contacts))
    return false;
  assemble(bodies, responses);
  return eliminate();
}

bool BodySystem::factorise(const ContactingBodies &bodies, const std::vector<Block<3>> &G) {
  pattern.make(bodies);
  assemble(bodies, G);
  return eliminate();
}

/// Computes S' of each contact, its inverse and G.
bool BodySystem::reduce(const ContactingBodies &bodies, const std::vector<Contact> &contacts) {
  locals.resize(contacts.size());
  responses.assign(contacts.size(), {});
  n_unknowns = 0;
  sign = 1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact &contact = contacts[i];
    Local &local = locals[i];
    local.size = contact.size;
    local.offset = n_unknowns;
    local.test = contact.test;
    local.basis = contact.basis;
    local.diagonal_block = contact.diagonal_block;
    n_unknowns += contact.size;
    for (std::size_t r = 0; r < contact.size && !bodies.compliance.empty(); ++r)
      for (std::size_t c = 0; c < contact.size; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          local.diagonal_block[r][c] +=
              contact.test[r][k] * bodies.compliance[3 * i + k] * contact.basis[c][k];
    const int own_sign =
        invert<3>(local.diagonal_block[0].data(), contact.size, local.inverse[0].data());
    if (own_sign == 0)
      return false;
    sign *= own_sign;
    Block<3> half{}; // S'⁻¹ T
    for (std::size_t r = 0; r < local.size; ++r)
      for (std::size_t c = 0; c < local.size; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          half[r][k] += local.inverse[r][c] * local.test[c][k];
    for (std::size_t c = 0; c < local.size; ++c)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          responses[i][k][l] += local.basis[c][k] * half[c][l];
  }
  return true;
}

/// Assembles M + Hᵀ G H.
void BodySystem::assemble(const ContactingBodies &bodies, const std::vector<Block<3>> &G) {
  const std::size_t n = pattern.position.size();
  blocks.assign(n + 2 * pattern.later_bodies.size(), Matrix{});
  for (std::size_t b = 0; b < n; ++b)
    std::copy_n(bodies.mass.begin() + static_cast<std::ptrdiff_t>(36 * b), 36,
                blocks[pattern.position[b]].begin());
  const std::size_t *target = pattern.pair_blocks.data();
  for (std::size_t i = 0; i < G.size(); ++i) {
    const std::size_t first = bodies.row_start[i], last = bodies.row_start[i + 1];
    if (G[i] == Block<3>{}) {
      target += (last - first) * (last - first);
      continue;
    }
    for (std::size_t e = first; e < last; ++e) {
      const double *const h = &bodies.rows[18 * e];
      const auto times_rows = [h](const local::Vector<3> &row) {
        return Six(h).scale(row[0]).add(row[1], Six(h + 6)).add(row[2], Six(h + 12));
      };
      const Six Gh[3] = {times_rows(G[i][0]), times_rows(G[i][1]), times_rows(G[i][2])};
      for (std::size_t f = first; f < last; ++f) {
        const double *const g = &bodies.rows[18 * f];
        double *const sum = blocks[*target++].data();
        for (std::size_t m = 0; m < 6; ++m) {
          Six row(sum + 6 * m);
          row.add(g[m], Gh[0]).add(g[6 + m], Gh[1]).add(g[12 + m], Gh[2]);
          row.store(sum + 6 * m);
        }
      }
    }
  }
}

bool BodySystem::eliminate() {
  const std::size_t n = pattern.position.size();
  Matrix *const below = blocks.data() + n, *const above = below + pattern.later_bodies.size();
  const unsigned int *pair = pattern.later_pair.data();
  inverses.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const int pivot_sign = invert<6>(blocks[k].data(), 6, inverses[k].data());
    if (pivot_sign == 0)
      return false;
    sign *= pivot_sign;
    const std::size_t first = pattern.start[k], last = pattern.start[k + 1];
    for (std::size_t a = first; a < last; ++a) {
      Matrix lower{};
      add_product<false>(below[a], inverses[k], lower);
      below[a] = lower;
    }
    for (std::size_t a = first; a < last; ++a) {
      add_product<true>(below[a], above[a], blocks[pattern.later_bodies[a]]);
      for (std::size_t b = a + 1; b < last; ++b, ++pair) {
        add_product<true>(below[a], above[b], above[*pair]);
        add_product<true>(below[b], above[a], below[*pair]);
      }
    }
  }
  return true;
}

/// Computes v = (M + Hᵀ G H)⁻¹ v, by bodies.
void BodySystem::substitute(Vector &v) const {
  const std::size_t n = pattern.position.size(), n_later = pattern.later_bodies.size();
  Vector x(6 * n), residuals(6);
  for (std::size_t b = 0; b < n; ++b)
    std::copy_n(&v[6 * b], 6, &x[6 * pattern.position[b]]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = pattern.start[k]; a < pattern.start[k + 1]; ++a)
      add_product(-1., blocks[n + a], &x[6 * k], &x[6 * pattern.later_bodies[a]]);
  for (std::size_t k = n; k-- > 0;) {
    std::copy_n(&x[6 * k], 6, residuals.begin());
    for (std::size_t a = pattern.start[k]; a < pattern.start[k + 1]; ++a)
      add_product(-1., blocks[n + n_later + a], &x[6 * pattern.later_bodies[a]], residuals.data());
    std::fill_n(&x[6 * k], 6, 0.);
    add_product(1., inverses[k], residuals.data(), &x[6 * k]);
  }
  for (std::size_t b = 0; b < n; ++b)
    std::copy_n(&x[6 * pattern.position[b]], 6, &v[6 * b]);
}

/// Adds the v and z of the right-hand sides M v − Hᵀ B z = …, T H v + S' z = ….
void BodySystem::add_correction(const ContactingBodies &bodies, const Vector &momentum_residuals,
                                const Vector &contact_residuals, Vector &v, Vector &z) const {
  Vector dv = momentum_residuals;
  for (std::size_t i = 0; i < locals.size(); ++i) {
    const Local &local = locals[i];
    local::Vector<3> p{};
    for (std::size_t r = 0; r < local.size; ++r)
      for (std::size_t c = 0; c < local.size; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          p[k] += local.basis[r][k] * local.inverse[r][c] * contact_residuals[local.offset + c];
    add_impulse(bodies, i, p, dv.data());
  }
  substitute(dv);
  for (std::size_t i = 0; i < locals.size(); ++i) {
    const Local &local = locals[i];
    const auto u = contact_velocity(bodies, i, dv.data());
    for (std::size_t c = 0; c < local.size; ++c) {
      double residuals = contact_residuals[local.offset + c];
      for (std::size_t k = 0; k < 3; ++k)
        residuals -= local.test[c][k] * u[k];
      for (std::size_t r = 0; r < local.size; ++r)
        z[local.offset + r] += local.inverse[r][c] * residuals;
    }
  }
  for (std::size_t k = 0; k < v.size(); ++k)
    v[k] += dv[k];
}

/// Computes the residuals of the momentum, M v − Hᵀ B z, and of the contacts' equations. Returns
/// the largest momentum M v.
double BodySystem::find_rest(const ContactingBodies &bodies, const Vector &b, const Vector &v,
                             const Vector &z, Vector &momentum_residuals,
                             Vector &contact_residuals) const {
  double largest = 0.;
  contact_residuals = b;
  for (std::size_t row = 0; row < momentum_residuals.size(); ++row) {
    const double momentum = Six(&bodies.mass[6 * row]).dot(Six(&v[row - row % 6]));
    largest = std::max(largest, std::abs(momentum));
    momentum_residuals[row] = -momentum;
  }
  for (std::size_t i = 0; i < locals.size(); ++i) {
    const Local &local = locals[i];
    const auto u = contact_velocity(bodies, i, v.data());
    local::Vector<3> p{};
    for (std::size_t c = 0; c < local.size; ++c) {
      double remaining = contact_residuals[local.offset + c];
      for (std::size_t l = 0; l < 3; ++l) {
        p[l] += local.basis[c][l] * z[local.offset + c];
        remaining -= local.test[c][l] * u[l];
      }
      for (std::size_t r = 0; r < local.size; ++r)
        remaining -= local.diagonal_block[c][r] * z[local.offset + r];
      contact_residuals[local.offset + c] = remaining;
    }
    add_impulse(bodies, i, p, momentum_residuals.data());
  }
  return largest;
}

bool BodySystem::solve(const ContactingBodies &bodies, std::vector<double> &z) const {
  constexpr unsigned int refinements = 4;
  // Residuals relative to the right-hand side: acceptable, exact, and acceptable without
  // refinement.
  constexpr double acceptable = 1e-6, exact = 1e-13, very_good = 1e-10;
  const Vector b = z;
  const double size = largest_of(b);
  Vector v(6 * pattern.position.size(), 0.), momentum = v, residuals = b;
  std::fill(z.begin(), z.end(), 0.);
  for (unsigned int k = 0; k <= refinements; ++k) {
    add_correction(bodies, momentum, residuals, v, z);
    const double largest = find_rest(bodies, b, v, z, momentum, residuals);
    const double tolerance = k == 0 ? exact : very_good;
    if (largest_of(residuals) <= tolerance * size && largest_of(momentum) <= tolerance * largest)
      break;
  }
  const double remaining = largest_of(residuals);
  return std::isfinite(remaining) && remaining <= acceptable * size + 1e-300 && all_finite(z);
}

} // namespace percussion
