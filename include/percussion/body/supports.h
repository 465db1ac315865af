#pragma once

#include <percussion/body/static_equilibrium.h>
#include <percussion/body/trace.h>

#include <string>
#include <utility>
#include <vector>

namespace percussion {

/// The held degrees of freedom of elastic bodies: those with a prescribed motion, and those that a
/// preload or contacts hold.
template <int dim>
class Supports {
public:
  explicit Supports(const System<dim> &bodies, const Preload &preload = {});

  /// Holds all entries of a trace.
  void add(const Trace<dim> &trace);

  /// Returns a translation or rotation, in words, that the supports leave free to a connected
  /// component of a body; empty if there is none. An axisymmetric body can only move along its axis
  /// without strain.
  std::string free_motion(const ElasticBody<dim> &body) const;
  /// Returns the number of connected components of a body, and of those without a held degree of
  /// freedom.
  std::pair<std::size_t, std::size_t> components(const ElasticBody<dim> &body) const;

private:
  std::vector<bool> held;
};

} // namespace percussion
