#pragma once

#include <percussion/material/yeoh.h>

namespace percussion {

/// Arruda and Boyce's law of eight chains (E. M. Arruda, M. C. Boyce 1993), by the first five terms
/// of the inverse Langevin function,
///
///     W_iso = µ Σ a_k λ_L^(2 − 2 k) (Ī₁ᵏ − 3ᵏ) ,   a = 1/2, 1/20, 11/1050, 19/7000, 519/673750 ,
///
/// with the chains' locking stretch λ_L. A polynomial of Ī₁ − 3.
using ArrudaBoyce = IsochoricLaw<FirstInvariantPart<5>>;

/// Returns the law for its shear modulus at small strain [stress], which is 2 W_iso'(Ī₁ = 3) and
/// exceeds µ, its locking stretch > 1, and its bulk modulus [stress].
ArrudaBoyce eight_chains(double shear, double locking_stretch, double bulk);

} // namespace percussion
