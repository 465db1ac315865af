#include <percussion/base/instantiate.h>
#include <percussion/dynamics/contact_account.h>

#include <algorithm>

namespace percussion {

template <int dim>
void ContactAccount<dim>::add(const ContactAccount &added) {
  this->site() = added.site();
  AccountNumbers::add(added);
}

/// Merges the accounts. Most contacts already have an account, so that few move in memory.
template <int dim>
void add_accounts(const std::vector<ContactAccount<dim>> &added,
                  std::vector<ContactAccount<dim>> &all) {
  if (all.empty()) {
    all = added;
    return;
  }
  const auto is_before = [](const auto &a, const auto &b) { return a.key < b.key; };
  const std::size_t n = all.size();
  std::size_t index = 0;
  for (const ContactAccount<dim> &account : added) {
    while (index < n && is_before(all[index], account))
      ++index;
    if (index < n && all[index].key == account.key)
      all[index].add(account);
    else
      all.push_back(account);
  }
  std::inplace_merge(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(),
                     is_before);
}

template struct ContactAccount<2>;
template struct ContactAccount<3>;
PERCUSSION_INSTANTIATE(add_accounts);

} // namespace percussion
