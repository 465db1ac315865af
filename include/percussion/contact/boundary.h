#pragma once

#include <percussion/body/trace.h>
#include <percussion/contact/bond_law.h>
#include <percussion/contact/contact_key.h>
#include <percussion/contact/contact_point.h>
#include <percussion/contact/facets.h>
#include <percussion/contact/formulation.h>
#include <percussion/contact/friction_formula.h>
#include <percussion/contact/impact_law.h>
#include <percussion/contact/rate_state.h>
#include <percussion/contact/surface.h>

#include <deal.II/base/types.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace percussion {

/// Discretisation of contact between the boundaries of deformable bodies.
enum class Discretisation {
  mortar,             ///< mean over the surroundings of each node of the coarser side
  mortar_of_region,   ///< mean over the surroundings of each node of ContactSides::own_side
  nodes,              ///< nodes of one side against faces of the other
  nodes_of_both_sides ///< nodes of each side against faces of the other
};

/// Side of a pair: a region of an elastic body, by its name.
struct ElasticRegion {
  std::string name;
};

/// Side of a pair: faces of regions of elastic bodies, by their names.
struct ElasticRegions {
  std::vector<std::string> names;
};

/// Side of a pair: rigid bodies, by ascending indices.
struct RigidBodies {
  std::vector<unsigned int> indices;
};

/// Two sides that may touch. Points of the pair's own side are in contact with the opposite side;
/// with some discretisations on faces also the reverse.
template <int dim>
struct ContactSides {
  std::variant<RigidBodies, ElasticRegion> own_side;
  std::variant<Surface<dim>, RigidBodies, ElasticRegions> opposite_side;
  Discretisation discretisation = Discretisation::nodes; ///< discretisation of contact on faces

  /// Returns the region of the own side; null if it consists of rigid bodies.
  const std::string *region() const {
    const auto *const region = std::get_if<ElasticRegion>(&own_side);
    return region ? &region->name : nullptr;
  }
  /// Returns the opposite surface; null if the opposite side consists of bodies.
  const Surface<dim> *surface() const { return std::get_if<Surface<dim>>(&opposite_side); }
  /// Returns the rigid bodies of the own side.
  const std::vector<unsigned int> &bodies() const { return bodies_of(own_side); }
  /// Returns the opposite rigid bodies.
  const std::vector<unsigned int> &opposite_bodies() const { return bodies_of(opposite_side); }
  /// Returns the opposite regions.
  const std::vector<std::string> &opposite_regions() const {
    static const std::vector<std::string> no_regions;
    const auto *const regions = std::get_if<ElasticRegions>(&opposite_side);
    return regions ? regions->names : no_regions;
  }

  /// True if the opposite side consists of rigid bodies or faces, not of a surface.
  bool is_between_bodies() const { return surface() == nullptr; }
  /// True if the opposite side consists of faces of elastic bodies.
  bool is_on_faces() const { return std::holds_alternative<ElasticRegions>(opposite_side); }
  /// True if both sides consist of rigid bodies.
  bool is_between_rigid_bodies() const {
    return !region() && std::holds_alternative<RigidBodies>(opposite_side);
  }
  /// True if gaps are linear in the displacements: nodes of elastic bodies against a plane that
  /// does not turn. On curved surfaces, rigid bodies and faces, the gap at the end of a step is not
  /// d0 + h u_N.
  bool has_linear_gaps() const {
    return region() && surface() && !surface()->turn &&
           std::holds_alternative<HalfPlane<dim>>(surface()->shape);
  }
  /// True if a boundary is in contact with itself.
  bool is_self_contact() const {
    return region() && opposite_regions() == std::vector<std::string>{*region()};
  }
  /// True if gaps and pressures are means over the surroundings of nodes.
  bool is_mortar() const {
    return discretisation == Discretisation::mortar ||
           discretisation == Discretisation::mortar_of_region;
  }
  /// Returns the rigid bodies that nodes of elastic bodies may touch.
  const std::vector<unsigned int> &bodies_opposite_to_nodes() const {
    return is_on_faces() && discretisation == Discretisation::nodes_of_both_sides
               ? bodies()
               : opposite_bodies();
  }

private:
  template <typename Side>
  static const std::vector<unsigned int> &bodies_of(const Side &side) {
    static const std::vector<unsigned int> no_bodies;
    const auto *const bodies = std::get_if<RigidBodies>(&side);
    return bodies ? bodies->indices : no_bodies;
  }
};

/// Friction of a pair: Coulomb's against sliding, and moments against rolling and spinning.
template <int dim>
struct PairFriction {
  double friction = 0; ///< coefficient of friction μ
  /// Formula of the coefficient of friction; null: the coefficient is constant.
  std::shared_ptr<const FrictionFormula> friction_formula;
  /// Coefficient of friction across the direction of friction, over the coefficient along it [1]:
  /// the friction cone is elliptic unless the ratio is 1.
  double friction_ratio = 1;
  dealii::Tensor<1, dim> friction_direction; ///< fixed to the surface, of any length
  /// In 2D, coefficient of friction against slip in the direction −t over the coefficient against
  /// slip in the direction t, the normal turned clockwise [1].
  double backward_friction_ratio = 1;
  double rolling_friction = 0;  ///< largest moment against rolling, over the normal force [length]
  double spinning_friction = 0; ///< in 3D, largest moment against spinning, likewise [length]

  RateStateLaw rate_law; ///< dependence on the slip speed of the step

  /// True if the coefficient of friction may be positive.
  bool has_friction() const {
    return friction > 0. || friction_formula != nullptr || rate_law.exists();
  }
  /// True if friction depends on the direction of slip.
  bool has_elliptic_cone() const { return friction_ratio != 1.; }
  /// True if coefficients of friction differ forward and backward.
  bool has_unequal_friction() const { return backward_friction_ratio != 1.; }
  /// True if contacts of round bodies resist rolling or spinning.
  bool has_moments() const { return rolling_friction > 0. || spinning_friction > 0.; }
};

/// Formulation of the contact law of a pair, with springs or multipliers where it has them.
struct PairFormulation {
  ContactPoints contact_points = ContactPoints::nodes; ///< contact points of a region
  /// Formulation of the law; quadrature points are required unless it is collocated.
  Formulation formulation = Formulation::collocated;
  /// Stiffness of springs that replace contacts [mass / (length² time²); for points of rigid bodies
  /// mass / time²]. Zero: from the elements at the point.
  double penalty_stiffness = 0;
  /// Symmetry factor Θ of Nitsche's method: 1 symmetric, 0 non-symmetric, −1 skew; 1 for springs.
  double symmetry = 1;
  /// Augmentation factors ρ_n and ρ_t of Formulation::multipliers [mass / (length² time)]. Zero:
  /// 100 r h, with the step length h and the largest spring stiffness r of the pair's points.
  double normal_augmentation = 0, tangential_augmentation = 0;

  /// Returns the functions of the multipliers of a mortar.
  MortarFunctions mortar_functions() const {
    return contact_points == ContactPoints::quadrature ? MortarFunctions::quadrature
                                                       : MortarFunctions::dual;
  }
};

/// Treatment of overlaps of the undeformed bodies at the contacts of a pair.
struct InitialOverlap {
  enum class Treatment { automatic, kept, resolved, refused };

  Treatment treatment = Treatment::automatic;
  double begin = 0, duration = 0; ///< time span of Treatment::resolved [time]

  /// True if an overlap of any depth is a reference gap.
  bool is_reference() const {
    return treatment == Treatment::kept || treatment == Treatment::resolved;
  }
  /// Returns the fraction of an overlap from which gaps are measured at time t.
  double reference_fraction(double t) const {
    return treatment == Treatment::resolved ? std::clamp(1. - (t - begin) / duration, 0., 1.) : 1.;
  }
};

/// Contact pair: two sides with one law.
template <int dim>
struct ContactPair : ContactSides<dim>, PairFriction<dim>, PairFormulation {
  std::string name;                                  ///< name given by the user
  ImpactLawKind law = ImpactLawKind::newton_coulomb; ///< impact law of all contacts of the pair
  Restitution restitution;                           ///< restitution parameters of the law
  /// Depth of wear per slip and pressure (Archard's k over the hardness) [1 / stress]
  double wear_coefficient = 0;
  BondLaw bond;             ///< law of the bonds of closed contacts
  double gap_tolerance = 0; ///< fraction of the local mesh size up to which a gap counts as closed
  /// Largest gap or overlap of the undeformed bodies that counts as closed [length]; see
  /// measure_reference_gaps().
  double largest_reference_gap = 0;
  InitialOverlap initial_overlap;
};

/// Contacts whose law projected iterations solve without a factor of the matrix.
enum class Projectable { all, most, none };

/// Contribution of an entry of the trace to the velocity of one side of a contact relative to the
/// other: u = Σ weight v_entry.
template <int dim>
struct Support {
  unsigned int entry;
  /// Velocity of the contact per unit of the entry: shape value or mortar weight times a unit
  /// vector [1], or moment arm [length]; negative on the opposite side.
  dealii::Tensor<1, dim> weight;
};

/// Gap of the undeformed bodies at an initially closed contact, from which its gaps are measured.
struct ReferenceGap {
  ContactKey key;
  double gap; ///< reference gap; negative: the meshes overlap [length]
};

/// Multipliers of the nodes of a pair. Their shape functions N_a have the mass Σ_g w_g N_a N_b,
/// summed over the quadrature points g of the faces. On faces of elastic bodies, only points in
/// front of the opposite side have a weight, which changes: see add_augmentation().
struct Multipliers {
  /// First entry of each node in the trace, ascending; empty on faces of elastic bodies.
  std::vector<unsigned int> entries;
  /// Inverse of the mass [1 / (length^(dim−1) × thickness)].
  dealii::FullMatrix<double> inverse_of_mass;
  double spring = 0; ///< largest spring stiffness of the points
};

/// Points of all bodies that may be in contact, contact pair by contact pair. Their number grows
/// with the number of nodes and vertices, not with the number of possible contacts.
template <int dim>
class Boundary {
public:
  /// Collects the points. Throws InputError if a region has no faces or its faces branch, or if two
  /// pairs define contact between the same two bodies.
  Boundary(const System<dim> &bodies, std::vector<ContactPair<dim>> pairs);

  const System<dim> &system;
  std::vector<ContactPair<dim>> pairs; ///< contact pairs as given
  const Trace<dim> trace;              ///< nodes of the contact surfaces, and rigid bodies
  ContactPointList<dim> points;        ///< contact points, pair by pair
  /// Index of the first point of each pair, followed by the number of points.
  std::vector<unsigned int> first_point;
  /// Remarks on points that were changed or left out because their motion is prescribed.
  std::vector<std::string> remarks;
  /// Regions whose nodes or quadrature points carry the multipliers of a mortar pair of two sides;
  /// empty for other pairs. With Discretisation::mortar, the side with the longer facets on average
  /// carries the multipliers or, if both sides are equally coarse, the side with fewer facets, or
  /// whose region comes first in the alphabet. Exchanging the sides of the pair has no effect.
  std::vector<std::vector<std::string>> carriers;
  /// Facets of both sides of all pairs on faces.
  std::vector<Facets<dim>> facets;
  /// Size of each rigid body: largest distance of two vertices plus twice the largest radius
  /// [length].
  std::vector<double> sizes;
  std::vector<ReferenceGap> reference_gaps; ///< reference gaps by ascending keys
  std::vector<Support<dim>> supports;       ///< supports of quadrature points
  std::vector<Multipliers> multipliers;     ///< multipliers of each pair; may be empty
  /// Returns the pressure of the multipliers at point i due to a unit force at point j of the same
  /// pair: N(x_i)ᵀ M⁻¹ N(x_j).
  double pressure_by_multipliers(unsigned int i, unsigned int j) const;

  /// Returns the displacement or velocity of a point of an elastic body.
  dealii::Tensor<1, dim> value_at(const ContactPoint<dim> &point, const TraceField &field) const {
    dealii::Tensor<1, dim> value;
    const SupportRange shape = point.shape();
    for (unsigned int d = 0; d < dim && shape.empty(); ++d)
      value[d] = field[point.entry + d];
    for (unsigned int k = shape.begin; k < shape.end; ++k)
      value += field[supports[k].entry] * supports[k].weight;
    return value;
  }
  /// Returns the traction at a quadrature point due to the stress of its body [stress].
  dealii::Tensor<1, dim> traction(const ContactPoint<dim> &point, const TraceField &q) const {
    dealii::Tensor<1, dim> value;
    const SupportRange traction_of_point = point.traction();
    for (unsigned int k = traction_of_point.begin; k < traction_of_point.end; ++k)
      value += q[supports[k].entry] * supports[k].weight;
    return value;
  }

  /// Returns the contacts whose law is solved without a factor. Contacts at quadrature points are
  /// not; if a node between two sides moves as prescribed, its contact may have a tangent that
  /// cannot move, and in some steps projection fails.
  Projectable projectable() const;

  /// Returns the number of contact points of a pair.
  unsigned int n_points(unsigned int pair) const {
    return first_point[pair + 1] - first_point[pair];
  }
  /// Returns the pair of contact point i.
  unsigned int pair_of(unsigned int i) const;

  /// Returns the index of the first vertex of a rigid body in a pair between rigid bodies; the
  /// vertices of a body are consecutive points.
  unsigned int first_vertex(unsigned int pair, unsigned int body) const {
    return vertices[pair][body];
  }

  /// True if a pair admits contact between two rigid bodies.
  bool admits_contact(unsigned int pair, unsigned int a, unsigned int b) const;

  /// True if a row of H, given by entries of the trace and values, acts on any entry whose motion
  /// is not prescribed.
  bool acts_on_free_entries(const unsigned int *entry, const double *value, unsigned int n) const;

private:
  struct OwnRegion {
    const ElasticBody<dim> &body;
    const Region &region;
    unsigned int elastic;
  };
  OwnRegion own_region(const ContactPair<dim> &pair) const;
  double spring(const ContactPair<dim> &pair, unsigned int elastic, double size) const;
  static void set_law(const ContactPair<dim> &pair, double size, double stiffness,
                      bool may_have_friction, ContactPoint<dim> &point);
  /// Prescribed directions of a node: their number, and whether they remove its friction.
  struct Held {
    unsigned int n_directions;
    bool has_no_friction;
  };
  Held held_directions(const ContactPair<dim> &pair, unsigned int first_entry) const;
  void add_nodes(unsigned int pair);
  void add_quadrature_points(unsigned int pair);
  void add_quadrature_points_of_facets(unsigned int pair, unsigned int own_facets,
                                       unsigned int opposite_facets,
                                       const std::vector<std::string> &regions);
  void add_points_of_facets(unsigned int pair, unsigned int own_facets,
                            unsigned int opposite_facets, const std::vector<std::string> &regions);
  void make_multipliers(unsigned int pair);
  void add_sides(unsigned int pair);
  bool opposite_side_carries(unsigned int pair, const Facets<dim> &own_facets,
                             const Facets<dim> &opposite_facets) const;
  void add_nodes_of_facets(unsigned int pair, unsigned int own_facets,
                           std::optional<unsigned int> opposite_facets);
  void add_vertices_on_facets(unsigned int pair, unsigned int opposite_facets);
  void add_points_of_bodies(unsigned int pair);
  void add_points_of_shape(unsigned int pair, unsigned int body, unsigned int index);
  void add_vertices(unsigned int pair);
  ContactPoint<dim> point_of_body(unsigned int pair, const RigidPoint &rigid_point,
                                  const dealii::Point<dim> &position) const;
  bool is_held(unsigned int body) const;
  void refuse_repeated_bodies() const;

  /// Role of a rigid body in a pair between rigid bodies.
  struct Role {
    bool is_own = false, is_opposite = false;
  };
  std::vector<std::vector<Role>> roles;            ///< [pair][body]
  std::vector<std::vector<unsigned int>> vertices; ///< [pair][body]
  std::vector<bool> is_fixed; ///< true if all motion of a rigid body is prescribed
};

/// Adds the terms of Nitsche's method beyond the contact forces, −Θ ∫ γ σ_n σ_n(δq), to the
/// stiffness; with friction, the terms contain the entire traction. Θ is PairFormulation::symmetry,
/// 1/γ the stiffness of the springs.
template <int dim>
void add_nitsche_terms(const Boundary<dim> &boundary, SparseMatrix &stiffness);

} // namespace percussion
