#include <percussion/base/nearest_name.h>
#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>
#include <percussion/body/weighted_nodes.h>
#include <percussion/contact/boundary.h>

#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>
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

/// Returns "(1, 2)".
template <int dim>
std::string in_words(const dealii::Point<dim> &x) {
  std::string text;
  for (unsigned int d = 0; d < dim; ++d)
    text += (d == 0 ? "(" : ", ") + format("%.9g", x[d]);
  return text + ")";
}

} // namespace

void declare_probes(ParameterDeclarations &declarations, const ParameterFile *file,
                    const Dimensions &dimensions) {
  std::string names, descriptions;
  for (const ProbeKindEntry &row : probe_kinds()) {
    names += (names.empty() ? "" : "|") + std::string(row.name);
    descriptions += " " + std::string(row.name) + ": " + row.description + ".";
  }
  const Subsection subsection(declarations, probes_section);
  declarations.declare("Interval", "1", Integer(1, 1000000000),
                       "Number of steps between rows of probes.csv; the first and the last row "
                       "are always written.");
  for (const auto &name : named_subsections(declarations, file, probes_section, "<probe>")) {
    const Subsection of_probe(declarations, name);
    declarations.declare("Kind", "displacement", Selection(names),
                         "Quantity that the columns NAME.displacement_x and so on of probes.csv "
                         "record over time." +
                             descriptions);
    declarations.declare("Point", "", OrNothing(dimensions.vector()),
                         "Undeformed position " + dimensions.position() +
                             " [L] of a point of a body. With Contact, the probe records the "
                             "contact of the nearest node or vertex; default: all contacts "
                             "together. With a rigid Body, the default is the centre of mass.");
    declarations.declare(
        "Body", "",
        Described("the name of a mesh, without folder and ending, of a rigid body, "
                  "or nothing"),
        "Body of the point; for force and percussion, a rigid body with prescribed motion. "
        "Default: the elastic body at Point.");
    declarations.declare(
        "Contact", "", Described("the name of a contact, or nothing"),
        "Contact, for gap, work, slip, defects, force and percussion. Force and percussion act "
        "on its Region or Bodies, not on the opposite side.");
    declarations.declare(
        "Region", "", Described("the name of a region, or nothing"),
        "Region of the recorded contact nodes, if Contact is given; default: all nodes of the "
        "contact. For force and percussion without Contact: region with prescribed motion.");
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
  ProbeReader(const CaseInput &i, const RigidNames &r, const Case<dim> &of_case,
              const std::string &name)
      : input(i), rigid(r), c(of_case), path(probes_section + "/" + name + "/") {
    probe.name = name;
    for (const auto &row : probe_kinds())
      if (get("Kind") == row.name) {
        probe.kind = row.kind;
        kind = row.name;
      }
    has_point = !get("Point").empty();
    if (has_point)
      probe.position = dealii::Point<dim>(input.vector<dim>(path + "Point"));
  }

  Probe<dim> read() {
    check_name();
    refuse_unused();
    if (is_of_point(probe.kind))
      read_point();
    else if (!get("Contact").empty())
      read_contact();
    else if (!is_impulse(probe.kind))
      report("Contact",
             (probe.kind == ProbeKind::defects ? "defects belong" : "a " + kind + " belongs") +
                 " to a contact: give its name" + contacts());
    else if (!get("Region").empty())
      read_region();
    else if (!get("Body").empty())
      read_held_body();
    else
      report("Contact", "a " + kind + " needs an object: give Contact" + contacts() +
                            ", or a Region or Body whose motion is prescribed");
    return probe;
  }

private:
  std::string get(const std::string &entry) const { return input.parameters.get(path + entry); }
  void report(const std::string &entry, const std::string &reason) const {
    input.report(path + entry, reason);
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
      input.report_subsection(probes_section + "/" + probe.name,
                              "the name of a probe consists of letters, digits and _, and begins "
                              "with a letter");
  }

  void refuse_unused() const {
    const bool of_point = is_of_point(probe.kind), of_contact = !get("Contact").empty();
    const std::string context = "with Kind = " + kind;
    input.refuse_unused(path + "Contact", !of_point, context);
    input.refuse_unused(path + "Region", !of_point && (of_contact || is_impulse(probe.kind)),
                        context);
    input.refuse_unused(path + "Body", of_point || (is_impulse(probe.kind) && !of_contact),
                        of_contact ? "with Contact" : context);
    input.refuse_unused(path + "Point", of_point || of_contact, context + " without Contact");
  }

  /// Returns the rigid body that the probe names, if it names one.
  std::optional<unsigned int> rigid_body() const {
    const auto found = rigid.names.find(get("Body"));
    if (found == rigid.names.end() || found->second.size() != 1)
      return {};
    return found->second.front();
  }

  std::string mesh_name(std::size_t b) const {
    return std::filesystem::path(c.meshes[b]->file).stem().string();
  }

  void read_point() {
    probe.rigid = rigid_body();
    if (probe.rigid)
      return read_rigid_point();
    std::vector<std::string> names;
    for (std::size_t b = 0; b < c.meshes.size(); ++b)
      names.push_back(mesh_name(b));
    const std::string body = get("Body");
    if (!body.empty() && std::find(names.begin(), names.end(), body) == names.end()) {
      for (const auto &[name, bodies] : rigid.names)
        if (bodies.size() == 1)
          names.push_back(name);
      return report("Body", "there is no body of this name" + did_you_mean(body, names) +
                                "; there are " + listed(names));
    }
    if (!has_point)
      return report("Point", "the position of the " + kind + " is missing: give a point of a body" +
                                 (c.bodies->rigid.empty() ? "" : ", or the name of a rigid Body"));
    for (unsigned int b = 0; b < c.bodies->elastic.size(); ++b)
      if ((body.empty() || body == mesh_name(b)) && locate_in(*c.bodies->elastic[b], b, probe)) {
        probe.position_text = kind + " at " + in_words(probe.position) + " of " + mesh_name(b);
        return;
      }
    report("Point", c.meshes.empty() ? "there is no elastic body: give the name of a rigid Body"
                                     : "no elastic body is there; the nearest node is at " +
                                           in_words(nearest_node(*c.bodies, probe.position)));
  }

  void read_rigid_point() {
    if (probe.kind == ProbeKind::stress)
      return report("Body", "a rigid body has no stress");
    const RigidBody<dim> &body = c.bodies->rigid[*probe.rigid];
    if (!has_point)
      probe.position = body.centre;
    probe.position_text = kind + " at " + in_words(probe.position) + " of " + body.name;
  }

  void read_contact() {
    std::vector<std::string> names;
    for (unsigned int i = 0; i < c.boundary->pairs.size(); ++i) {
      names.push_back(c.boundary->pairs[i].name);
      if (names.back() == get("Contact"))
        probe.pair = i;
    }
    if (!probe.pair)
      return report("Contact",
                    "there is no such contact" + did_you_mean(get("Contact"), names) + contacts());
    probe.position_text = kind + " of contact " + get("Contact");
    if (has_point && !get("Region").empty())
      return report(
          "Region",
          "Point already chooses the contact of a single node: give either Point or Region");
    if (has_point)
      choose_contact();
    else if (!get("Region").empty())
      choose_region();
  }

  /// Chooses the contact points at the nodes of a region, and at quadrature points between them.
  void choose_region() {
    const Trace<dim> &trace = c.boundary->trace;
    std::vector<unsigned int> first_entries;
    try {
      const auto [body, region] = c.bodies->region(get("Region"));
      for (const unsigned int node : region->vertices)
        if (trace.contains(body->space, node))
          first_entries.push_back(trace.of_node(body->space, node));
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
    probe.position_text += " at region " + get("Region");
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
      report("Point", "no point of this contact is there; the nearest is at " + in_words(position));
    probe.position_text += " at " + in_words(position);
  }

  bool is_held() const {
    return std::any_of(probe.holding.begin(), probe.holding.end(),
                       [](const auto &indices) { return !indices.empty(); });
  }

  void read_region() {
    probe.position_text = kind + " that holds region " + get("Region");
    try {
      const auto region = c.bodies->region(get("Region"));
      for (unsigned int d = 0; d < dim; ++d)
        probe.holding[d] = c.bodies->prescribed_indices(region, d);
    } catch (const InputError &error) {
      return report("Region", error.what());
    }
    if (!is_held())
      report("Region", "its motion is not prescribed: no constraint acts on it");
  }

  void read_held_body() {
    const auto body = rigid_body();
    if (!body)
      return report("Body", "this is no rigid body");
    probe.position_text = kind + " that holds " + get("Body");
    for (unsigned int d = 0; d < dim; ++d)
      probe.holding[d] = c.bodies->prescribed_indices(*body, d);
    if (!is_held())
      report("Body", "its motion is not prescribed: no constraint acts on it");
  }

  const CaseInput &input;
  const RigidNames &rigid;
  const Case<dim> &c;
  const std::string path;
  std::string kind;
  bool has_point;
  Probe<dim> probe;
};

} // namespace

template <int dim>
void read_probes(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const auto names = input.subsections(probes_section);
  input.refuse_unused(probes_section + "/Interval", !names.empty(), "without a probe");
  c.probe_interval =
      static_cast<unsigned int>(input.parameters.get_integer(probes_section + "/Interval"));
  for (const auto &name : names)
    c.probes.push_back(ProbeReader<dim>(input, rigid, c, name).read());
}

template void read_probes(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_probes(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
