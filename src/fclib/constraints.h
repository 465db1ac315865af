#pragma once

#include "matrices.h"

namespace percussion {

/// Multipliers λ = −X (r, 1) of the equality constraints of a reduced problem, Vᵀ r + R λ + s = 0:
/// X = R⁻¹ [Vᵀ s], column by column.
struct Multipliers {
  Entries V;
  std::vector<double> X;
};

/// Reads V, R and s of a problem with `n` rows, if it has such constraints. Throws FclibError
/// unless they fit and R is regular.
Multipliers read_multipliers(const hdf5::Group &problem, std::size_t n);

/// Adds V λ to u = W r + q.
void eliminate(const Multipliers &multipliers, Entries &W, std::vector<double> &q);

/// Returns λ of these percussions.
std::vector<double> multipliers_of(const Multipliers &multipliers, const std::vector<double> &r);

/// Appends the constraints Gᵀ v + b = 0 of a global problem to M and q, see FclibFile. Returns c, a
/// power of two. Throws FclibError unless G and b fit.
double append_constraints(const hdf5::Group &problem, const Entries &G, Entries &M,
                          std::vector<double> &q);

} // namespace percussion
