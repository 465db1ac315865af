#include <percussion/contact/contact_list.h>

namespace percussion {

template <int dim>
void ContactSupport<dim>::add(const RigidPoses<dim> &bodies, unsigned int body,
                              const dealii::Point<dim> &x, double sign) {
  const RigidPose<dim> &pose = bodies.poses[body];
  unsigned int entry = bodies.first_entry + RigidBody<dim>::n_dofs * body;
  for (unsigned int d = 0; d < dim; ++d) {
    own[n_own] = {entry++, {}};
    own[n_own++].weight[d] = sign;
  }
  for (const auto &weight : pose.turning(x - pose.centre))
    own[n_own++] = {entry++, sign * weight};
}

template <int dim>
ContactSupport<dim> ContactList<dim>::support_of(const Contact<dim> &contact) const {
  if (contact.support_end > contact.support_begin)
    return {support.data() + contact.support_begin, support.data() + contact.support_end};
  ContactSupport<dim> body_support;
  body_support.add(*bodies, *contact.body, contact.x, 1.);
  if (contact.opposite_body)
    body_support.add(*bodies, *contact.opposite_body, contact.x - contact.distance * contact.normal,
                     -1.);
  return body_support;
}

template <int dim>
void ContactList<dim>::add(Contact<dim> contact, const Support<dim> *first,
                           const Support<dim> *last) {
  contact.support_begin = static_cast<unsigned int>(support.size());
  support.insert(support.end(), first, last);
  contact.support_end = static_cast<unsigned int>(support.size());
  contacts.push_back(contact);
}

template class ContactSupport<2>;
template class ContactSupport<3>;
template struct ContactList<2>;
template struct ContactList<3>;

} // namespace percussion
