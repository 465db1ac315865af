#pragma once

#include "support/block.h"
#include <algorithm>

/// Blocks for tests of adaptive steps.
namespace percussion::test {

/// Returns the number of changes with this beginning.
inline unsigned int n_told(const StepRecord<2> &record, const std::string &beginning) {
  return static_cast<unsigned int>(
      std::count_if(record.changes.begin(), record.changes.end(),
                    [&](const std::string &change) { return change.find(beginning) == 0; }));
}

/// Returns a body without contact at θ = 0.7. A step of length h dissipates about 4.6 h² of the
/// energy at first (of this order by the ledger of the θ-method), and less later.
inline Block vibrating() {
  Block block(test::rectangle(CellShape::hypercube, 2, 1, 3, 2),
              {1., 1., LinearElastic<2>::from_young(1., 0.3, Plane::strain), {}});
  block.set(block.state.q, [](const auto &x) -> std::array<double, 2> {
    return {{0.05 * x[0] * x[1], -0.02 * x[0] * x[0]}};
  });
  block.choices.h = 1. / 16;
  block.choices.theta = 0.7;
  return block;
}

/// Returns the vibrating body with an intermittent traction: its energy and its error vary.
inline Block pulled() {
  Block block = vibrating();
  block.add_traction("right", 1, "0.05*sin(t)^3");
  return block;
}

/// Returns a linear block that falls on a surface and slides.
inline Block falling(const std::string &scheme_name, double theta, Surface<2> surface) {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2),
              {1., 1., LinearElastic<2>::from_young(100., 0.3, Plane::strain), {}},
              dealii::Tensor<1, 2>({3., -9.81}));
  const Scheme &row = scheme(scheme_name);
  block.use(row);
  block.add_contact("bottom", std::move(surface), row.law, {}, 0.4);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{1., -1. - 0.2 * x[0]}};
  });
  block.choices.h = 1. / 128;
  block.choices.theta = theta;
  return block;
}

/// Three surfaces close to the block.
inline constexpr std::array<const char *, 3> surfaces = {{"ground", "moving ground", "hill"}};

inline Surface<2> surface(const std::string &name) {
  Surface<2> result = Block::ground(-0.01);
  if (name == "hill")
    result.shape = Ball<2>{dealii::Point<2>(1., -3.01), 3., false};
  if (name == "moving ground") {
    result.motion.emplace_back("0.05*sin(4*t)");
    result.motion.emplace_back("0.1*(1-cos(3*t))");
  }
  return result;
}

/// Returns a soft block whose impact is too strong for whole steps with few Newton iterations.
inline Block hard_impact() {
  Block block(test::rectangle(CellShape::simplex, 2, 1, 8, 4, 0.2), hyperelastic(ogden),
              dealii::Tensor<1, 2>({0.3, -0.5}));
  const Scheme &pdas = scheme("pdas-leapfrog");
  block.use(pdas);
  block.add_contact("bottom", Block::ground(-0.0371), pdas.law, {}, 0.3);
  block.set(block.state.v, [](const auto &x) -> std::array<double, 2> {
    return {{0.4 - 0.2 * x[1], -1.5 + 0.2 * x[0]}};
  });
  block.choices.h = 0.05;
  block.choices.max_newton_iterations = 12;
  return block;
}

} // namespace percussion::test
