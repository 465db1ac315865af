#include <percussion/base/format.h>
#include <percussion/body/link_forces.h>

#include "link_bounds.h"
#include "link_ends.h"
#include <cmath>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

namespace {

const std::string joints_section = "Joints";

/// Row of the table of kinds.
struct KindEntry {
  LinkKind kind;
  const char *name, *description;
};
constexpr KindEntry kinds[] = {
    {LinkKind::pin, "ball", "two points coincide"},
    {LinkKind::hinge, "hinge",
     "a ball joint whose bodies rotate relative to each other about Axis "
     "only"},
    {LinkKind::slider, "slider", "the second body moves along Axis of the first, without rotation"},
    {LinkKind::cylindrical, "cylindrical", "a slider whose second body may also rotate about Axis"},
    {LinkKind::universal, "universal",
     "a ball joint that keeps the angle between Axis of the first and Second axis of the second "
     "body"},
    {LinkKind::weld, "weld", "a ball joint without rotation of the bodies relative to each other"},
    {LinkKind::distance, "distance",
     "a rigid rod without mass between two points or, with a limit, a rope or strut"},
    {LinkKind::spring, "spring",
     "a spring and a dashpot in parallel along the line between two points"}};

/// Entries of the motors of a coordinate.
struct MotorEntries {
  const char *position, *velocity, *force;
};
constexpr MotorEntries along_axis = {"Motor displacement", "Motor velocity", "Motor force"},
                       about_axis = {"Motor angle", "Motor angular velocity", "Motor torque"};

const std::vector<std::string> with_axis = {"hinge", "slider", "cylindrical", "universal"},
                               turning = {"hinge", "cylindrical"},
                               sliding = {"slider", "cylindrical"};

UsedIf if_kind(std::vector<std::string> names, const std::string &added_name = "") {
  if (!added_name.empty())
    names.push_back(added_name);
  return {"Kind", std::move(names), false, ""};
}

void declare_drives(ParameterDeclarations &declarations) {
  const UsedIf slides = if_kind(sliding, "spring"), turns = if_kind(turning);
  declarations.declare("Stiffness", "0", Double(0.),
                       "Force of a spring per elongation, or per displacement along Axis [M/T^2].",
                       slides);
  declarations.declare("Rest length", "", OrNothing(Double()),
                       "Length of a spring, or displacement along Axis, without force [L]. "
                       "Default: at the start, minus Tension at start / Stiffness for a spring.",
                       slides);
  declarations.declare("Tension at start", "0", Double(),
                       "Force of a spring at the start, negative in compression [M L/T^2].",
                       if_kind({}, "spring"));
  declarations.declare("Damping", "0", Double(0.),
                       "Force of a dashpot per rate of elongation or displacement [M/T].", slides);
  declarations.declare("Torsion stiffness", "0", Double(0.),
                       "Torque of a spring per angle about Axis [M L^2/T^2]. Angles count full "
                       "turns.",
                       turns);
  declarations.declare("Rest angle", "0", Double(), "Angle about Axis without torque [rad].",
                       turns);
  declarations.declare("Torsion damping", "0", Double(0.),
                       "Torque of a dashpot per angular velocity about Axis [M L^2/T].", turns);
}

void declare_motors(ParameterDeclarations &declarations) {
  const std::string of_second = " of the second body relative to the first, or to the ground",
                    default_free = " Default: free.", default_zero = " Default: zero.";
  declarations.declare(along_axis.position, "", formula_of("t"),
                       "Prescribed displacement along Axis" + of_second +
                           ", or change of a distance [L]." + default_free,
                       if_kind(sliding, "distance"));
  declarations.declare(along_axis.velocity, "", formula_of("t"),
                       "Prescribed rate of this displacement or distance [L/T]." + default_free,
                       if_kind(sliding, "distance"));
  declarations.declare(along_axis.force, "", formula_of("t"),
                       "Force along Axis on the second body, or along a spring, positive if it "
                       "pushes its ends apart [M L/T^2]." +
                           default_zero,
                       if_kind(sliding, "spring"));
  declarations.declare(about_axis.position, "", formula_of("t"),
                       "Prescribed angle about Axis" + of_second + " [rad]." + default_free,
                       if_kind(turning));
  declarations.declare(about_axis.velocity, "", formula_of("t"),
                       "Prescribed rate of this angle [rad/T]." + default_free, if_kind(turning));
  declarations.declare(about_axis.force, "", formula_of("t"),
                       "Torque about Axis on the second body [M L^2/T^2]." + default_zero,
                       if_kind(turning));
}

} // namespace

void declare_joints(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, joints_section);
  std::string names, descriptions;
  for (const KindEntry &kind : kinds) {
    names += (names.empty() ? "" : "|") + std::string(kind.name);
    descriptions += std::string(" ") + kind.name + ": " + kind.description + ".";
  }
  const OrNothing point(List(Double(), 3, 3));
  for (const auto &name : named_subsections(declarations, file, joints_section, "<joint>")) {
    const Subsection joint_section(declarations, name);
    declarations.declare("Kind", "ball", Selection(names),
                         "Kind of the joint." + descriptions +
                             " Joints do no work, except at their limits and by friction.");
    declarations.declare(
        "Bodies", "",
        Described("the name of a rigid body or of a region, or two of these names, which a comma "
                  "separates"),
        "First and second body: rigid bodies or, for ball, distance and spring, regions of elastic "
        "bodies, by the mean over their nodes. With one name, the first is the ground.");
    declarations.declare("Point", "", point,
                         "Initial position x, y, z of the joint; of distance and spring, of the "
                         "end at the first body [L]. Default: the middle of a region.");
    declarations.declare("Second point", "", point,
                         "Initial position x, y, z of the end of a distance or spring at the "
                         "second body [L]. Default: the middle of a region.",
                         if_kind({"distance"}, "spring"));
    declarations.declare("Axis", "0, 0, 1", List(Double(), 3, 3),
                         "Initial direction x, y, z, of any length, of the axis of the first body.",
                         if_kind(with_axis));
    declarations.declare("Second axis", "", point,
                         "Initial direction x, y, z, of any length, of the axis of a universal "
                         "joint in the second body.",
                         if_kind({}, "universal"));
    declare_drives(declarations);
    declare_motors(declarations);
    declare_bounds(declarations, {"Kind",
                                  sliding,
                                  {"distance", "spring"},
                                  {"hinge", "cylindrical", "universal"},
                                  {"universal"}});
  }
}

namespace {

/// Reader of one joint; errors are reported.
class JointReader {
public:
  JointReader(const CaseInput &s, const RigidNames &r, Case<3> &the_case, const std::string &name)
      : section(s), rigid(r), c(the_case), kind(section.get("Kind")) {
    joint.name = name;
    for (const KindEntry &entry : kinds)
      if (entry.name == kind)
        joint.kind = entry.kind;
  }

  /// Reads the joint and adds it to the case.
  void read() {
    section.refuse_idle_entries();
    if (!read_bodies() || !read_points() || !read_axes())
      return;
    read_motors();
    read_bounds(section, c, joint);
    if (joint.kind == LinkKind::spring)
      read_spring(section, c, joint);
    else if (joint.kind == LinkKind::distance)
      read_distance();
    else
      read_drives();
    check_start();
    if (section.problems.empty())
      check_bounds(section, c, joint);
    c.bodies->links.push_back(std::move(joint));
  }

private:
  bool has_two_points() const {
    return joint.kind == LinkKind::spring || joint.kind == LinkKind::distance;
  }

  bool read_bodies() {
    const auto names = section.list("Bodies");
    if (names.empty() || names.size() > 2) {
      if (section.is_understood())
        section.report("Bodies", names.empty() ? "the joint has no body: give one or two names"
                                               : "a joint has at most two bodies");
      return false;
    }
    bool is_fastened = true;
    if (names.size() == 2)
      is_fastened = fasten(section, "Bodies", names.front(), rigid, c, joint.first);
    is_fastened = fasten(section, "Bodies", names.back(), rigid, c, joint.second) && is_fastened;
    if (is_fastened && joint.first.rigid && joint.first.rigid == joint.second.rigid) {
      section.report("Bodies", "both names are the same body");
      return false;
    }
    const bool has_region = !joint.first.nodes.empty() || !joint.second.nodes.empty();
    if (is_fastened && has_region && joint.kind != LinkKind::pin && !has_two_points()) {
      section.report("Kind", "a region has no angle that a " + kind +
                                 " could keep; allowed is ball, distance or spring");
      return false;
    }
    return is_fastened;
  }

  /// Reads the position of an end that is not on a region.
  bool read_point(const std::string &entry, LinkEnd<3> &end) {
    if (!end.nodes.empty()) {
      section.refuse_unused(entry, false, "at a region: the joint is at its middle");
      return !section.has(entry);
    }
    if (section.has(entry))
      end.position = dealii::Point<3>(section.vector<3>(entry));
    else if (section.is_understood())
      section.report(entry, "a point x, y, z is needed here: the initial position of the joint");
    return section.has(entry);
  }

  bool read_points() {
    if (has_two_points())
      return read_point("Point", joint.first) && read_point("Second point", joint.second);
    const bool has_region = !joint.first.nodes.empty() || !joint.second.nodes.empty();
    LinkEnd<3> &free_end = joint.first.nodes.empty() ? joint.first : joint.second,
               &other_end = joint.first.nodes.empty() ? joint.second : joint.first;
    if (has_region && !section.has("Point"))
      free_end.position = free_end.nodes.empty() ? other_end.position : free_end.position;
    else if (!read_point("Point", free_end))
      return false;
    if (joint.second.nodes.empty() && joint.first.nodes.empty())
      joint.second.position = joint.first.position;
    const double apart = end_vector(joint, c).norm(),
                 size = joint.first.position.norm() + joint.second.position.norm();
    if (apart > 1e-9 * size)
      section.report_idle(
          format("its ends are %.3g apart at the start; the ends of a joint must coincide", apart));
    return true;
  }

  bool read_direction(const std::string &entry, dealii::Tensor<1, 3> &direction) const {
    if (section.has(entry))
      direction = section.vector<3>(entry);
    if (direction.norm() > 0.)
      return true;
    section.report(entry, "a direction x, y, z of nonzero length is needed here");
    return false;
  }

  bool read_axes() {
    if (std::find(with_axis.begin(), with_axis.end(), kind) == with_axis.end())
      return true;
    if (!read_direction("Axis", joint.axis) ||
        (joint.kind == LinkKind::universal && !read_direction("Second axis", joint.second_axis)))
      return false;
    constexpr double least_sine = 1e-6;
    if (joint.kind == LinkKind::universal &&
        cross_product_3d(joint.axis, joint.second_axis).norm() <
            least_sine * joint.axis.norm() * joint.second_axis.norm()) {
      section.report("Second axis",
                     "it is parallel to Axis; a universal joint needs two directions");
      return false;
    }
    return true;
  }

  LinkMotor read_motor(const MotorEntries &entries) const {
    using Kind = LinkMotor::Kind;
    LinkMotor motor;
    std::string first_entry;
    for (const auto &[entry, motor_kind] :
         {std::pair{entries.position, Kind::position}, std::pair{entries.velocity, Kind::velocity},
          std::pair{entries.force, Kind::force}}) {
      auto formula = section.formula_of_time(entry, "a motor acts on the joint as a whole",
                                             first_and_last_time(c));
      if (!formula)
        continue;
      if (motor.kind != Kind::none)
        section.report(entry, "this joint has a " + first_entry +
                                  " already; remove one of the two entries");
      first_entry = entry;
      motor = {motor_kind, std::move(formula)};
    }
    return motor;
  }

  void read_motors() {
    joint.motor = read_motor(along_axis);
    joint.rotation.motor = read_motor(about_axis);
    const auto refuse = [&](const LinkMotor &motor, const std::vector<std::string> &entries,
                            const MotorEntries &motors) {
      for (const std::string &entry : entries)
        section.refuse_unused(entry, !motor.is_holding(),
                              "with " + std::string(motor.kind == LinkMotor::Kind::position
                                                        ? motors.position
                                                        : motors.velocity));
    };
    refuse(joint.motor, {"Stiffness", "Rest length", "Damping"}, along_axis);
    refuse(joint.rotation.motor, {"Torsion stiffness", "Rest angle", "Torsion damping"},
           about_axis);
  }

  void read_distance() {
    joint.rest_length = end_vector(joint, c).norm();
    if (joint.rest_length == 0. && !joint.bounds.has_limit())
      section.report_idle("both ends have the same initial position, so that the distance has no "
                          "direction; take Kind = ball");
  }

  void read_drives() {
    joint.stiffness = section.number("Stiffness");
    joint.damping = section.number("Damping");
    if (section.has("Rest length"))
      joint.rest_length = section.number("Rest length");
    section.refuse_unused("Rest length", joint.stiffness > 0., "with Stiffness = 0");
    joint.rotation.stiffness = section.number("Torsion stiffness");
    joint.rotation.damping = section.number("Torsion damping");
    joint.rotation.rest = section.number("Rest angle");
    section.refuse_unused("Rest angle", joint.rotation.stiffness > 0.,
                          "with Torsion stiffness = 0");
    if (joint.motor.is_holding())
      joint.rest_length = 0.;
    if (joint.rotation.motor.is_holding())
      joint.rotation.rest = 0.;
  }

  /// Reports a motor whose first position is not the initial one.
  void check_start() const {
    if (!section.problems.empty() || !section.parameters.get("Initial state/From").empty())
      return;
    constexpr double tolerance = 1e-9;
    const double size = joint.first.position.norm() + joint.second.position.norm();
    for (const auto &[motor, entry, scale] :
         {std::tuple{&joint.motor, along_axis.position, size},
          std::tuple{&joint.rotation.motor, about_axis.position, 1.}})
      if (motor->kind == LinkMotor::Kind::position)
        if (const double start = (*motor->formula)(c.span.start);
            std::abs(start) > tolerance * scale)
          section.report(entry, format("it is %.3g at the start, and the bodies are given in their "
                                       "initial positions: it must begin with 0",
                                       start));
  }

  const CaseInput section;
  const RigidNames &rigid;
  Case<3> &c;
  const std::string kind;
  Link<3> joint;
};

/// Rate of a coordinate that a motor prescribes.
struct MotorRate {
  double at_start = 0; ///< rate at the start, the slope of a parabola through the first step
  double size = 0;     ///< magnitude in the first step, beside which a rate is round-off
};

/// Returns the rate that a held coordinate has at the start.
MotorRate initial_rate(const LinkMotor &motor, double t0, double h) {
  const Expression &formula = *motor.formula;
  if (motor.kind == LinkMotor::Kind::velocity)
    return {formula(t0), std::abs(formula(t0))};
  if (motor.kind != LinkMotor::Kind::position)
    return {0., 0.};
  const double begin = formula(t0), middle = formula(t0 + 0.5 * h), end = formula(t0 + h);
  return {(4. * middle - 3. * begin - end) / h, std::abs(end - begin) / h};
}

/// Warns of joints that the initial velocities contradict.
void warn_of_velocities(Case<3> &c) {
  constexpr double tolerance = 1e-6, tolerance_of_motors = 1e-2;
  LinkForces<3> forces(*c.bodies);
  Vector force(c.bodies->n_dofs());
  const double t0 = c.span.start, h = c.choices.h, largest = c.initial.v.linfty_norm();
  forces.begin_step(c.initial.q, {}, {t0, t0 + h, c.choices.theta});
  forces.begin_bounds(c.initial.v, h, {});
  forces.evaluate(c.initial.q, h, std::vector<double>(forces.n_impulses(), 0.), force);
  const std::vector<double> rates = forces.held_rates(c.initial.v);
  auto rate = rates.begin();
  const auto begins_with_jump = [&](const Link<3> &link) {
    bool jumps = false;
    for (const LinkCoordinate<3> &coordinate : coordinates_of(link))
      if (coordinate.is_held) {
        const LinkMotor &motor = coordinate.drive.motor;
        const MotorRate demanded = motor.is_holding() ? initial_rate(motor, t0, h) : MotorRate();
        jumps = jumps || std::abs(*rate++ - demanded.at_start) >
                             (motor.is_holding() ? tolerance_of_motors : tolerance) *
                                 (largest + demanded.size);
      }
    return jumps;
  };
  for (const Link<3> &link : c.bodies->links)
    if (begins_with_jump(link))
      c.warnings.push_back(
          "joint '" + link.name +
          "': its bodies begin with other velocities than it permits; the joint changes these "
          "velocities at once, and without numerical dissipation (Theta = 0.5) they oscillate "
          "about the correct values from step to step");
}

} // namespace

void read_joints(const CaseInput &input, const RigidInput<3> &rigid, Case<3> &c) {
  for (const auto &name : input.subsections(joints_section))
    JointReader(input.in(joints_section + "/" + name), rigid, c, name).read();
  if (!c.bodies->links.empty() && input.problems.empty())
    try {
      warn_of_velocities(c);
    } catch (const RunError &) { // a formula that has no value is reported elsewhere
    }
}

} // namespace percussion
