#pragma once

#include <percussion/cone/problem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

/// Contact problems of stacks of rigid blocks in 3D: one time step from random velocities under
/// gravity. Blocks stand on blocks with a contact at each corner of each common face, so that there
/// are far more contacts than degrees of freedom.
namespace percussion::stacks {

using Vector3 = std::array<double, 3>;

struct Block {
  Vector3 centre, size;
  double mass;
};

/// Corner of a common face; `below` is −1 on the ground.
struct Corner {
  int above, below;
  Vector3 place;
};

/// Returns a wall: blocks overlap the blocks of the course below by half their length.
inline std::vector<Block> wall(unsigned int length, unsigned int height) {
  std::vector<Block> blocks;
  for (unsigned int course = 0; course < height; ++course)
    for (unsigned int k = 0; k < length; ++k)
      blocks.push_back(
          {{2. * k + (course % 2), 0., 0.5 + course}, {2., 1., 1.}, 2. - 0.1 * (k % 3)});
  return blocks;
}

/// Returns a pyramid of square courses, each smaller by one block.
inline std::vector<Block> pyramid(unsigned int base) {
  std::vector<Block> blocks;
  for (unsigned int course = 0; course < base; ++course)
    for (unsigned int i = 0; i + course < base; ++i)
      for (unsigned int j = 0; j + course < base; ++j)
        blocks.push_back({{i + 0.5 * course, j + 0.5 * course, 0.5 + course}, {1., 1., 1.}, 1.});
  return blocks;
}

/// Returns a tower of blocks with masses in geometric progression towards the top.
inline std::vector<Block> tower(unsigned int height, double ratio) {
  std::vector<Block> blocks;
  double mass = 1.;
  for (unsigned int course = 0; course < height; ++course, mass *= ratio)
    blocks.push_back({{0.1 * (course % 2), 0.1 * (course % 3), 0.5 + course}, {1., 1., 1.}, mass});
  return blocks;
}

inline void append_face(int above, int below, const Vector3 &low, const Vector3 &high,
                        std::vector<Corner> &corners) {
  if (high[0] - low[0] < 1e-9 || high[1] - low[1] < 1e-9)
    return;
  for (const double x : {low[0], high[0]})
    for (const double y : {low[1], high[1]})
      corners.push_back({above, below, {x, y, low[2]}});
}

inline std::vector<Corner> contacts(const std::vector<Block> &blocks) {
  std::vector<Corner> corners;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    const Block &above = blocks[a];
    Vector3 low, high;
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = above.centre[k] - 0.5 * above.size[k];
      high[k] = above.centre[k] + 0.5 * above.size[k];
    }
    low[2] = above.centre[2] - 0.5 * above.size[2];
    if (low[2] < 1e-9)
      append_face(static_cast<int>(a), -1, low, high, corners);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Block &below = blocks[b];
      if (std::abs(below.centre[2] + 0.5 * below.size[2] - low[2]) > 1e-9)
        continue;
      Vector3 shared_low = low, shared_high = high;
      for (std::size_t k = 0; k < 2; ++k) {
        shared_low[k] = std::max(low[k], below.centre[k] - 0.5 * below.size[k]);
        shared_high[k] = std::min(high[k], below.centre[k] + 0.5 * below.size[k]);
      }
      append_face(static_cast<int>(a), static_cast<int>(b), shared_low, shared_high, corners);
    }
  }
  return corners;
}

/// Returns the velocity of a point of a block along e, e · (v + ω × r), as six entries of a row.
inline std::array<double, 6> row_of(const Block &block, const Vector3 &place, const Vector3 &e) {
  Vector3 r;
  for (std::size_t k = 0; k < 3; ++k)
    r[k] = place[k] - block.centre[k];
  return {e[0],
          e[1],
          e[2],
          r[1] * e[2] - r[2] * e[1],
          r[2] * e[0] - r[0] * e[2],
          r[0] * e[1] - r[1] * e[0]};
}

/// Returns H by compressed rows, computed from its columns.
inline CompressedRows jacobian(const std::vector<Block> &blocks,
                               const std::vector<Corner> &corners) {
  const std::array<Vector3, 3> frame = {{{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}}};
  std::vector<std::vector<std::pair<std::size_t, double>>> rows(6 * blocks.size());
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (const auto &[body, sign] :
           {std::pair(corners[i].above, 1.), std::pair(corners[i].below, -1.)}) {
        if (body < 0)
          continue;
        const auto b = static_cast<std::size_t>(body);
        const auto row = row_of(blocks[b], corners[i].place, frame[k]);
        for (std::size_t dof = 0; dof < 6; ++dof)
          if (row[dof] != 0.)
            rows[6 * b + dof].emplace_back(3 * i + k, sign * row[dof]);
      }
  CompressedRows H;
  H.n_rows = rows.size();
  H.n_columns = 3 * corners.size();
  H.row_start.assign(1, 0);
  for (const auto &row : rows) {
    for (const auto &[column, value] : row) {
      H.column.push_back(column);
      H.value.push_back(value);
    }
    H.row_start.push_back(H.column.size());
  }
  return H;
}

/// Returns the global problem of a step of 1 ms, in kg, m, s, with velocities up to `kick` in each
/// direction.
inline GlobalFrictionContactProblem pose(const std::vector<Block> &blocks, double mu, double kick,
                                         unsigned int seed) {
  constexpr double h = 1e-3, gravity = 9.81;
  std::mt19937 random(seed);
  const auto any = [&random] { return 2. * (random() / 4294967296.) - 1.; };
  const auto corners = contacts(blocks);
  GlobalFrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = corners.size();
  problem.mu.assign(corners.size(), mu);
  problem.b.assign(3 * corners.size(), 0.);
  problem.H = jacobian(blocks, corners);
  problem.M.n_rows = problem.M.n_columns = 6 * blocks.size();
  for (std::size_t dof = 0; dof < 6 * blocks.size(); ++dof) {
    const Block &block = blocks[dof / 6];
    const std::size_t k = dof % 3;
    const double width = block.size[(k + 1) % 3], depth = block.size[(k + 2) % 3];
    const double inertia =
        dof % 6 < 3 ? block.mass : block.mass * (width * width + depth * depth) / 12.;
    problem.M.row_start.push_back(dof);
    problem.M.column.push_back(dof);
    problem.M.value.push_back(inertia);
    problem.q.push_back(inertia * kick * any() - (dof % 6 == 2 ? block.mass * gravity * h : 0.));
  }
  problem.M.row_start.push_back(6 * blocks.size());
  return problem;
}

} // namespace percussion::stacks
