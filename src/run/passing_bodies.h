#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>
#include <percussion/run/case.h>

namespace percussion {

/// Looks for bodies that pass each other, or a surface, within a step: contacts are found at the
/// ends of steps, so that bodies which are apart at both ends have not met for the step.
template <int dim>
class PassingBodies {
public:
  /// The case must live as long.
  explicit PassingBodies(const Case<dim> &of_case);

  /// Returns a sentence on the first contact that has been passed in the step that ends with this
  /// state; empty if there is none. Bodies that move by less than a quarter of the thickness of the
  /// smaller one cost one look at the velocities; the path of others is searched for contacts.
  std::string look(const State<dim> &state, const StepRecord<dim> &record);

private:
  /// Box around a body, at the begin and the end of a step.
  struct Box {
    dealii::Point<dim> lower, upper;
  };
  struct Path {
    Box begin, end;
    double length = 0; ///< largest displacement of a point of the body, at most [length]
  };
  std::vector<double> speeds(const State<dim> &state) const;
  bool some_are_fast(const std::vector<double> &speeds, double h) const;
  Box box(std::size_t body, const Vector &q) const;
  bool meets_surface(std::size_t body) const;
  std::vector<double> instants(const std::vector<double> &speeds, const Vector &begin,
                               const State<dim> &state) const;
  std::string sentence(const State<dim> &state, const Contact<dim> &contact,
                       const std::vector<double> &speeds) const;

  const Case<dim> &c;
  ContactFinder<dim> finder;
  std::size_t n_elastic;
  std::vector<double> thickness; ///< of the elastic bodies, then of the rigid ones [length]
  std::vector<double> reach;     ///< largest distance of a point from the centre of a rigid body
  double smallest_thickness;
};

} // namespace percussion
