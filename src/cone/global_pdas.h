#pragma once

#include <percussion/cone/method.h>
#include <percussion/cone/problem.h>

namespace percussion {

/// The primal–dual active set method on the global problem (BBDM24 (5.38)–(5.42)): what the
/// statuses ask for is imposed in the linear system of the velocities itself,
///
///     M v − Σ H basis z = q ,     test · (Hᵀ v + b) + shift z = 0 ,
///
/// with the unknowns z and equations of local::Reduction, and the statuses are read off its
/// solution, until they repeat.
///
/// BBDM24 = Barboteu, Bonaldi, Dumont & Mahmoud 2024.
template <int d>
void global_pdas(const GlobalFrictionContactProblem &problem, const ConeOptions &options,
                 GlobalConeSolution &solution);

} // namespace percussion
