#include <percussion/base/instantiate.h>
#include <percussion/output/contact_table.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

template <int dim>
ContactRow<dim> row_of(const ContactRecord<dim> &record) {
  ContactRow<dim> row;
  static_cast<ContactRecord<dim> &>(row) = record;
  row.gap = std::numeric_limits<double>::quiet_NaN();
  row.participated = true;
  return row;
}

} // namespace

template <int dim>
dealii::Tensor<1, dim> global_percussion(const ContactRecord<dim> &contact) {
  const auto frame = local_frame<dim>(contact.normal);
  dealii::Tensor<1, dim> p;
  for (unsigned int r = 0; r < dim; ++r)
    p += contact.percussion[r] * frame[r];
  return p;
}

template <int dim>
void ContactSums<dim>::add(const StepRecord<dim> &record) {
  const std::size_t n = contacts.size();
  std::size_t index = 0;
  for (const ContactRecord<dim> &contact : record.contacts) {
    if (!contact.carries())
      continue;
    while (index < n && contacts[index].key < contact.key)
      ++index;
    if (index == n || !(contacts[index].key == contact.key)) {
      contacts.push_back({contact.site(), global_percussion(contact), contact.status});
      continue;
    }
    ContactSum &sum = contacts[index++];
    static_cast<ContactSite<dim> &>(sum) = contact.site();
    sum.percussion += global_percussion(contact);
    sum.status = std::max(sum.status, contact.status);
  }
  if (contacts.size() > n)
    std::inplace_merge(contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(n),
                       contacts.end(),
                       [](const ContactSum &a, const ContactSum &b) { return a.key < b.key; });
  node_percussions.insert(node_percussions.end(), record.node_percussions.begin(),
                          record.node_percussions.end());
  add_up(node_percussions);
}

namespace {

/// Contacts of rigid bodies that a table leaves out because they are open: most contacts of crowds.
template <int dim>
class LeftOut {
public:
  LeftOut(const ContactList<dim> &found, const ContactSums<dim> &instant_sums,
          const std::vector<ContactAccount<dim>> &run_accounts)
      : is_crowd(found.contacts.size() > max_contacts), sums(instant_sums.contacts),
        accounts(run_accounts) {}

  /// True for an open contact that has neither carried since the last instant nor an account.
  bool operator()(const Contact<dim> &contact) const {
    return is_crowd && contact.body.has_value() && contact.gap > 0. &&
           !find_key(sums, contact.key) && !find_key(accounts, contact.key);
  }

private:
  static constexpr std::size_t max_contacts =
      20000; ///< number of contacts up to which all are listed

  bool is_crowd;
  const std::vector<typename ContactSums<dim>::ContactSum> &sums;
  const std::vector<ContactAccount<dim>> &accounts;
};

/// Calls add(row, entry) for each entry. Rows and entries are ordered by ascending keys; entries
/// without a row get a new one.
template <int dim, typename Entry, typename Add>
void add_to_rows(std::vector<ContactRow<dim>> &table, const std::vector<Entry> &entries,
                 const Add &add) {
  const std::size_t n = table.size();
  std::size_t index = 0;
  for (const Entry &entry : entries) {
    while (index < n && table[index].key < entry.key)
      ++index;
    if (index < n && table[index].key == entry.key) {
      add(table[index], entry);
      continue;
    }
    ContactRow<dim> row;
    row.site() = entry.site();
    row.gap = std::numeric_limits<double>::quiet_NaN();
    add(row, entry);
    table.push_back(row);
  }
  std::inplace_merge(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(n), table.end(),
                     [](const auto &a, const auto &b) { return a.key < b.key; });
}

} // namespace

template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record,
                                           const ContactSums<dim> &sums,
                                           const std::vector<ContactAccount<dim>> &accounts) {
  std::vector<ContactRow<dim>> table;
  auto recorded = record.contacts.begin();
  const auto add_done_before = [&](const ContactKey *key) {
    for (; recorded != record.contacts.end() && (key == nullptr || recorded->key < *key);
         ++recorded)
      table.push_back(row_of(*recorded));
  };
  const LeftOut<dim> is_left_out(state.found, sums, accounts);
  for (const Contact<dim> &contact : state.found.contacts) {
    add_done_before(&contact.key);
    if (recorded != record.contacts.end() && recorded->key == contact.key)
      table.push_back(row_of(*recorded++));
    else if (is_left_out(contact))
      continue;
    else {
      ContactRow<dim> row;
      row.site() = contact.site();
      table.push_back(row);
    }
    table.back().gap = contact.gap;
    table.back().material_point = contact.material_point;
  }
  add_done_before(nullptr);
  add_to_rows(table, sums.contacts, [](ContactRow<dim> &row, const auto &sum) {
    row.percussion_sum = sum.percussion;
    row.status_max = sum.status;
  });
  add_to_rows(table, accounts, [](ContactRow<dim> &row, const ContactAccount<dim> &account) {
    row.account = account;
  });
  return table;
}

PERCUSSION_INSTANTIATE(global_percussion);
PERCUSSION_INSTANTIATE(contact_table);
template struct ContactSums<2>;
template struct ContactSums<3>;

} // namespace percussion
