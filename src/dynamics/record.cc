#include <percussion/dynamics/record.h>

#include <algorithm>

namespace percussion {
namespace {

/// Returns the contacts of both records. A contact in both has its later data, and the sum of
/// percussions.
template <int dim>
std::vector<ContactRecord<dim>> merged(const std::vector<ContactRecord<dim>> &before,
                                       const std::vector<ContactRecord<dim>> &after) {
  if (before.empty())
    return after;
  std::vector<ContactRecord<dim>> all;
  all.reserve(before.size() + after.size());
  auto b = before.begin();
  for (ContactRecord<dim> contact : after) {
    while (b != before.end() && b->key < contact.key)
      all.push_back(*b++);
    if (b != before.end() && b->key == contact.key) {
      for (unsigned int r = 0; r < dim; ++r)
        contact.percussion[r] += b->percussion[r];
      ++b;
    }
    all.push_back(contact);
  }
  all.insert(all.end(), b, before.end());
  return all;
}

} // namespace

template <int dim>
void add_up(std::vector<TouchedNode<dim>> &nodes) {
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto &a, const auto &b) { return a.dofs < b.dofs; });
  std::size_t n = 0;
  for (const TouchedNode<dim> &node : nodes)
    if (n > 0 && nodes[n - 1].dofs == node.dofs) {
      nodes[n - 1].percussion += node.percussion;
      nodes[n - 1].normal += node.normal;
      nodes[n - 1].status = std::max(nodes[n - 1].status, node.status);
    } else
      nodes[n++] = node;
  nodes.resize(n);
}

template <int dim>
void append(const StepRecord<dim> &part, StepRecord<dim> &all) {
  all.works += part.works;
  all.balance_residual += part.balance_residual;
  all.contacts = merged(all.contacts, part.contacts);
  all.touched.insert(all.touched.end(), part.touched.begin(), part.touched.end());
  add_up(all.touched);
  all.holding.resize(part.holding.size(), 0.);
  for (std::size_t i = 0; i < part.holding.size(); ++i)
    all.holding[i] += part.holding[i];
  all.n_sliding = static_cast<unsigned int>(
      std::count_if(all.contacts.begin(), all.contacts.end(),
                    [](const auto &c) { return c.status == ContactStatus::slip; }));
  all.normal_work_max = std::max(all.normal_work_max, part.normal_work_max);
  all.normal_work_min = std::min(all.normal_work_min, part.normal_work_min);
  all.tangential_work_max = std::max(all.tangential_work_max, part.tangential_work_max);
  all.tangential_work_min = std::min(all.tangential_work_min, part.tangential_work_min);
  all.penetration_max = part.penetration_max;
  all.defects.add(part.defects);
  all.reversal.keep_larger(part.reversal);
  add_accounts(part.accounts, all.accounts);
  all.solver_iterations += part.solver_iterations;
  all.solver_residual = std::max(all.solver_residual, part.solver_residual);
  all.momentum_residual = std::max(all.momentum_residual, part.momentum_residual);
  all.changes.insert(all.changes.end(), part.changes.begin(), part.changes.end());
  all.is_uncorrected = all.is_uncorrected || part.is_uncorrected;
  all.n_parts += 1;
}

template void add_up(std::vector<TouchedNode<2>> &);
template void append(const StepRecord<2> &, StepRecord<2> &);
template void add_up(std::vector<TouchedNode<3>> &);
template void append(const StepRecord<3> &, StepRecord<3> &);

} // namespace percussion
