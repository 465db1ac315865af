#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>
#include <percussion/body/rigid_body.h>

#include <memory>
#include <vector>

namespace percussion {

/// Give mass and stiffness of all bodies the entries, all zero, that they may have: between the
/// nodes of a cell, of the mass only between equal components, and within each rigid body.
template <int dim>
void allocate(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
              const std::vector<RigidBody<dim>> &rigid, SparseMatrix &mass,
              SparseMatrix &stiffness);

} // namespace percussion
