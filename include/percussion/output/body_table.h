#pragma once

#include <percussion/body/attitude.h>
#include <percussion/body/rigid_body.h>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace percussion {

template <int dim>
class System;
template <int dim>
struct State;

/// Rotation of a body's own axes: the angle [rad] in 2D, a quaternion in 3D.
template <int dim>
using BodyAttitude = std::conditional_t<dim == 2, double, Quaternion>;

/// Shape and initial placement of a rigid body, as in a row of a table of bodies.
template <int dim>
struct BodyRow {
  std::string shape;            ///< value of the entry Shape
  std::array<double, 3> size{}; ///< sizes in the order of size_columns() [length]
  BodyAttitude<dim> attitude{}; ///< initial rotation of the shape
  /// Initial velocities of a body with a row of its own: of the centre of mass, and angular, in 3D
  /// about axes parallel to the coordinates. None: the velocities of its section.
  std::optional<std::array<double, RigidBody<dim>::n_dofs>> velocity;
};

/// Returns the columns with the sizes of a shape; none for polygons and polyhedra, whose vertices
/// are an entry of the section.
std::vector<std::string> size_columns(const std::string &shape);

/// Names of the columns of position, attitude and velocity.
template <int dim>
std::vector<std::string> motion_columns();

/// Bodies of a section in a form from which another case can read them.
template <int dim>
struct BodyTable {
  std::string section;              ///< name of the section
  std::vector<unsigned int> bodies; ///< rigid bodies of the rows
  std::vector<BodyRow<dim>> rows;
};

/// Writes the bodies in their current positions and velocities. Throws WriteError if the file
/// cannot be written.
template <int dim>
void write_body_table(const std::string &file,
                      const std::vector<std::pair<std::string, std::string>> &comments,
                      const BodyTable<dim> &table, const System<dim> &system,
                      const State<dim> &state);

} // namespace percussion
