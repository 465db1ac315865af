#include <percussion/contact/contact_point.h>

#include <algorithm>

namespace percussion {

template <int dim>
void ContactPointList<dim>::finish_pair() {
  const FirstPoint last = pairs.back();
  const auto begin = stored.begin() + static_cast<std::ptrdiff_t>(last.storage_index);
  for (std::size_t k = 0; k + 1 < pairs.size() && n > last.list_index; ++k) {
    const std::size_t n_points = pairs[k + 1].list_index - pairs[k].list_index;
    if (n_points != n - last.list_index)
      continue;
    const auto earlier = stored.begin() + static_cast<std::ptrdiff_t>(pairs[k].storage_index);
    if (std::equal(begin, stored.end(), earlier, are_equal_rigid_points<dim>)) {
      stored.erase(begin, stored.end());
      pairs.back().storage_index = pairs[k].storage_index;
      break;
    }
  }
}

template <int dim>
std::size_t ContactPointList<dim>::index_of_shared(std::size_t i) const {
  const auto next =
      std::upper_bound(pairs.begin(), pairs.end(), i,
                       [](std::size_t index, const FirstPoint &p) { return index < p.list_index; });
  const FirstPoint &pair = *std::prev(next);
  return pair.storage_index + (i - pair.list_index);
}

template class ContactPointList<2>;
template class ContactPointList<3>;

} // namespace percussion
