#pragma once

#include <percussion/algebra/types.h>
#include <percussion/body/elastic_body.h>

#include <optional>

namespace percussion {

/// Returns a point where boundary faces of the displaced body cross; no value if none do. Faces
/// with a common node are not compared.
template <int dim>
std::optional<dealii::Point<dim>> self_crossing(const ElasticBody<dim> &body, const Vector &q);

} // namespace percussion
