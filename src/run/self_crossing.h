#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>

#include <optional>

namespace percussion {

/// Returns a point where faces of the boundary of the displaced body cross each other; nothing
/// where none do. Faces with a node in common are not compared.
template <int dim>
std::optional<dealii::Point<dim>> self_crossing(const ElasticBody<dim> &body, const Vector &q);

} // namespace percussion
