#include <percussion/contact/reference_gaps.h>

#include <cmath>

namespace percussion {

template <int dim>
void measure_reference_gaps(Boundary<dim> &boundary) {
  boundary.reference_gaps.clear();
  const auto &pairs = boundary.pairs;
  if (std::none_of(pairs.begin(), pairs.end(), [](const auto &pair) {
        return pair.largest_reference_gap > 0. || pair.initial_overlap.is_reference();
      }))
    return;
  for (const auto &contact : ContactFinder<dim>(boundary).find_undeformed().contacts) {
    const ContactPair<dim> &pair = pairs[contact.key.pair];
    const double largest = pair.largest_reference_gap;
    if ((largest > 0. && std::abs(contact.gap) <= largest) ||
        (contact.gap < 0. && pair.initial_overlap.is_reference()))
      boundary.reference_gaps.push_back({contact.key, contact.gap});
  }
}

namespace {

/// Returns a reference gap at time t.
template <int dim>
double value_at(const Boundary<dim> &boundary, const ReferenceGap &reference, double t) {
  const InitialOverlap &overlap = boundary.pairs[reference.key.pair].initial_overlap;
  return reference.gap < 0. ? overlap.reference_fraction(t) * reference.gap : reference.gap;
}

} // namespace

/// Subtracts the gaps in one pass, as both lists are sorted by keys.
template <int dim>
void subtract_reference_gaps(const Boundary<dim> &boundary, double t, ContactList<dim> &list) {
  auto reference = boundary.reference_gaps.begin();
  const auto end = boundary.reference_gaps.end();
  for (auto &contact : list.contacts) {
    while (reference != end && reference->key < contact.key)
      ++reference;
    if (reference == end)
      return;
    if (reference->key == contact.key)
      contact.gap -= value_at(boundary, *reference, t);
  }
}

template <int dim>
double reference_change(const Boundary<dim> &boundary, const ContactKey &key, double t0,
                        double t1) {
  if (boundary.pairs[key.pair].initial_overlap.treatment != InitialOverlap::Treatment::resolved)
    return 0.;
  const ReferenceGap *const reference = find_key(boundary.reference_gaps, key);
  return reference == nullptr
             ? 0.
             : value_at(boundary, *reference, t1) - value_at(boundary, *reference, t0);
}

template void measure_reference_gaps(Boundary<2> &);
template void measure_reference_gaps(Boundary<3> &);
template void subtract_reference_gaps(const Boundary<2> &, double, ContactList<2> &);
template void subtract_reference_gaps(const Boundary<3> &, double, ContactList<3> &);
template double reference_change(const Boundary<2> &, const ContactKey &, double, double);
template double reference_change(const Boundary<3> &, const ContactKey &, double, double);

} // namespace percussion
