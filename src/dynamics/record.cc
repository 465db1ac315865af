#include <percussion/base/instantiate.h>
#include <percussion/dynamics/record.h>

#include <algorithm>

namespace percussion {
namespace {

/// Returns the contacts of both records. A contact in both has its later data, and the sum of
/// percussions.
template <int dim>
std::vector<ContactRecord<dim>> merged(const std::vector<ContactRecord<dim>> &earlier_contacts,
                                       const std::vector<ContactRecord<dim>> &later_contacts) {
  if (earlier_contacts.empty())
    return later_contacts;
  std::vector<ContactRecord<dim>> all;
  all.reserve(earlier_contacts.size() + later_contacts.size());
  auto b = earlier_contacts.begin();
  for (ContactRecord<dim> contact : later_contacts) {
    while (b != earlier_contacts.end() && b->key < contact.key)
      all.push_back(*b++);
    if (b != earlier_contacts.end() && b->key == contact.key) {
      for (unsigned int r = 0; r < dim; ++r)
        contact.percussion[r] += b->percussion[r];
      for (std::size_t r = 0; r < contact.moment.size(); ++r)
        contact.moment[r] += b->moment[r];
      ++b;
    }
    all.push_back(contact);
  }
  all.insert(all.end(), b, earlier_contacts.end());
  return all;
}

} // namespace

template <int dim>
void add_up(std::vector<NodePercussion<dim>> &nodes) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto &a, const auto &b) { return a.entry < b.entry; });
  std::size_t n = 0;
  for (const NodePercussion<dim> &node : nodes)
    if (n > 0 && nodes[n - 1].entry == node.entry) {
      nodes[n - 1].percussion += node.percussion;
      nodes[n - 1].normal += node.normal;
      nodes[n - 1].status = std::max(nodes[n - 1].status, node.status);
    } else
      nodes[n++] = node;
  nodes.resize(n);
}

template <int dim>
void append(const StepRecord<dim> &substep, StepRecord<dim> &all) {
  all.works += substep.works;
  all.balance_residual += substep.balance_residual;
  all.contacts = merged(all.contacts, substep.contacts);
  all.node_percussions.insert(all.node_percussions.end(), substep.node_percussions.begin(),
                              substep.node_percussions.end());
  add_up(all.node_percussions);
  all.holding.resize(substep.holding.size(), 0.);
  for (std::size_t i = 0; i < substep.holding.size(); ++i)
    all.holding[i] += substep.holding[i];
  all.link_impulses.resize(substep.link_impulses.size(), {});
  for (std::size_t l = 0; l < substep.link_impulses.size(); ++l)
    for (std::size_t k = 0; k < all.link_impulses[l].size(); ++k)
      all.link_impulses[l][k] += substep.link_impulses[l][k];
  all.bound_impulses.resize(substep.bound_impulses.size(), {});
  for (std::size_t k = 0; k < substep.bound_impulses.size(); ++k) {
    all.bound_impulses[k].limit += substep.bound_impulses[k].limit;
    all.bound_impulses[k].friction += substep.bound_impulses[k].friction;
  }
  all.n_sliding = static_cast<unsigned int>(
      std::count_if(all.contacts.begin(), all.contacts.end(),
                    [](const auto &c) { return c.status == ContactStatus::slip; }));
  all.normal_work_max = std::max(all.normal_work_max, substep.normal_work_max);
  all.normal_work_min = std::min(all.normal_work_min, substep.normal_work_min);
  all.tangential_work_max = std::max(all.tangential_work_max, substep.tangential_work_max);
  all.tangential_work_min = std::min(all.tangential_work_min, substep.tangential_work_min);
  all.rolling_work_max = std::max(all.rolling_work_max, substep.rolling_work_max);
  all.penetration_max = substep.penetration_max;
  all.defects.add(substep.defects);
  all.reversal.keep_larger(substep.reversal);
  add_accounts(substep.accounts, all.accounts);
  all.solver_iterations += substep.solver_iterations;
  all.solver_residual = std::max(all.solver_residual, substep.solver_residual);
  all.momentum_residual = std::max(all.momentum_residual, substep.momentum_residual);
  all.changes.insert(all.changes.end(), substep.changes.begin(), substep.changes.end());
  all.is_uncorrected = all.is_uncorrected || substep.is_uncorrected;
  all.n_substeps += 1;
}

PERCUSSION_INSTANTIATE(add_up);
PERCUSSION_INSTANTIATE(append);

} // namespace percussion
