#pragma once

#include <percussion/cone/problem.h>

#include "sample_problems.h"
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Contact problems of one time step of assemblies of rigid bodies, in 2D and 3D, with W by blocks:
/// discs and spheres in a box, towers, wheels on the ground, single contacts. W is not symmetric
/// with gyroscopic terms in the tangents, or rounded to single precision.
namespace percussion::assemblies {

using Point = std::array<double, 3>;

inline double dot(const Point &a, const Point &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point cross(const Point &a, const Point &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Point along(const Point &a, double s, const Point &b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
inline Point unit(const Point &a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Body; in 2D it moves along x and z and rotates about y.
struct Body {
  Point centre{};
  double mass = 1.;
  Point inertia{0.1, 0.1, 0.1};
  Point velocity{}, spin{};
};

/// Contact of two bodies. `below` is −1 for fixed obstacles; n points towards the body above. The
/// gap is divided by the time step [velocity].
struct Touch {
  std::size_t above = 0;
  int below = -1;
  Point place{}, n{0., 0., 1.};
  double gap = 0.;
};

struct Assembly {
  std::string name;
  unsigned int dimension = 3;
  std::vector<Body> bodies;
  std::vector<Touch> touches;
};

/// Matrix 6 × 6, by rows.
using Inertia = std::array<double, 36>;

/// Returns the inverse of diag(m, I) + a S with a random skew matrix S of the size of the
/// rotational inertia: the tangent of the gyroscopic torque. In 2D S couples all motions.
inline Inertia inverse_tangent(const Body &body, unsigned int dimension, double asymmetry,
                               sample::Random &random) {
  std::array<std::array<double, 12>, 6> rows{};
  const double size = (body.inertia[0] + body.inertia[1] + body.inertia[2]) / 3.;
  for (std::size_t k = 0; k < 6; ++k) {
    rows[k][k] = k < 3 ? body.mass : body.inertia[k - 3];
    rows[k][6 + k] = 1.;
  }
  for (std::size_t k = dimension == 2 ? 0 : 3; k < 6; ++k)
    for (std::size_t l = k + 1; l < 6; ++l) {
      const double s = asymmetry == 0. ? 0. : asymmetry * size * random(-1., 1.);
      rows[k][l] += s;
      rows[l][k] -= s;
    }
  for (std::size_t k = 0; k < 6;
       ++k) { // Gauss–Jordan elimination with diagonal pivots, because M is definite
    const double pivot = rows[k][k];
    for (double &entry : rows[k])
      entry /= pivot;
    for (std::size_t r = 0; r < 6; ++r)
      if (const double factor = rows[r][k]; r != k)
        for (std::size_t c = 0; c < 12; ++c)
          rows[r][c] -= factor * rows[k][c];
  }
  Inertia inverse;
  for (std::size_t k = 0; k < 36; ++k)
    inverse[k] = rows[k / 6][6 + k % 6];
  return inverse;
}

/// Returns the local velocities at a contact for unit values of a body's six motions, as rows.
inline std::vector<std::array<double, 6>> rows_of(const Touch &touch, const Body &body,
                                                  unsigned int dimension, double sign) {
  const Point &n = touch.n;
  std::vector<Point> frame = {n};
  if (dimension == 2) {
    frame.push_back({n[2], 0., -n[0]});
  } else {
    const Point other = std::abs(n[0]) < 0.7 ? Point{1., 0., 0.} : Point{0., 1., 0.};
    frame.push_back(unit(cross(n, other)));
    frame.push_back(cross(n, frame[1]));
  }
  const Point arm = along(touch.place, -1., body.centre);
  std::vector<std::array<double, 6>> rows;
  for (const Point &e : frame) {
    const Point moment = cross(arm, e);
    std::array<double, 6> row{};
    for (std::size_t k = 0; k < 3; ++k) {
      row[k] = sign * e[k];
      row[3 + k] = dimension == 2 && k != 1 ? 0. : sign * moment[k];
    }
    rows.push_back(row);
  }
  return rows;
}

/// Returns W, q and μ, with W asymmetric by about `asymmetry`.
inline FrictionContactProblem pose(const Assembly &assembly, double mu, double asymmetry = 0.,
                                   unsigned int seed = 0) {
  const std::size_t d = assembly.dimension, n = assembly.touches.size();
  sample::Random random(seed);
  FrictionContactProblem problem;
  problem.dimension = assembly.dimension;
  problem.n_contacts = n;
  problem.mu.assign(n, mu);
  problem.version = sample::new_version();
  problem.q.assign(d * n, 0.);
  struct End {
    std::size_t contact;
    std::vector<std::array<double, 6>> rows;
  };
  std::vector<std::vector<End>> ends(assembly.bodies.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Touch &touch = assembly.touches[i];
    problem.q[d * i] = touch.gap;
    for (const auto &[body, sign] :
         {std::pair(static_cast<int>(touch.above), 1.), std::pair(touch.below, -1.)})
      if (body >= 0) {
        const auto b = static_cast<std::size_t>(body);
        ends[b].push_back({i, rows_of(touch, assembly.bodies[b], assembly.dimension, sign)});
      }
  }
  std::vector<std::map<std::size_t, std::vector<double>>> blocks(n);
  for (std::size_t i = 0; i < n; ++i)
    blocks[i][i].assign(d * d, 0.);
  for (std::size_t b = 0; b < assembly.bodies.size(); ++b) {
    const Body &body = assembly.bodies[b];
    const Inertia inverse = inverse_tangent(body, assembly.dimension, asymmetry, random);
    for (const End &j : ends[b]) {
      std::vector<std::array<double, 6>> moved(d); // M⁻¹ Hᵀ for unit percussions
      for (std::size_t l = 0; l < d; ++l)
        for (std::size_t k = 0; k < 36; ++k)
          moved[l][k / 6] += inverse[k] * j.rows[l][k % 6];
      for (const End &i : ends[b]) {
        std::vector<double> &block = blocks[i.contact][j.contact];
        block.resize(d * d);
        for (std::size_t k = 0; k < d; ++k)
          for (std::size_t l = 0; l < d; ++l)
            for (std::size_t m = 0; m < 6; ++m)
              block[k * d + l] += i.rows[k][m] * moved[l][m];
      }
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t m = 0; m < 3; ++m)
          problem.q[d * j.contact + k] +=
              j.rows[k][m] * body.velocity[m] + j.rows[k][3 + m] * body.spin[m];
    }
  }
  problem.blocks.row_start.assign(1, 0);
  for (const auto &row : blocks) {
    for (const auto &[column, block] : row) {
      problem.blocks.column.push_back(column);
      problem.blocks.value.insert(problem.blocks.value.end(), block.begin(), block.end());
    }
    problem.blocks.row_start.push_back(problem.blocks.column.size());
  }
  return problem;
}

/// Returns the bodies of an assembly in 3D, whose tangents are asymmetric by about `asymmetry`.
inline ContactingBodies bodies_of(const Assembly &assembly, double asymmetry) {
  ContactingBodies bodies;
  bodies.n_bodies = assembly.bodies.size();
  bodies.mass.assign(36 * bodies.n_bodies, 0.);
  for (std::size_t b = 0; b < bodies.n_bodies; ++b) {
    const Body &body = assembly.bodies[b];
    double *const mass = &bodies.mass[36 * b];
    for (std::size_t k = 0; k < 6; ++k)
      mass[7 * k] = k < 3 ? body.mass : body.inertia[k - 3];
    mass[6 * 3 + 4] = asymmetry * body.inertia[0];
    mass[6 * 4 + 3] = -mass[6 * 3 + 4];
  }
  bodies.row_start.assign(1, 0);
  for (const Touch &touch : assembly.touches) {
    for (const auto &[number, sign] :
         {std::pair(static_cast<int>(touch.above), 1.), std::pair(touch.below, -1.)})
      if (number >= 0) {
        const auto b = static_cast<std::size_t>(number);
        bodies.body.push_back(b);
        for (const auto &row : rows_of(touch, assembly.bodies[b], 3, sign))
          bodies.rows.insert(bodies.rows.end(), row.begin(), row.end());
      }
    bodies.row_start.push_back(bodies.body.size());
  }
  return bodies;
}

/// Rounds all numbers to single precision.
inline void round_to_single(FrictionContactProblem &problem) {
  for (double &w : problem.blocks.value)
    w = static_cast<double>(static_cast<float>(w));
}

inline Point any(sample::Random &random, double size) {
  return {random(-size, size), random(-size, size), random(-size, size)};
}

/// Returns grains of radius up to ½ in a box of nx × ny × nz positions, in layers, each resting in
/// the hollows of the layer below; in 2D ny = 1. Grains closer than `reach` are contacts. The step
/// starts from random velocities under gravity.
inline Assembly grains(unsigned int dimension, unsigned int nx, unsigned int ny, unsigned int nz,
                       double kick, double reach, unsigned int seed) {
  sample::Random random(seed);
  Assembly assembly;
  assembly.dimension = dimension;
  assembly.name = "grains";
  const double rise = dimension == 2 ? std::sqrt(0.75) : std::sqrt(0.5);
  std::vector<double> radius;
  for (unsigned int k = 0; k < nz; ++k)
    for (unsigned int j = 0; j < (dimension == 2 ? 1 : ny); ++j)
      for (unsigned int i = 0; i < nx; ++i) {
        const double shift = 0.5 * (k % 2);
        Body body;
        radius.push_back(0.5 - random(0., 0.01));
        const double r = radius.back();
        body.centre = {i + shift, dimension == 2 ? 0. : j + shift, 0.5 + rise * k};
        body.mass = r * r * r * 8.;
        for (double &inertia : body.inertia)
          inertia = body.mass * r * r * random(0.3, 0.5);
        body.velocity = any(random, kick);
        body.velocity[2] -= 0.1;
        body.spin = any(random, kick);
        assembly.bodies.push_back(body);
      }
  const auto touch = [&](std::size_t a, int b, const Point &n, double distance) {
    if (distance < reach)
      assembly.touches.push_back(
          {a, b, along(assembly.bodies[a].centre, -radius[a], n), n, distance});
  };
  const double walls[2] = {-0.5, nx - 0.5 + (nz > 1 ? 0.5 : 0.)};
  for (std::size_t a = 0; a < assembly.bodies.size(); ++a) {
    const Point &c = assembly.bodies[a].centre;
    touch(a, -1, {0., 0., 1.}, c[2] - radius[a]);
    for (std::size_t k = 0; k + 1 < dimension; ++k) {
      Point n{};
      n[k] = 1.;
      touch(a, -1, n, c[k] - walls[0] - radius[a]);
      n[k] = -1.;
      touch(a, -1, n, (k == 0 ? walls[1] : ny - 0.5 + 0.5) - c[k] - radius[a]);
    }
    const std::size_t two_layers = 2 * static_cast<std::size_t>(nx) * (dimension == 2 ? 1 : ny);
    for (std::size_t b = a < two_layers ? 0 : a - two_layers; b < a; ++b) {
      const Point way = along(c, -1., assembly.bodies[b].centre);
      const double distance = std::sqrt(dot(way, way));
      if (distance < 1.1)
        touch(a, static_cast<int>(b), unit(way), distance - radius[a] - radius[b]);
    }
  }
  return assembly;
}

/// Returns a tower of boxes, each standing on four corners.
inline Assembly tower(unsigned int height, double kick, unsigned int seed) {
  sample::Random random(seed);
  Assembly assembly;
  assembly.name = "tower";
  for (unsigned int k = 0; k < height; ++k) {
    Body body;
    body.centre = {random(-0.03, 0.03), random(-0.03, 0.03), k + 0.5};
    body.mass = random(0.5, 1.5);
    body.inertia = {body.mass / 6., body.mass / 6., body.mass / 6.};
    body.velocity = any(random, kick);
    body.velocity[2] -= 0.1;
    body.spin = any(random, kick);
    assembly.bodies.push_back(body);
    for (const double x : {-0.45, 0.45})
      for (const double y : {-0.45, 0.45})
        assembly.touches.push_back({k, static_cast<int>(k) - 1, {x, y, 1. * k}, {0., 0., 1.}, 0.});
  }
  return assembly;
}

/// Returns a vehicle on uneven ground, with a few contacts at each wheel.
inline Assembly wheels(unsigned int n_wheels, double kick, unsigned int seed) {
  sample::Random random(seed);
  Assembly assembly;
  assembly.name = "wheels";
  Body body;
  body.centre = {0., 0., 0.6};
  body.mass = 10.;
  body.inertia = {1.5, 3., 4.};
  body.velocity = {kick, 0.2 * kick, -0.1};
  body.spin = any(random, kick);
  assembly.bodies.push_back(body);
  for (unsigned int k = 0; k < n_wheels; ++k) {
    const Point slope = unit({random(-0.2, 0.2), random(-0.2, 0.2), 1.});
    assembly.touches.push_back({0,
                                -1,
                                {0.6 * (k / 2) - 0.6, k % 2 ? 0.5 : -0.5, random(0., 0.02)},
                                slope,
                                random(0., 0.02)});
  }
  return assembly;
}

/// Returns a body of any shape on an inclined plane.
inline Assembly single(unsigned int dimension, unsigned int seed) {
  sample::Random random(seed);
  Assembly assembly;
  assembly.name = "single";
  assembly.dimension = dimension;
  Body body;
  body.inertia = {random(0.05, 2.), random(0.05, 2.), random(0.05, 2.)};
  body.velocity = any(random, 1.);
  body.spin = any(random, 1.);
  assembly.bodies.push_back(body);
  Point n = any(random, 1.);
  if (dimension == 2)
    n[1] = 0.;
  assembly.touches.push_back({0, -1, any(random, 1.), unit(n), 0.});
  if (dimension == 2)
    assembly.touches.back().place[1] = 0.;
  return assembly;
}

struct Posed {
  std::string name;
  FrictionContactProblem problem;
};

/// Visits the collection: all kinds, with asymmetries from 1e-7 to 1e-1, rounded to single
/// precision, singular, from one contact to 10,000; only problems of at most `most` contacts are
/// visited.
inline void visit_collection(std::size_t most, const std::function<void(const Posed &)> &visit) {
  unsigned int seed = 0;
  const auto add = [&](const Assembly &assembly, double mu, double asymmetry,
                       bool rounded = false) {
    const unsigned int own_seed = seed++;
    if (assembly.touches.size() > most)
      return;
    Posed posed_problem{assembly.name + std::to_string(assembly.dimension) + "d-" +
                            std::to_string(assembly.touches.size()) + "-" +
                            std::to_string(own_seed),
                        pose(assembly, mu, asymmetry, own_seed)};
    if (rounded)
      round_to_single(posed_problem.problem);
    visit(posed_problem);
  };
  for (const double asymmetry : {0., 1e-7, 1e-5, 1e-3, 1e-2, 1e-1})
    for (const double kick : {0., 0.03, 0.3}) {
      add(grains(3, 3, 3, 3, kick, 0.012, seed), 0.3, asymmetry);
      add(grains(3, 5, 4, 5, kick, 0.02, seed), 0.6, asymmetry);
      add(tower(5, kick, seed), 0.3, asymmetry);
      add(tower(40, kick, seed), 0.7, asymmetry, kick == 0.3);
      add(wheels(4, kick, seed), 0.7, asymmetry);
      add(wheels(6, kick, seed), 0.3, asymmetry);
      add(single(3, seed), 0.5, asymmetry);
      add(grains(2, 8, 1, 8, kick, 0.012, seed), 0.5, asymmetry);
    }
  for (const double kick : {0.03, 0.3}) {
    for (const unsigned int n : {6U, 12U, 25U, 40U, 70U})
      add(grains(2, n, 1, n, kick, 0.012, seed), 0.5, 0.);
    for (const unsigned int n : {120U, 250U, 500U})
      add(tower(n, kick, seed), 0.3, kick == 0.3 ? 1e-3 : 0.);
    add(grains(3, 7, 7, 7, kick, 0.012, seed), 0.4, 1e-3, kick == 0.3);
    add(grains(3, 10, 10, 10, kick, 0.012, seed), 0.4, 0.);
    add(single(2, seed), 0.5, 0.);
  }
}

} // namespace percussion::assemblies
