#include <percussion/contact/contacts.h>
#include <percussion/io/error.h>

namespace percussion {

template <int dim>
Contacts<dim>::Contacts(const ElasticBody<dim> &body, std::vector<ContactPair<dim>> p)
    : pairs(std::move(p)) {
  for (unsigned int i = 0; i < pairs.size(); ++i)
    add_candidates(body, i);
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
    unsigned int n_prescribed = 0;
    for (const unsigned int dof : dofs)
      n_prescribed += body.motion.is_prescribed(dof);
    // A percussion cannot change a prescribed motion. A node that keeps one direction only keeps
    // the normal contact, as long as the normal is not prescribed itself (the solver would see a
    // vanishing Delassus block).
    if (n_prescribed == dim) {
      ++left_out;
      continue;
    }
    if (n_prescribed > 0) {
      const auto normal = gap(pair.surface, body.space.nodes[node], 0.).normal;
      double free_part = 0;
      for (unsigned int d = 0; d < dim; ++d)
        if (!body.motion.is_prescribed(dofs[d]))
          free_part += normal[d] * normal[d];
      if (free_part < 1e-12) {
        ++left_out;
        continue;
      }
      ++without_friction;
    }
    points.push_back({node, pair_index, dofs, body.space.nodes[node], entries(area)[dofs[0]],
                      pair.gap_tolerance * body.space.local_size[node],
                      n_prescribed > 0 ? 0. : pair.friction});
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
  for (unsigned int i = 0; i < size(); ++i) {
    dealii::Point<dim> x = points[i].position;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += entries(q)[points[i].dofs[d]];
    const Gap<dim> g = gap(pairs[points[i].pair].surface, x, t);
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
