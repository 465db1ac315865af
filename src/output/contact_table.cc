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
  row.took_part = true;
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
  std::vector<OfContact> all;
  auto before = contacts.begin();
  for (const ContactRecord<dim> &contact : record.contacts) {
    if (!contact.carries())
      continue;
    while (before != contacts.end() && before->key < contact.key)
      all.push_back(*before++);
    OfContact sum{contact.key, contact.point, contact.obstacle, contact.normal,
                  {},          contact.area,  contact.status};
    if (before != contacts.end() && before->key == contact.key) {
      sum.percussion = before->percussion;
      sum.status = std::max(sum.status, before->status);
      ++before;
    }
    sum.percussion += global_percussion(contact);
    all.push_back(sum);
  }
  all.insert(all.end(), before, contacts.end());
  contacts = std::move(all);
  touched.insert(touched.end(), record.touched.begin(), record.touched.end());
  add_up(touched);
}

namespace {

/// Give the rows the sums, and those that have carried but are not there rows of their own.
template <int dim>
std::vector<ContactRow<dim>> with_sums(std::vector<ContactRow<dim>> table,
                                       const ContactSums<dim> &sums) {
  const std::size_t n = table.size();
  for (const auto &sum : sums.contacts) {
    const auto end = table.begin() + static_cast<std::ptrdiff_t>(n);
    auto row = std::lower_bound(table.begin(), end, sum.key,
                                [](const auto &r, const ContactKey &key) { return r.key < key; });
    if (row == end || !(row->key == sum.key)) {
      ContactRow<dim> added;
      added.key = sum.key;
      added.point = sum.point;
      added.obstacle = sum.obstacle;
      added.normal = sum.normal;
      added.area = sum.area;
      added.gap = std::numeric_limits<double>::quiet_NaN();
      row = table.insert(table.end(), added);
    }
    row->percussion_sum = sum.percussion;
    row->status_max = sum.status;
  }
  std::inplace_merge(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(n), table.end(),
                     [](const auto &a, const auto &b) { return a.key < b.key; });
  return table;
}

} // namespace

template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record,
                                           const ContactSums<dim> &sums) {
  std::vector<ContactRow<dim>> table;
  auto done = record.contacts.begin();
  const auto add_done_before = [&](const ContactKey *key) {
    for (; done != record.contacts.end() && (key == nullptr || done->key < *key); ++done)
      table.push_back(row_of(*done));
  };
  for (const Contact<dim> &contact : state.found.contacts) {
    add_done_before(&contact.key);
    if (done != record.contacts.end() && done->key == contact.key)
      table.push_back(row_of(*done++));
    else {
      ContactRow<dim> row;
      row.key = contact.key;
      row.point = contact.point;
      row.obstacle = contact.obstacle;
      row.normal = contact.normal;
      row.area = contact.area;
      table.push_back(row);
    }
    table.back().gap = contact.gap;
  }
  add_done_before(nullptr);
  return with_sums(std::move(table), sums);
}

template dealii::Tensor<1, 2> global_percussion(const ContactRecord<2> &);
template struct ContactSums<2>;
template std::vector<ContactRow<2>> contact_table(const State<2> &, const StepRecord<2> &,
                                                  const ContactSums<2> &);
template dealii::Tensor<1, 3> global_percussion(const ContactRecord<3> &);
template struct ContactSums<3>;
template std::vector<ContactRow<3>> contact_table(const State<3> &, const StepRecord<3> &,
                                                  const ContactSums<3> &);

} // namespace percussion
