#include "body_system.h"

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using local::Block;
using Matrix = std::array<double, 36>;

/// By Gauss and Jordan with pivots by rows. False if one is below round-off.
template <std::size_t n>
bool invert(std::array<double, n * n> a, std::size_t size, std::array<double, n * n> &inverse) {
  constexpr double round_off = 1e-15;
  double largest = 0.;
  for (const double entry : a)
    largest = std::max(largest, std::abs(entry));
  inverse = {};
  for (std::size_t k = 0; k < size; ++k)
    inverse[k * n + k] = 1.;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < size; ++r)
      if (std::abs(a[r * n + k]) > std::abs(a[pivot * n + k]))
        pivot = r;
    if (!(std::abs(a[pivot * n + k]) > round_off * largest))
      return false;
    for (std::size_t c = 0; c < size && pivot != k; ++c) {
      std::swap(a[k * n + c], a[pivot * n + c]);
      std::swap(inverse[k * n + c], inverse[pivot * n + c]);
    }
    const double scale = 1. / a[k * n + k];
    for (std::size_t c = 0; c < size; ++c) {
      a[k * n + c] *= scale;
      inverse[k * n + c] *= scale;
    }
    for (std::size_t r = 0; r < size; ++r)
      if (const double factor = a[r * n + k]; r != k && factor != 0.)
        for (std::size_t c = 0; c < size; ++c) {
          a[r * n + c] -= factor * a[k * n + c];
          inverse[r * n + c] -= factor * inverse[k * n + c];
        }
  }
  return true;
}

/// c += sign × a b, a row at a time.
void add_product(double sign, const Matrix &a, const Matrix &b, Matrix &c) {
  for (std::size_t r = 0; r < 6; ++r) {
    double row[6];
    for (std::size_t k = 0; k < 6; ++k)
      row[k] = c[6 * r + k];
    for (std::size_t l = 0; l < 6; ++l) {
      const double factor = sign * a[6 * r + l];
      for (std::size_t k = 0; k < 6; ++k)
        row[k] += factor * b[6 * l + k];
    }
    for (std::size_t k = 0; k < 6; ++k)
      c[6 * r + k] = row[k];
  }
}

/// y += sign × a x
void add_product(double sign, const Matrix &a, const double *x, double *y) {
  for (std::size_t r = 0; r < 6; ++r) {
    double sum = 0.;
    for (std::size_t k = 0; k < 6; ++k)
      sum += a[6 * r + k] * x[k];
    y[r] += sign * sum;
  }
}

/// The local velocities H v of contact i.
local::Vector<3> velocity(const ContactingBodies &bodies, std::size_t i, const double *v) {
  local::Vector<3> u{};
  for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t k = 0; k < 6; ++k)
        u[r] += bodies.rows[18 * e + 6 * r + k] * v[6 * bodies.body[e] + k];
  return u;
}

/// f += Hᵀ p of contact i.
void add_impulse(const ContactingBodies &bodies, std::size_t i, const local::Vector<3> &p,
                 double *f) {
  for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e)
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t k = 0; k < 6; ++k)
        f[6 * bodies.body[e] + k] += bodies.rows[18 * e + 6 * r + k] * p[r];
}

double largest_of(const std::vector<double> &x) {
  double largest = 0.;
  for (const double entry : x)
    largest = std::max(largest, std::abs(entry));
  return largest;
}

} // namespace

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

/// S' of each contact, its inverse and G.
bool BodySystem::reduce(const ContactingBodies &bodies, const std::vector<Contact> &contacts) {
  locals.resize(contacts.size());
  responses.assign(contacts.size(), {});
  n_unknowns = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact &contact = contacts[i];
    Local &here = locals[i];
    here.size = contact.size;
    here.offset = n_unknowns;
    here.test = contact.test;
    here.basis = contact.basis;
    here.own = contact.own;
    n_unknowns += contact.size;
    std::array<double, 9> own{}, inverse;
    for (std::size_t r = 0; r < contact.size; ++r)
      for (std::size_t c = 0; c < contact.size; ++c) {
        for (std::size_t k = 0; k < 3 && !bodies.compliance.empty(); ++k)
          here.own[r][c] += contact.test[r][k] * bodies.compliance[3 * i + k] * contact.basis[c][k];
        own[3 * r + c] = here.own[r][c];
      }
    if (!invert<3>(own, contact.size, inverse))
      return false;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c)
        here.inverse[r][c] = inverse[3 * r + c];
    Block<3> half{}; // S'⁻¹ T
    for (std::size_t r = 0; r < here.size; ++r)
      for (std::size_t c = 0; c < here.size; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          half[r][k] += here.inverse[r][c] * here.test[c][k];
    for (std::size_t c = 0; c < here.size; ++c)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          responses[i][k][l] += here.basis[c][k] * half[c][l];
  }
  return true;
}

/// M + Hᵀ G H
void BodySystem::assemble(const ContactingBodies &bodies, const std::vector<Block<3>> &G) {
  blocks.assign(bodies.n_bodies + 2 * pattern.later.size(), Matrix{});
  for (std::size_t b = 0; b < bodies.n_bodies; ++b)
    std::copy_n(bodies.mass.begin() + static_cast<std::ptrdiff_t>(36 * b), 36,
                blocks[pattern.place[b]].begin());
  for (std::size_t i = 0; i < G.size(); ++i) {
    if (G[i] == Block<3>{})
      continue;
    for (std::size_t e = bodies.row_start[i]; e < bodies.row_start[i + 1]; ++e) {
      const double *const h = &bodies.rows[18 * e];
      std::array<std::array<double, 6>, 3> Gh{};
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t m = 0; m < 6; ++m)
            Gh[r][m] += G[i][r][k] * h[6 * k + m];
      for (std::size_t f = bodies.row_start[i]; f < bodies.row_start[i + 1]; ++f) {
        const double *const g = &bodies.rows[18 * f];
        Matrix &sum =
            blocks[pattern.block(pattern.place[bodies.body[f]], pattern.place[bodies.body[e]])];
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t m = 0; m < 6; ++m)
            for (std::size_t l = 0; l < 6; ++l)
              sum[6 * m + l] += g[6 * r + m] * Gh[r][l];
      }
    }
  }
}

bool BodySystem::eliminate() {
  const std::size_t n = pattern.place.size(), n_later = pattern.later.size();
  inverses.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (!invert<6>(blocks[k], 6, inverses[k]))
      return false;
    const std::size_t first = pattern.start[k], last = pattern.start[k + 1];
    const std::size_t *target = pattern.target.data() + pattern.target_start[k];
    for (std::size_t a = first; a < last; ++a) {
      Matrix lower{};
      add_product(1., blocks[n + a], inverses[k], lower);
      blocks[n + a] = lower;
      for (std::size_t b = first; b < last; ++b)
        add_product(-1., lower, blocks[n + n_later + b], blocks[*target++]);
    }
  }
  return true;
}

/// v = (M + Hᵀ G H)⁻¹ v, by bodies.
void BodySystem::substitute(Vector &v) const {
  const std::size_t n = pattern.place.size(), n_later = pattern.later.size();
  Vector x(6 * n), rest(6);
  for (std::size_t b = 0; b < n; ++b)
    std::copy_n(&v[6 * b], 6, &x[6 * pattern.place[b]]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = pattern.start[k]; a < pattern.start[k + 1]; ++a)
      add_product(-1., blocks[n + a], &x[6 * k], &x[6 * pattern.later[a]]);
  for (std::size_t k = n; k-- > 0;) {
    std::copy_n(&x[6 * k], 6, rest.begin());
    for (std::size_t a = pattern.start[k]; a < pattern.start[k + 1]; ++a)
      add_product(-1., blocks[n + n_later + a], &x[6 * pattern.later[a]], rest.data());
    std::fill_n(&x[6 * k], 6, 0.);
    add_product(1., inverses[k], rest.data(), &x[6 * k]);
  }
  for (std::size_t b = 0; b < n; ++b)
    std::copy_n(&x[6 * pattern.place[b]], 6, &v[6 * b]);
}

/// Adds the v and z of the right-hand sides M v − Hᵀ B z = …, T H v + S' z = ….
void BodySystem::add_correction(const ContactingBodies &bodies, const Vector &of_momentum,
                                const Vector &of_contacts, Vector &v, Vector &z) const {
  Vector dv = of_momentum;
  for (std::size_t i = 0; i < locals.size(); ++i) {
    const Local &here = locals[i];
    local::Vector<3> p{};
    for (std::size_t r = 0; r < here.size; ++r)
      for (std::size_t c = 0; c < here.size; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          p[k] += here.basis[r][k] * here.inverse[r][c] * of_contacts[here.offset + c];
    add_impulse(bodies, i, p, dv.data());
  }
  substitute(dv);
  for (std::size_t i = 0; i < locals.size(); ++i) {
    const Local &here = locals[i];
    const auto u = velocity(bodies, i, dv.data());
    for (std::size_t c = 0; c < here.size; ++c) {
      double rest = of_contacts[here.offset + c];
      for (std::size_t k = 0; k < 3; ++k)
        rest -= here.test[c][k] * u[k];
      for (std::size_t r = 0; r < here.size; ++r)
        z[here.offset + r] += here.inverse[r][c] * rest;
    }
  }
  for (std::size_t k = 0; k < v.size(); ++k)
    v[k] += dv[k];
}

bool BodySystem::solve(const ContactingBodies &bodies, std::vector<double> &z) const {
  constexpr unsigned int refinements = 2;
  constexpr double good = 1e-6, very_good = 1e-10; // what is left beside the right-hand side
  const Vector b = z;
  Vector v(6 * bodies.n_bodies, 0.), momentum = v, rest = b;
  std::fill(z.begin(), z.end(), 0.);
  for (unsigned int k = 0; k <= refinements; ++k) {
    add_correction(bodies, momentum, rest, v, z);
    rest = b;
    std::fill(momentum.begin(), momentum.end(), 0.);
    for (std::size_t body = 0; body < bodies.n_bodies; ++body)
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t c = 0; c < 6; ++c)
          momentum[6 * body + r] -= bodies.mass[36 * body + 6 * r + c] * v[6 * body + c];
    for (std::size_t i = 0; i < locals.size(); ++i) {
      const Local &here = locals[i];
      const auto u = velocity(bodies, i, v.data());
      local::Vector<3> p{};
      for (std::size_t c = 0; c < here.size; ++c) {
        for (std::size_t l = 0; l < 3; ++l) {
          p[l] += here.basis[c][l] * z[here.offset + c];
          rest[here.offset + c] -= here.test[c][l] * u[l];
        }
        for (std::size_t r = 0; r < here.size; ++r)
          rest[here.offset + r] -= here.own[r][c] * z[here.offset + c];
      }
      add_impulse(bodies, i, p, momentum.data());
    }
    if (k > 0 && largest_of(rest) <= very_good * largest_of(b))
      break;
  }
  const double left = largest_of(rest);
  return std::isfinite(left) && left <= good * largest_of(b) + 1e-300 &&
         std::all_of(z.begin(), z.end(), [](double entry) { return std::isfinite(entry); });
}

} // namespace percussion
