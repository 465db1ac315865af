#include <percussion/base/nearest_name.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/body/nodal_masses.h>
#include <percussion/body/weighted_nodes.h>
#include <percussion/contact/boundary.h>
#include <percussion/input/section_table.h>

#include "parameter_sections.h"
#include <algorithm>
#include <limits>

namespace percussion {

using dealii::Patterns::Integer;
using dealii::Patterns::Selection;

namespace {

const std::string probes_section = "Probes";

bool is_of_point(ProbeKind kind) { return kind <= ProbeKind::stress; }
bool is_impulse(ProbeKind kind) {
  return kind == ProbeKind::percussion || kind == ProbeKind::force;
}
bool is_of_joint(ProbeKind kind) {
  return kind >= ProbeKind::moment && kind <= ProbeKind::friction;
}

} // namespace

void declare_probes(ParameterDeclarations &declarations, const ParameterFile *file,
                    const Dimensions &dimensions) {
  const Subsection subsection(declarations, probes_section);
  declarations.declare("Interval", "1", Integer(1, 1000000000),
                       "Number of steps between rows of probes.csv; the first and the last row "
                       "are always written.");
  for (const auto &name : named_subsections(declarations, file, probes_section, "<probe>")) {
    const Subsection probe_section(declarations, name);
    declarations.declare("Kind", "displacement", Selection(names_of(probe_kinds())),
                         "Quantity in the columns NAME.displacement_x and so on of probes.csv." +
                             descriptions_of(probe_kinds()));
    declarations.declare("Point", "", OrNothing(dimensions.vector()),
                         "Undeformed position " + dimensions.position() +
                             " [L] of a point of a body. With Contact: the contact of the nearest "
                             "node or vertex; default: all contacts together. With a Body, the "
                             "default is the centre of mass, of an elastic one in its motion: the "
                             "mean over its mass.");
    declarations.declare(
        "Body", "",
        Described("the name of a mesh, without folder and ending, of a rigid body, "
                  "or nothing"),
        "Body of the point or of the momentum; for force and percussion, a rigid body with "
        "prescribed motion. Default: the elastic body at Point; for momentum the only body.");
    declarations.declare("Contact", "", Described("the name of a contact, or nothing"),
                         "Contact, for gap, work, slip, defects, force and percussion, which act "
                         "on its Region or Bodies.");
    declarations.declare(
        "Region", "", Described("the name of a region, or nothing"),
        "Region of the recorded contact nodes; default: all nodes of the contact. For force and "
        "percussion without Contact: region with prescribed motion.");
    declarations.declare(
        "Joint", "", Described("the name of a joint, in 2D of a link, or nothing"),
        "Joint, for moment and coordinate, and for force and percussion on its second body.");
  }
}

namespace {

/// Locates the probe in an elastic body; false if the point is outside the body.
template <int dim>
bool locate_in(const ElasticBody<dim> &body, unsigned int number, Probe<dim> &probe) {
  unsigned int index = 0;
  for (const auto &cell : body.space.dofs.active_cell_iterators()) {
    probe.nodes = weights_in_cell<dim>(cell, body.space, probe.position);
    if (!probe.nodes.empty()) {
      probe.elastic = number;
      probe.cell = index;
      return true;
    }
    ++index;
  }
  return false;
}

/// Sets the nodes of a probe to all nodes of an elastic body with their fractions of its mass, and
/// the mass; false if it has none. Collective.
template <int dim>
bool weigh(const System<dim> &bodies, unsigned int number, Probe<dim> &probe) {
  probe.elastic = number;
  auto mean = mass_mean(bodies, *bodies.elastic[number]);
  probe.mass = mean.mass;
  probe.nodes = std::move(mean.nodes);
  return probe.mass > 0.;
}

/// Returns the position of the node nearest to a point.
template <int dim>
dealii::Point<dim> nearest_node(const System<dim> &bodies, const dealii::Point<dim> &x) {
  dealii::Point<dim> nearest;
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto &body : bodies.elastic)
    for (const auto &node : body->space.nodes)
      if (node.distance(x) < smallest) {
        smallest = node.distance(x);
        nearest = node;
      }
  return nearest;
}

/// Reader of one probe; errors are reported.
template <int dim>
class ProbeReader {
public:
  ProbeReader(const CaseInput &s, const RigidNames &r, const Case<dim> &the_case,
              const std::string &name)
      : section(s), rigid(r), c(the_case), kind(section.get("Kind")), body(section.get("Body")),
        contact(section.get("Contact")), region(section.get("Region")), joint(section.get("Joint")),
        has_point(section.has("Point")) {
    probe.name = name;
    probe.kind = find_row(probe_kinds(), kind)->kind;
    if (has_point)
      probe.position = dealii::Point<dim>(section.vector<dim>("Point"));
  }

  Probe<dim> read() {
    check_name();
    refuse_unused();
    if (is_of_point(probe.kind))
      read_point();
    else if (!joint.empty() || is_of_joint(probe.kind))
      read_joint();
    else if (!contact.empty())
      read_contact();
    else if (!is_impulse(probe.kind))
      report("Contact",
             (probe.kind == ProbeKind::defects ? "defects belong" : "a " + kind + " belongs") +
                 " to a contact: give its name" + contacts());
    else if (!region.empty())
      read_region();
    else if (!body.empty())
      read_held_body();
    else
      report("Contact", "a " + kind + " needs an object: give Contact" + contacts() +
                            ", a Joint, or a Region or Body whose motion is prescribed");
    return probe;
  }

private:
  void report(const std::string &entry, const std::string &reason) const {
    section.report(entry, reason);
  }

  std::string contacts() const {
    std::vector<std::string> names;
    for (const auto &pair : c.boundary->pairs)
      names.push_back("'" + pair.name + "'");
    return names.empty() ? " (the case has none)" : " (" + listed(names) + ")";
  }

  /// Reports a name that formulas cannot use for the columns of the probe.
  void check_name() const {
    if (!problem_of_constant(probe.name + "_").empty())
      section.report_section("the name of a probe consists of letters, digits and _, and begins "
                             "with a letter");
  }

  void refuse_unused() const {
    const bool is_point = is_of_point(probe.kind), has_contact = !contact.empty();
    const std::string context = "with Kind = " + kind;
    const bool has_joint = is_of_joint(probe.kind) || (is_impulse(probe.kind) && !joint.empty());
    if (has_joint)
      for (const std::string entry : {"Contact", "Region", "Body", "Point"})
        section.refuse_unused(entry, false, joint.empty() ? context : "with Joint");
    section.refuse_unused("Joint", has_joint, context);
    if (has_joint)
      return;
    section.refuse_unused("Contact", !is_point, context);
    section.refuse_unused("Region", !is_point && (has_contact || is_impulse(probe.kind)), context);
    section.refuse_unused("Body", is_point || (is_impulse(probe.kind) && !has_contact),
                          has_contact ? "with Contact" : context);
    section.refuse_unused("Point", (is_point && probe.kind != ProbeKind::momentum) || has_contact,
                          context + " without Contact");
  }

  /// Returns the rigid body that the probe names, if it names one.
  std::optional<unsigned int> rigid_body() const {
    const auto found = rigid.names.find(body);
    if (found == rigid.names.end() || found->second.size() != 1)
      return {};
    return found->second.front();
  }

  void read_point() {
    probe.rigid = rigid_body();
    if (probe.rigid)
      return read_rigid_point();
    std::vector<std::string> names;
    for (const auto &mesh : c.meshes)
      names.push_back(mesh->name());
    if (!body.empty() && std::find(names.begin(), names.end(), body) == names.end()) {
      for (const auto &[name, bodies] : rigid.names)
        if (bodies.size() == 1)
          names.push_back(name);
      return report("Body", "there is no body of this name" + did_you_mean(body, names) +
                                "; there are " + listed(names));
    }
    if (!has_point)
      return read_mean(names);
    for (unsigned int b = 0; b < c.bodies->elastic.size(); ++b)
      if ((body.empty() || body == c.meshes[b]->name()) &&
          locate_in(*c.bodies->elastic[b], b, probe)) {
        probe.position_text =
            kind + " at " + bracketed_point(probe.position, 9) + " of " + c.meshes[b]->name();
        return;
      }
    report("Point", c.meshes.empty()
                        ? "there is no elastic body: give the name of a rigid Body"
                        : "no elastic body is there; the nearest node is at " +
                              bracketed_point(nearest_node(*c.bodies, probe.position), 9));
  }

  /// Chooses the centre of mass of an elastic body; names: the elastic bodies.
  void read_mean(const std::vector<std::string> &names) {
    const bool is_only = names.size() == 1 && c.bodies->rigid.empty();
    if (probe.kind == ProbeKind::stress || (probe.kind != ProbeKind::momentum && body.empty()))
      return report("Point",
                    "the position of the " + kind + " is missing: give a point of a body" +
                        (probe.kind == ProbeKind::stress ? "" : ", or the name of a Body"));
    if (body.empty() && !is_only)
      return report("Body", "a momentum belongs to a body: give its name");
    const auto found = body.empty() ? names.begin() : std::find(names.begin(), names.end(), body);
    const std::string words = probe.kind == ProbeKind::momentum ? kind : "mean " + kind;
    if (!weigh(*c.bodies, static_cast<unsigned int>(found - names.begin()), probe))
      return report("Kind", "the body has no mass, hence no " + words);
    probe.position_text = words + " of " + *found;
  }

  void read_rigid_point() {
    if (probe.kind == ProbeKind::stress)
      return report("Body", "a rigid body has no stress");
    const RigidBody<dim> &rigid_body = c.bodies->rigid[*probe.rigid];
    probe.mass = rigid_body.mass;
    if (!has_point)
      probe.position = rigid_body.centre;
    probe.position_text =
        kind + " at " + bracketed_point(probe.position, 9) + " of " + rigid_body.name;
  }

  void read_contact() {
    std::vector<std::string> names;
    for (unsigned int i = 0; i < c.boundary->pairs.size(); ++i) {
      names.push_back(c.boundary->pairs[i].name);
      if (names.back() == contact)
        probe.pair = i;
    }
    if (!probe.pair)
      return report("Contact",
                    "there is no such contact" + did_you_mean(contact, names) + contacts());
    probe.position_text = kind + " of contact " + contact;
    if (has_point && !region.empty())
      return report(
          "Region",
          "Point already chooses the contact of a single node: give either Point or Region");
    if (has_point)
      choose_contact();
    else if (!region.empty())
      choose_region();
  }

  /// Chooses the contact points at the nodes of a region, and at quadrature points between them.
  void choose_region() {
    const Trace<dim> &trace = c.boundary->trace;
    std::vector<unsigned int> first_entries;
    try {
      const auto found = c.bodies->region(region);
      for (const unsigned int node : found.region->nodes)
        if (trace.contains(found.body->space, node))
          first_entries.push_back(trace.node_entry(found.body->space, node));
    } catch (const InputError &error) {
      return report("Region", error.what());
    }
    std::sort(first_entries.begin(), first_entries.end());
    const auto is_in_region = [&](unsigned int entry) {
      return std::binary_search(first_entries.begin(), first_entries.end(), entry - entry % dim);
    };
    const Boundary<dim> &boundary = *c.boundary;
    for (unsigned int i = boundary.first_point[*probe.pair];
         i < boundary.first_point[*probe.pair + 1]; ++i) {
      const ContactPoint<dim> &point = boundary.points[i];
      const auto *const nodes = boundary.supports.data();
      const SupportRange shape = point.shape();
      const bool is_between = !shape.empty() && std::all_of(nodes + shape.begin, nodes + shape.end,
                                                            [&](const Support<dim> &node) {
                                                              return is_in_region(node.entry);
                                                            });
      if (is_between || (point.mesh_node() && is_in_region(point.entry)))
        probe.points.push_back(i);
    }
    if (probe.points.empty())
      return report("Region", "no point of this contact belongs to this region");
    probe.position_text += " at region " + region;
  }

  /// Chooses the contact point nearest to the given point. A given point farther from it than the
  /// next contact point is reported.
  void choose_contact() {
    const auto &points = c.boundary->points;
    const unsigned int begin = c.boundary->first_point[*probe.pair],
                       end = c.boundary->first_point[*probe.pair + 1];
    if (begin == end)
      return report("Point", "the contact has no points");
    double smallest = std::numeric_limits<double>::infinity(), spacing = smallest;
    unsigned int nearest = begin;
    for (unsigned int i = begin; i < end; ++i)
      if (const double distance = points[i].position.distance(probe.position);
          distance < smallest) {
        smallest = distance;
        nearest = i;
      }
    probe.points = {nearest};
    const auto &position = points[nearest].position;
    for (unsigned int i = begin; i < end; ++i)
      if (const double distance = points[i].position.distance(position); distance > 0.)
        spacing = std::min(spacing, distance);
    if (smallest > spacing)
      report("Point", "no point of this contact is there; the nearest is at " +
                          bracketed_point(position, 9));
    probe.position_text += " at " + bracketed_point(position, 9);
  }

  void read_joint() {
    std::vector<std::string> names;
    const auto &links = c.bodies->links;
    for (unsigned int i = 0; i < links.size(); ++i) {
      names.push_back(links[i].name);
      if (names.back() == joint)
        probe.link = i;
    }
    const std::string known_joints =
        names.empty() ? " (the case has none)" : " (" + listed(names) + ")";
    if (!probe.link)
      return report("Joint",
                    joint.empty()
                        ? "a " + kind + " belongs to a joint: give its name" + known_joints
                        : "there is no such joint" + did_you_mean(joint, names) + known_joints);
    const auto drives = LinkForces<dim>(*c.bodies).drive_names();
    for (unsigned int k = 0; k < drives.size(); ++k)
      if (drives[k].first == joint)
        probe.coordinates.emplace_back(drives[k].second, k);
    if (probe.kind != ProbeKind::moment && is_of_joint(probe.kind) && probe.coordinates.empty())
      return report("Joint", "this joint has no angle, displacement or length that could change");
    const Link<dim> &link = links[*probe.link];
    const auto have = [&](bool (LinkBounds::*has)() const) {
      return (link.bounds.*has)() || (link.rotation.bounds.*has)() || (link.second_rotation.*has)();
    };
    if (probe.kind == ProbeKind::limit && !have(&LinkBounds::has_limit))
      return report("Joint", "this joint has no limit");
    if (probe.kind == ProbeKind::friction && !have(&LinkBounds::has_friction))
      return report("Joint", "this joint has no friction");
    probe.position_text = kind + " of joint " + joint;
  }

  bool is_held() const {
    return std::any_of(probe.holding.begin(), probe.holding.end(),
                       [](const auto &indices) { return !indices.empty(); });
  }

  void read_region() {
    probe.position_text = kind + " that holds region " + region;
    try {
      const auto found = c.bodies->region(region);
      for (unsigned int d = 0; d < dim; ++d)
        probe.holding[d] = c.bodies->prescribed_indices(found, d);
    } catch (const InputError &error) {
      return report("Region", error.what());
    }
    if (!is_held())
      report("Region", "its motion is not prescribed: no constraint acts on it");
  }

  void read_held_body() {
    const auto index = rigid_body();
    if (!index)
      return report("Body", "this is no rigid body");
    probe.position_text = kind + " that holds " + body;
    for (unsigned int d = 0; d < dim; ++d)
      probe.holding[d] = c.bodies->prescribed_indices(*index, d);
    if (!is_held())
      report("Body", "its motion is not prescribed: no constraint acts on it");
  }

  const CaseInput section;
  const RigidNames &rigid;
  const Case<dim> &c;
  const std::string kind, body, contact, region, joint; ///< values of the entries
  const bool has_point;
  Probe<dim> probe;
};

} // namespace

template <int dim>
void read_probes(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const auto names = input.subsections(probes_section);
  const CaseInput section = input.in(probes_section);
  section.refuse_unused("Interval", !names.empty(), "without a probe");
  c.probe_interval = section.integer("Interval");
  for (const auto &name : names)
    c.probes.push_back(ProbeReader<dim>(section.in(name), rigid, c, name).read());
}

PERCUSSION_INSTANTIATE(read_probes);

} // namespace percussion
