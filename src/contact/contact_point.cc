#include <percussion/contact/contact_point.h>

#include <algorithm>

namespace percussion {

template <int dim>
void ContactPointList<dim>::finish_pair() {
  const FirstPoint last = pairs.back();
  const auto begin = stored.begin() + static_cast<std::ptrdiff_t>(last.in_storage);
  for (std::size_t k = 0; k + 1 < pairs.size() && n > last.in_list; ++k) {
    const std::size_t n_points = pairs[k + 1].in_list - pairs[k].in_list;
    if (n_points != n - last.in_list)
      continue;
    const auto earlier = stored.begin() + static_cast<std::ptrdiff_t>(pairs[k].in_storage);
    if (std::equal(begin, stored.end(), earlier, are_equal_rigid_points<dim>)) {
      stored.erase(begin, stored.end());
      pairs.back().in_storage = pairs[k].in_storage;
      break;
    }
  }
}

template <int dim>
std::size_t ContactPointList<dim>::index_of_shared(std::size_t i) const {
  const auto next =
      std::upper_bound(pairs.begin(), pairs.end(), i,
                       [](std::size_t index, const FirstPoint &p) { return index < p.in_list; });
  const FirstPoint &pair = *std::prev(next);
  return pair.in_storage + (i - pair.in_list);
}

template class ContactPointList<2>;
template class ContactPointList<3>;

} // namespace percussion
