#include <percussion/contact/broad_phase.h>
#include <percussion/contact/find.h>
#include <percussion/contact/polygons.h>

#include <algorithm>
#include <optional>

namespace percussion {

template <int dim>
const Contact<dim> *ContactList<dim>::find(const ContactKey &key) const {
  const auto found =
      std::lower_bound(contacts.begin(), contacts.end(), key,
                       [](const Contact<dim> &c, const ContactKey &k) { return c.key < k; });
  return found != contacts.end() && found->key == key ? &*found : nullptr;
}

template <int dim>
void ContactList<dim>::add(Contact<dim> contact, const Support<dim> *first,
                           const Support<dim> *last) {
  contact.support_begin = static_cast<unsigned int>(support.size());
  support.insert(support.end(), first, last);
  contact.support_end = static_cast<unsigned int>(support.size());
  contacts.push_back(contact);
}

namespace {

/// One search: where the rigid bodies are, and what was found.
template <int dim>
class Search {
public:
  Search(const Boundary<dim> &of, const Vector &displacements, double time,
         const std::vector<double> &margins)
      : boundary(of), system(of.system), q(displacements), t(time),
        poses(system.poses(displacements)) {
    const auto &pairs = boundary.pairs;
    if (std::none_of(pairs.begin(), pairs.end(),
                     [](const auto &pair) { return pair.is_between_bodies(); }))
      return;
    for (std::size_t b = 0; b < poses.size(); ++b)
      outlines.push_back(poses[b].outline(system.rigid[b]));
    broad_phase.emplace(outlines, margins);
    near_bodies = broad_phase->near_pairs();
  }

  ContactList<dim> result() {
    for (unsigned int pair = 0; pair < boundary.pairs.size(); ++pair)
      if (!boundary.pairs[pair].is_between_bodies())
        find_points_on_surface(pair);
      else if (!boundary.pairs[pair].region.empty())
        find_nodes_on_bodies(pair);
      else
        find_bodies_on_bodies(pair);
    return std::move(list);
  }

private:
  dealii::Point<dim> position(const ContactPoint<dim> &point) const {
    dealii::Point<dim> x = point.position;
    if (point.body != ContactPoint<dim>::none) {
      const RigidPose &pose = poses[point.body];
      return pose.centre + pose.turned(x - system.rigid[point.body].centre);
    }
    for (unsigned int d = 0; d < dim; ++d)
      x[d] += entries(q)[point.dofs[d]];
    return x;
  }

  /// The velocity of the material point of a rigid body at x, times `sign`.
  void add_rigid_support(unsigned int body, const dealii::Point<dim> &x, double sign) {
    static_assert(dim == 2, "a rotation in space has three components");
    const unsigned int dof = system.rigid_dof(body);
    const auto arm = x - poses[body].centre;
    support.push_back({dof, dealii::Tensor<1, dim>({sign, 0.})});
    support.push_back({dof + 1, dealii::Tensor<1, dim>({0., sign})});
    support.push_back({dof + 2, dealii::Tensor<1, dim>({-sign * arm[1], sign * arm[0]})});
  }

  void add_support(const ContactPoint<dim> &point, const dealii::Point<dim> &x) {
    support.clear();
    if (point.body != ContactPoint<dim>::none)
      return add_rigid_support(point.body, x, 1.);
    for (unsigned int d = 0; d < dim; ++d) {
      support.push_back({point.dofs[d], {}});
      support.back().weight[d] = 1.;
    }
  }

  void add(const Contact<dim> &contact) {
    list.add(contact, support.data(), support.data() + support.size());
  }

  void find_points_on_surface(unsigned int pair) {
    const Surface<dim> &surface = boundary.pairs[pair].surface;
    const auto moved = displacement(surface, t);
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
      const dealii::Point<dim> x = position(boundary.points[i]);
      const Gap<dim> g = gap(surface, x - moved);
      add_support(boundary.points[i], x);
      add({{pair, i, 0, 0}, i, ContactPoint<dim>::none, g.distance, g.normal});
    }
  }

  void find_nodes_on_bodies(unsigned int pair) {
    const auto &against = boundary.pairs[pair].against;
    std::vector<unsigned int> near;
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
      const dealii::Point<dim> x = position(boundary.points[i]);
      broad_phase->near(x, near);
      for (const unsigned int body : near) {
        if (!std::binary_search(against.begin(), against.end(), body))
          continue;
        const PolygonGap g = gap(outlines[body], x);
        add_support(boundary.points[i], x);
        add_rigid_support(body, x, -1.);
        add({{pair, i, body, 0}, i, body, g.distance, g.normal});
      }
    }
  }

  void find_bodies_on_bodies(unsigned int pair) {
    for (const auto &[a, b] : near_bodies) {
      if (!boundary.lets_touch(pair, a, b))
        continue;
      auto places = touching_vertices(outlines[a], outlines[b]);
      const auto n_first = static_cast<unsigned int>(outlines[a].size());
      const auto feature = [&](const VertexOnEdge &place) {
        return place.of_first ? place.vertex : n_first + place.vertex;
      };
      std::sort(places.begin(), places.end(),
                [&](const auto &p, const auto &o) { return feature(p) < feature(o); });
      for (const VertexOnEdge &place : places) {
        const unsigned int own = place.of_first ? a : b, other = place.of_first ? b : a;
        const dealii::Point<dim> &x = outlines[own][place.vertex];
        support.clear();
        add_rigid_support(own, x, 1.);
        add_rigid_support(other, x, -1.);
        add({{pair, a, b, feature(place)},
             boundary.first_vertex(pair, own) + place.vertex,
             other,
             place.gap,
             place.normal});
      }
    }
  }

  const Boundary<dim> &boundary;
  const System<dim> &system;
  const Vector &q;
  double t;
  std::vector<RigidPose> poses;
  std::vector<Outline> outlines;
  std::optional<BroadPhase> broad_phase;
  std::vector<std::pair<unsigned int, unsigned int>> near_bodies;
  ContactList<dim> list;
  std::vector<Support<dim>> support; ///< of the contact that is being found
};

} // namespace

template <int dim>
ContactFinder<dim>::ContactFinder(const Boundary<dim> &b) : boundary(b) {
  for (const double size : boundary.sizes)
    margins.push_back(0.1 * size);
}

template <int dim>
ContactList<dim> ContactFinder<dim>::find(const Vector &q, double t) const {
  return Search<dim>(boundary, q, t, margins).result();
}

template struct ContactList<2>;
template class ContactFinder<2>;

} // namespace percussion
