#include <percussion/dynamics/contact_account.h>

#include <algorithm>

namespace percussion {

template <int dim>
void ContactAccount<dim>::add(const ContactAccount &later) {
  point = later.point;
  obstacle = later.obstacle;
  normal = later.normal;
  area = later.area;
  normal_work += later.normal_work;
  tangential_work += later.tangential_work;
  slip += later.slip;
  missed_depth += later.missed_depth;
  drift = std::max(drift, later.drift);
}

/// Merges the accounts. Most contacts already have an account, so that few move in memory.
template <int dim>
void add_accounts(const std::vector<ContactAccount<dim>> &later,
                  std::vector<ContactAccount<dim>> &all) {
  const auto is_before = [](const auto &a, const auto &b) { return a.key < b.key; };
  const std::size_t n = all.size();
  std::size_t at = 0;
  for (const ContactAccount<dim> &account : later) {
    while (at < n && is_before(all[at], account))
      ++at;
    if (at < n && all[at].key == account.key)
      all[at].add(account);
    else
      all.push_back(account);
  }
  std::inplace_merge(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), all.end(),
                     is_before);
}

template struct ContactAccount<2>;
template struct ContactAccount<3>;
template void add_accounts(const std::vector<ContactAccount<2>> &,
                           std::vector<ContactAccount<2>> &);
template void add_accounts(const std::vector<ContactAccount<3>> &,
                           std::vector<ContactAccount<3>> &);

} // namespace percussion
