#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/algebra/contact_system.h>
#include <percussion/cone/problem.h>
#include <percussion/dynamics/compliance.h>

namespace percussion {

/// Delassus operator W = θ G Â⁻¹ Hᵀ + C of the posed contacts, with the percussion factor θ of the
/// rule of integration, dense or by blocks of contacts that share a degree of freedom or an elastic
/// body. It is rebuilt only if Â, H or the contacts have changed; a change of μ alone keeps it. A
/// linear body at rest on flat ground needs no rebuild.
class Delassus {
public:
  /// Writes W and μ of the contacts to `problem`, in a unit of mass that makes the mean diagonal
  /// entry of W one, and increases its version if they have changed. The system must use
  /// the degrees of freedom of H. An empty G stands for H.
  void write(const ContactRows &H, const std::vector<double> &mu, unsigned int dim,
             double percussion_factor, ContactSystem &system, FrictionContactProblem &problem,
             const Compliance &compliance = {}, const ContactRows &G = {});

  /// Returns the unit of mass of W: the unit of percussion over the unit of velocity [mass].
  double mass_unit() const { return unit_of_mass; }
  /// True if W belongs to the current factors of the system.
  bool is_of(const ContactSystem &system) const { return version == system.version(); }
  /// True if G differs from H: such a W is not rebuilt from the memory of a reaction.
  bool is_unsymmetric() const { return made_of_G.n_rows() > 0; }

  /// Returns the rows of which W was made; likewise friction and compliance.
  const ContactRows &rows() const { return made_of; }
  const std::vector<double> &friction() const { return made_of_mu; }
  const Compliance &compliance() const { return made_of_c; }

private:
  ContactRows made_of, made_of_G;
  std::vector<double> made_of_mu;
  Compliance made_of_c;
  unsigned long version = 0; ///< version of the system of which W was made
  double unit_of_mass = 1;   ///< mass_unit() [mass]
};

/// Returns θ H Â⁻¹ Hᵀ, row by row.
std::vector<double> dense_delassus(const ContactRows &H, unsigned int dim, double percussion_factor,
                                   ContactSystem &system);

} // namespace percussion
