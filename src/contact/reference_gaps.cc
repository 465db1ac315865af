#include <percussion/contact/reference_gaps.h>

#include <cmath>

namespace percussion {

template <int dim>
void measure_reference_gaps(Boundary<dim> &boundary) {
  boundary.reference_gaps.clear();
  const auto &pairs = boundary.pairs;
  if (std::none_of(pairs.begin(), pairs.end(),
                   [](const auto &pair) { return pair.largest_reference_gap > 0.; }))
    return;
  for (const auto &contact : ContactFinder<dim>(boundary).find_undeformed().contacts)
    if (const double largest = pairs[contact.key.pair].largest_reference_gap;
        largest > 0. && std::abs(contact.gap) <= largest)
      boundary.reference_gaps.push_back({contact.key, contact.gap});
}

/// Subtracts the gaps in one pass, as both lists are sorted by keys.
template <int dim>
void subtract_reference_gaps(const Boundary<dim> &boundary, ContactList<dim> &list) {
  auto reference = boundary.reference_gaps.begin();
  const auto end = boundary.reference_gaps.end();
  for (auto &contact : list.contacts) {
    while (reference != end && reference->key < contact.key)
      ++reference;
    if (reference == end)
      return;
    if (reference->key == contact.key)
      contact.gap -= reference->gap;
  }
}

template void measure_reference_gaps(Boundary<2> &);
template void measure_reference_gaps(Boundary<3> &);
template void subtract_reference_gaps(const Boundary<2> &, ContactList<2> &);
template void subtract_reference_gaps(const Boundary<3> &, ContactList<3> &);

} // namespace percussion
