#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// Primal–dual active set method on the global problem (BBDM24 (5.38)–(5.42)): the linear system of
/// the velocities imposes the conditions of the statuses,
///
///     M v − Σ H basis z = q ,     test · (Hᵀ v + b) + shift z = 0 ,
///
/// with the unknowns z and equations of local::Reduction; the statuses follow from its solution,
/// until they repeat.
///
/// BBDM24 = Barboteu, Bonaldi, Dumont & Mahmoud 2024.
template <int d>
void global_pdas(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                 GlobalConeSolution &solution);

} // namespace percussion
