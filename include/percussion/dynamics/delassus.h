#pragma once

#include <percussion/algebra/contact_system.h>
#include <percussion/cone/problem.h>
#include <percussion/dynamics/posed_law.h>

namespace percussion {

/// The Delassus operator W = θ G Â⁻¹ Hᵀ + C of the posed contacts, dense or by blocks of
/// contacts that share a degree of freedom or an elastic body. It is made anew only where Â, H or
/// the contacts have changed: with a linear body on flat ground, where these stay as they are,
/// never.
class Delassus {
public:
  /// Give `problem` the W and μ of these contacts, in a unit of percussion that makes the mean
  /// diagonal entry of W one, and a new version if they are not those that it has. The system must
  /// have the degrees of freedom of H in use. `compliance` is C or its diagonal, empty where there
  /// is none; G is H where it is empty.
  void write(const ContactRows &H, const std::vector<double> &mu, unsigned int dim, double theta,
             ContactSystem &system, FrictionContactProblem &problem,
             const std::vector<double> &compliance = {}, const ContactRows &G = {});

  /// The unit of percussion [impulse / velocity].
  double unit() const { return percussion_unit; }
  /// Whether W is that of the system's present factors.
  bool is_of(const ContactSystem &system) const { return version == system.version(); }
  /// Whether G is not H: such a W is not made again of what a reaction remembers.
  bool is_unsymmetric() const { return made_of_G.n_rows() > 0; }

  /// Rows and friction that W was made of.
  const ContactRows &rows() const { return made_of; }
  const std::vector<double> &friction() const { return made_of_mu; }
  const std::vector<double> &compliance() const { return made_of_c; }

private:
  ContactRows made_of, made_of_G;
  std::vector<double> made_of_mu, made_of_c;
  unsigned long version = 0; ///< of the system that W was made of
  double percussion_unit = 1;
};

} // namespace percussion
