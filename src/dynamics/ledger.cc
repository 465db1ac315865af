#include <percussion/base/instantiate.h>
#include <percussion/dynamics/ledger.h>

#include "../contact/secant_row.h"
#include <algorithm>
#include <cmath>

namespace percussion {

namespace {

/// Replaces components by the rows of the law by components in the local frame.
template <int dim>
void make_local(const std::array<dealii::Tensor<1, dim>, dim> &directions,
                ContactRecord<dim> &contact) {
  dealii::Tensor<1, dim> velocity, percussion;
  for (unsigned int r = 0; r < dim; ++r) {
    velocity += contact.velocity[r] / directions[r].norm_square() * directions[r];
    percussion += contact.percussion[r] * directions[r];
  }
  const auto frame = local_frame<dim>(contact.normal);
  for (unsigned int r = 0; r < dim; ++r) {
    contact.velocity[r] = frame[r] * velocity;
    contact.percussion[r] = frame[r] * percussion;
  }
}

} // namespace

template <int dim>
void account_contacts(const PosedLaw<dim> &law, const Reaction &reaction, const TraceField &v_theta,
                      unsigned int n_elastic, const std::vector<std::optional<double>> &gap_rates,
                      StepRecord<dim> &record) {
  const auto &contacts = law.active.contacts;
  record.contacts.reserve(contacts.size());
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    ContactRecord<dim> contact;
    contact.site() = contacts[i].site();
    contact.status = reaction.status[i];
    contact.friction = law.friction(i, law.percussion(reaction.p, i, 1));
    double normal_work = 0, tangential_work = 0;
    for (unsigned int r = 0; r < dim; ++r) {
      const unsigned int row = dim * i + r;
      const double u =
          (law.friction_shift.empty() ? law.H : law.G).row_times(row, v_theta) - law.surface[row];
      const double p = law.percussion(reaction.p, i, r);
      contact.velocity[r] = u;
      contact.percussion[r] = p;
      (r == 0 ? normal_work : tangential_work) += u * p;
      record.works.prescribed += p * law.surface[row];
    }
    if (i < gap_rates.size() && gap_rates[i]) {
      contact.curvature_work = normal_work - law.percussion(reaction.p, i, 0) * *gap_rates[i];
      normal_work -= contact.curvature_work;
      record.works.numerical += contact.curvature_work;
    }
    record.works.contact_normal += normal_work;
    record.works.contact_tangential += tangential_work;
    record.normal_work_max = std::max(record.normal_work_max, normal_work);
    record.normal_work_min = std::min(record.normal_work_min, normal_work);
    record.tangential_work_max = std::max(record.tangential_work_max, tangential_work);
    record.tangential_work_min = std::min(record.tangential_work_min, tangential_work);
    record.n_sliding += contact.status == ContactStatus::slip;
    if (!law.directions.empty())
      make_local<dim>(law.directions[i], contact);
    const double resultant = row_resultant(
        contacts[i], law.active.support.data() + contacts[i].support_begin, n_elastic);
    contact.percussion[0] *= resultant;
    contact.velocity[0] /= resultant;
    record.contacts.push_back(contact);
  }
}

namespace {

constexpr double complete_weight = 1. - 1e-9; ///< sum of the weights of the own side

/// True if an entry is one of the facet on which a point is.
template <int dim>
bool is_of_shape(const ContactPoint<dim> &point, unsigned int entry,
                 const Boundary<dim> &boundary) {
  const auto [begin, end] = point.shape();
  return std::any_of(boundary.supports.begin() + begin, boundary.supports.begin() + end,
                     [&](const auto &support) { return support.entry == entry; });
}

} // namespace

template <int dim>
std::vector<NodePercussion<dim>> node_percussions(const PosedLaw<dim> &law,
                                                  const Reaction &reaction,
                                                  const Boundary<dim> &boundary) {
  std::vector<NodePercussion<dim>> all;
  for (unsigned int i = 0; i < law.active.contacts.size(); ++i) {
    const Contact<dim> &contact = law.active.contacts[i];
    const ContactPoint<dim> &point = boundary.points[contact.point];
    const bool is_on_faces = boundary.pairs[contact.key.pair].is_on_faces();
    const SupportRange shape = point.shape();
    const unsigned int n_shape = shape.end - shape.begin;
    if ((!is_on_faces && n_shape == 0) || reaction.p[dim * i] == 0.)
      continue;
    const unsigned int end =
        is_on_faces ? contact.support_end - contact.n_traction : contact.support_begin + n_shape;
    dealii::Tensor<1, dim> p;
    const auto directions = law.directions_of(i);
    for (unsigned int r = 0; r < dim; ++r)
      p += law.percussion(reaction.p, i, r) * directions[r];
    // The entries of a node are consecutive; the own side comes first.
    const bool is_mortar = is_on_faces && n_shape == 0;
    const double recorded =
        reaction.p[dim * i] * row_resultant(contact,
                                            law.active.support.data() + contact.support_begin,
                                            boundary.trace.n_elastic());
    double own_weight = 0;
    for (unsigned int k = contact.support_begin; k + dim <= end; k += dim) {
      const Support<dim> &first = law.active.support[k];
      if (first.entry >= boundary.trace.n_elastic())
        break;
      const bool is_own = is_mortar ? own_weight < complete_weight
                                    : !is_on_faces || is_of_shape(point, first.entry, boundary);
      own_weight += is_own ? tangential_weight(contact, &first) : 0.;
      NodePercussion<dim> node;
      node.entry = first.entry;
      double normal = 0;
      for (unsigned int d = 0; d < dim; ++d) {
        const dealii::Tensor<1, dim> &weight = law.active.support[k + d].weight;
        node.percussion[d] = weight * p;
        normal += contact.normal[d] * (weight * contact.normal);
      }
      node.normal = (is_own ? 1. : -1.) * normal * reaction.p[dim * i];
      if (is_mortar && first.entry == point.entry) { // its record has the percussion of the contact
        node.percussion -= p + (recorded - reaction.p[dim * i]) * contact.normal;
        node.normal -= recorded;
      }
      node.status = reaction.status[i];
      all.push_back(node);
    }
  }
  add_up(all);
  return all;
}

template <int dim>
double deepest(const ContactList<dim> &found) {
  double depth = 0;
  for (const auto &contact : found.contacts)
    depth = std::max(depth, -contact.gap);
  return depth;
}

PERCUSSION_INSTANTIATE(account_contacts);
PERCUSSION_INSTANTIATE(node_percussions);
PERCUSSION_INSTANTIATE(deepest);

} // namespace percussion
