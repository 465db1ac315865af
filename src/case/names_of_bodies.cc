#include <percussion/body/link_forces.h>

#include "parameter_sections.h"
#include <algorithm>
#include <set>

namespace percussion {
namespace {

/// Returns the index of the elastic body of a region.
template <int dim>
std::size_t body_of(const System<dim> &bodies, const std::string &region) {
  return bodies.index_of(*bodies.region(region).body);
}

/// Notes pairs of bodies between which no contact is defined. All rigid bodies together count as
/// one body here.
template <int dim>
void note_pairs_without_contact(Case<dim> &c) {
  const std::size_t n_elastic = c.bodies->elastic.size(), rigid = n_elastic;
  const auto party = [&](const std::string &region) { return body_of(*c.bodies, region); };
  const auto name = [&](std::size_t i) {
    return i == rigid       ? std::string("rigid bodies")
           : n_elastic == 1 ? std::string("the elastic body")
                            : "'" + c.meshes[i]->name() + "'";
  };
  std::set<std::pair<std::size_t, std::size_t>> acquainted;
  for (const auto &pair : c.boundary->pairs) {
    const std::size_t first_body = pair.region() ? party(*pair.region()) : rigid;
    std::vector<std::size_t> second_bodies(pair.opposite_bodies().empty() ? 0 : 1, rigid);
    for (const auto &region : pair.opposite_regions())
      second_bodies.push_back(party(region));
    for (const std::size_t second_body : second_bodies)
      acquainted.insert(std::minmax(first_body, second_body));
  }
  const std::size_t n_parties = n_elastic + (c.bodies->rigid.empty() ? 0 : 1);
  for (std::size_t i = 0; i < n_parties; ++i)
    for (std::size_t j = i; j < n_parties; ++j)
      if (acquainted.count({i, j}) == 0 && (i != j || (i == rigid && c.bodies->rigid.size() > 1)))
        c.notes.push_back("contact: no contact lets " + name(i) +
                          (i == j ? " touch each other" : " touch " + name(j)) +
                          "; they would pass through each other");
}

/// Bodies that a case names: elastic bodies by their regions, rigid bodies by their names.
struct NamedBodies {
  std::set<std::size_t> elastic, rigid;
};

template <int dim>
NamedBodies bodies_in_contacts(const Case<dim> &c) {
  NamedBodies named;
  for (const auto &pair : c.boundary->pairs) {
    if (pair.region())
      named.elastic.insert(body_of(*c.bodies, *pair.region()));
    for (const auto &region : pair.opposite_regions())
      named.elastic.insert(body_of(*c.bodies, region));
    named.rigid.insert(pair.bodies().begin(), pair.bodies().end());
    named.rigid.insert(pair.opposite_bodies().begin(), pair.opposite_bodies().end());
  }
  return named;
}

template <int dim>
void add_bodies_in_links(const System<dim> &bodies, NamedBodies &named) {
  for (const auto &link : bodies.links)
    for (const auto &end : {link.first, link.second}) {
      if (end.rigid)
        named.rigid.insert(*end.rigid);
      if (const auto elastic = bodies.elastic_body_of(end))
        named.elastic.insert(*elastic);
    }
}

/// True if an entry of the section of a rigid body gives it a force or a moment.
template <int dim>
bool has_force(const CaseInput &section) {
  const auto axes = components(dim);
  return std::any_of(axes.begin(), axes.end(),
                     [&](const std::string &axis) {
                       return section.has("Force " + axis) ||
                              (dim == 3 && section.has("Moment " + axis));
                     }) ||
         (dim == 2 && section.has("Moment"));
}

/// Warns of bodies beside others on which only gravity acts: a contact or a load may have been
/// forgotten.
template <int dim>
void warn_of_unnamed_bodies(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const System<dim> &bodies = *c.bodies;
  if (bodies.elastic.size() + bodies.rigid.size() < 2)
    return;
  NamedBodies named = bodies_in_contacts(c);
  add_bodies_in_links(bodies, named);
  for (const auto &region : input.subsections("Boundary conditions"))
    named.elastic.insert(body_of(bodies, region));
  const auto warn = [&](const std::string &name) {
    c.warnings.push_back("no contact or load names any side of body " + name +
                         ": it moves freely through all others");
  };
  for (std::size_t b = 0; b < bodies.elastic.size(); ++b)
    if (named.elastic.count(b) == 0)
      warn("'" + c.meshes[b]->name() + "'");
  for (const auto &[name, copies] : rigid.sections) {
    const auto is_named = [&](unsigned int b) {
      bool is_moved = false;
      for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
        is_moved = is_moved || bodies.is_prescribed(b, d);
      return is_moved || named.rigid.count(b) > 0;
    };
    if (!copies.empty() && !has_force<dim>(input.in(rigid_section + "/" + name)) &&
        std::none_of(copies.begin(), copies.end(), is_named))
      warn("'" + name + "'");
  }
}

} // namespace

template <int dim>
void check_names_of_bodies(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  note_pairs_without_contact(c);
  warn_of_unnamed_bodies(input, rigid, c);
}

PERCUSSION_INSTANTIATE(check_names_of_bodies);

} // namespace percussion
