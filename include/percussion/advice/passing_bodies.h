#pragma once

#include <percussion/case/case.h>
#include <percussion/contact/broad_phase.h>
#include <percussion/contact/find.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// Watch for bodies that pass each other, or a surface, within a step. Contacts are found at the
/// ends of steps: the step does not notice a contact of bodies that are apart at both ends.
template <int dim>
class PassingBodies {
public:
  /// Prepares the watch. The case must outlive it.
  explicit PassingBodies(const Case<dim> &the_case);

  /// Returns a sentence on the first contact that was passed in the step ending with this state, or
  /// whose bodies overlap by more than half of a thickness at its end; empty if there is none. If
  /// all bodies move by less than a quarter of the thickness of the thinner one, only velocities
  /// are compared; otherwise contacts are searched along the paths of the bodies.
  std::string look(const State<dim> &state, const StepRecord<dim> &record);

private:
  using Box = typename NearBodies<dim>::Box;
  struct Path {
    Box begin, end;
    double length = 0; ///< upper bound of the displacement of any point of the body [length]
  };
  std::vector<double> speeds(const State<dim> &state) const;
  Box box(std::size_t body, const Vector &q) const;
  std::size_t index_of(const ContactPoint<dim> &point) const;
  bool meets_surface(std::size_t body) const;
  std::vector<double> instants(const std::vector<double> &speeds, const Vector &begin,
                               const State<dim> &state) const;
  /// Returns a sentence on bodies that overlap by more than half of the thickness of the thinner
  /// one at the end of the step; empty if there are none.
  std::string overlap(const State<dim> &state, const StepRecord<dim> &record,
                      const std::vector<double> &speeds) const;
  std::string sentence(const State<dim> &state, const Contact<dim> &contact,
                       const std::vector<double> &speeds) const;
  /// Returns the body of the opposite side of a contact, if it has one.
  std::optional<std::size_t> opposite_body(const Contact<dim> &contact) const;

  const Case<dim> &c;
  ContactFinder<dim> finder;
  std::size_t n_elastic;
  std::vector<double>
      thickness; ///< thickness of the elastic bodies, then of the rigid ones [length]
  std::vector<double>
      reach; ///< largest distance of a point from the centre of each rigid body [length]
  double smallest_thickness;
};

} // namespace percussion
