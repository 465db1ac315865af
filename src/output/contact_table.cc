#include <percussion/output/contact_table.h>

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
dealii::Tensor<1, dim> ContactRow<dim>::global_percussion() const {
  const auto frame = local_frame<dim>(this->normal);
  dealii::Tensor<1, dim> p;
  for (unsigned int r = 0; r < dim; ++r)
    p += this->percussion[r] * frame[r];
  return p;
}

template <int dim>
std::vector<ContactRow<dim>> contact_table(const State<dim> &state, const StepRecord<dim> &record) {
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
  return table;
}

template struct ContactRow<2>;
template std::vector<ContactRow<2>> contact_table(const State<2> &, const StepRecord<2> &);
template struct ContactRow<3>;
template std::vector<ContactRow<3>> contact_table(const State<3> &, const StepRecord<3> &);

} // namespace percussion
