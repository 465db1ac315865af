#pragma once

#include <percussion/body/elastic_body.h>
#include <percussion/body/rigid_body.h>
#include <percussion/body/system_operators.h>

#include <memory>
#include <vector>

namespace percussion {

/// Allocates the entries of mass and stiffness of all bodies, all zero: between the nodes of a cell
/// (for the mass only between equal components), and within each rigid body. With
/// MatrixStorage::nodes the elastic bodies have blocks of nodes, which are multiples of the unit
/// matrix in the mass, and a process has the blocks of its range.
template <int dim>
void allocate(const std::vector<std::unique_ptr<ElasticBody<dim>>> &elastic,
              const std::vector<RigidBody<dim>> &rigid, const Partition &partition,
              MatrixStorage storage, SparseMatrix &mass, SparseMatrix &stiffness);

} // namespace percussion
