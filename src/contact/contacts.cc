#include <percussion/contact/contacts.h>
#include <percussion/io/error.h>

#include <algorithm>
#include <limits>

namespace percussion {

template <int dim>
Contacts<dim>::Contacts(const ElasticBody<dim> &body, std::vector<ContactPair<dim>> p)
    : pairs(std::move(p)) {
  for (unsigned int i = 0; i < pairs.size(); ++i)
    add_candidates(body, i);
}

namespace {

/// A share of the local mesh size, and what round-off of the coordinates makes of a closed gap; the
/// bare test where the share is zero.
template <int dim>
double closing_tolerance(double share, const Space<dim> &space, unsigned int node) {
  const double round_off = 8. * std::numeric_limits<double>::epsilon() * space.nodes[node].norm();
  return share > 0. ? share * space.local_size[node] + round_off : 0.;
}

} // namespace

template <int dim>
bool Contacts<dim>::can_yield(unsigned int i, const dealii::Tensor<1, dim> &normal) const {
  double free_part = 0;
  for (unsigned int d = 0; d < dim; ++d)
    if (points[i].free[d])
      free_part += normal[d] * normal[d];
  return free_part > 1e-12;
}

template <int dim>
void Contacts<dim>::add_candidates(const ElasticBody<dim> &body, unsigned int pair_index) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const Region &region = body.space.mesh.region(pair.region);
  if (region.faces.empty())
    throw InputError("contact '" + pair.name + "': region '" + pair.region +
                     "' has no faces on the boundary of the body");
  const Vector area = unit_traction(body.space, region, 0, body.material.thickness);
  unsigned int left_out = 0, without_friction = 0;
  for (const unsigned int node : region.vertices) {
    const auto &dofs = body.space.node_dofs[node];
    std::array<bool, dim> free;
    for (unsigned int d = 0; d < dim; ++d)
      free[d] = !body.motion.is_prescribed(dofs[d]);
    const auto n_free = std::count(free.begin(), free.end(), true);
    // A percussion cannot change a prescribed motion. A node that keeps a direction of its own
    // keeps the normal contact.
    left_out += n_free == 0;
    without_friction += n_free > 0 && n_free < dim;
    if (n_free > 0)
      points.push_back({node, pair_index, dofs, body.space.nodes[node], entries(area)[dofs[0]],
                        closing_tolerance(pair.gap_tolerance, body.space, node),
                        n_free < dim ? 0. : pair.friction, free});
  }
  if (left_out > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(left_out) +
                      " nodes take no part because their motion is prescribed");
  if (without_friction > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(without_friction) +
                      " nodes have no friction because their motion is prescribed in part");
}

template <int dim>
bool Contacts<dim>::constant_frames() const {
  for (const auto &pair : pairs)
    if (!pair.surface.is_flat())
      return false;
  return true;
}

template <int dim>
void Contacts<dim>::evaluate(const Vector &q, double t, GapState<dim> &gaps) const {
  gaps.distance.resize(size());
  gaps.normal.resize(size());
  std::vector<dealii::Tensor<1, dim>> moved; // a formula costs more than a gap
  for (const auto &pair : pairs)
    moved.push_back(displacement(pair.surface, t));
  for (unsigned int i = 0; i < size(); ++i) {
    dealii::Point<dim> x = points[i].position;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += entries(q)[points[i].dofs[d]];
    const Gap<dim> g = gap(pairs[points[i].pair].surface, x - moved[points[i].pair]);
    gaps.distance[i] = g.distance;
    gaps.normal[i] = g.normal;
  }
}

template <int dim>
double Contacts<dim>::predicted_gap(unsigned int i, const Vector &q, const Vector &v, double h,
                                    double t) const {
  dealii::Point<dim> x = points[i].position;
  for (unsigned int d = 0; d < dim; ++d)
    x[d] += entries(q)[points[i].dofs[d]] + h * entries(v)[points[i].dofs[d]];
  return gap(pairs[points[i].pair].surface, x, t).distance;
}

template <int dim>
void Contacts<dim>::jacobian(const GapState<dim> &gaps, ContactJacobian &H) const {
  H.rows_per_contact = dim;
  H.start.assign(1, 0);
  H.column.clear();
  H.value.clear();
  for (unsigned int i = 0; i < size(); ++i)
    for (const auto &direction : local_frame<dim>(gaps.normal[i])) {
      for (unsigned int d = 0; d < dim; ++d) {
        H.column.push_back(points[i].dofs[d]);
        H.value.push_back(direction[d]);
      }
      H.start.push_back(static_cast<unsigned int>(H.column.size()));
    }
}

template struct ContactPoint<2>;
template class Contacts<2>;

} // namespace percussion
