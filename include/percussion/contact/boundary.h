#pragma once

#include <percussion/body/system.h>
#include <percussion/contact/contact_key.h>
#include <percussion/contact/facets.h>
#include <percussion/contact/formulation.h>
#include <percussion/contact/impact_law.h>
#include <percussion/contact/surface.h>

#include <deal.II/base/types.h>
#include <deal.II/lac/full_matrix.h>

#include <array>
#include <string>
#include <vector>

namespace percussion {

/// How boundaries of bodies that deform are kept out of each other.
enum class Discretisation {
  mortar,             ///< in the mean over the surroundings of each node of the coarser side
  mortar_of_region,   ///< the same of each node of ContactPair::region
  nodes,              ///< nodes of the one against faces of the other
  nodes_of_both_sides ///< of each side against faces of the other
};

/// What may touch what, with one law: a region of an elastic body, or rigid bodies, against a rigid
/// surface, against rigid bodies, or against regions of elastic bodies.
template <int dim>
struct ContactPair {
  std::string name;                  ///< as the user calls it
  std::string region;                ///< of an elastic body, whose nodes may touch; or, if empty,
  std::vector<unsigned int> bodies;  ///< rigid bodies whose points may touch
  Surface<dim> surface;              ///< what they touch, unless
  std::vector<unsigned int> against; ///< they touch these rigid bodies, or
  std::vector<std::string> against_regions;              ///< the faces of these regions
  Discretisation discretisation = Discretisation::nodes; ///< where they do
  ImpactLawKind law = ImpactLawKind::newton_coulomb;     ///< of all its contacts
  Restitution restitution;                               ///< for the law
  double friction = 0;                                   ///< μ
  /// Of springs in place of contacts [mass / (length² time²); of points of rigid bodies mass /
  /// time²]. Zero: by the elements at the point.
  double penalty_stiffness = 0;
  double gap_tolerance = 0; ///< a gap counts as closed up to this share of the local mesh size
  /// Largest gap or overlap of the undeformed bodies that counts as closed [length]; see
  /// measure_reference_gaps().
  double largest_reference_gap = 0;
  Places places = Places::nodes;                     ///< of a region on surfaces and rigid bodies
  Formulation formulation = Formulation::collocated; ///< not collocated: at quadrature points
  /// Of Nitsche's method: 1 symmetric, 0 non-symmetric, −1 skew; of springs: 1.
  double symmetry = 1;
  /// ρ_n and ρ_t of Formulation::multipliers [mass / (length² time)]. Zero: a hundred times the
  /// stiffness of springs times the step.
  double normal_augmentation = 0, tangential_augmentation = 0;

  /// Whether points of bodies meet points of rigid bodies, and not a surface.
  bool is_between_bodies() const { return !against.empty() || is_on_faces(); }
  /// Whether faces of elastic bodies are touched.
  bool is_on_faces() const { return !against_regions.empty(); }
  /// Whether a boundary touches itself.
  bool is_self_contact() const {
    return !region.empty() && against_regions == std::vector<std::string>{region};
  }
  /// Whether gaps and pressures are means over the surroundings of nodes.
  bool is_mortar() const {
    return discretisation == Discretisation::mortar ||
           discretisation == Discretisation::mortar_of_region;
  }
  /// Rigid bodies that nodes of elastic bodies may touch.
  const std::vector<unsigned int> &obstacles() const {
    return is_on_faces() && discretisation == Discretisation::nodes_of_both_sides ? bodies
                                                                                  : against;
  }
};

/// What a degree of freedom adds to the velocity of one side of a contact relative to the other:
/// u = Σ weight v_dof.
template <int dim>
struct Support {
  unsigned int dof;
  dealii::Tensor<1, dim> weight; ///< 1, an arm [length], or minus that for what is touched
};

/// The gap of the undeformed bodies at a contact that begins closed: gaps are measured from it.
struct ReferenceGap {
  ContactKey key;
  double gap; ///< negative: the meshes overlap [length]
};

/// A range of a list of supports.
struct SupportRange {
  unsigned int begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// A point of a body that may touch: a node of an elastic body, a quadrature point of its faces or
/// a point of a rigid one.
template <int dim>
struct ContactPoint {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  unsigned int node = none;           ///< of the mesh of its elastic body, or
  unsigned int body = none;           ///< the rigid body that it belongs to
  unsigned int pair = 0;              ///< contact pair
  unsigned int elastic = 0;           ///< the elastic body of a node
  std::array<unsigned int, dim> dofs; ///< of its translation, or its body's
  dealii::Point<dim> position;        ///< where it begins
  double radius = 0;                  ///< of a sphere with its centre there [length]
  double area = 0;      ///< tributary area [length^(dim−1) × thickness]; none of a rigid body's
  double size = 0;      ///< local mesh size, or size of its rigid body [length]
  double tolerance = 0; ///< a gap counts as closed up to it [length]
  double friction = 0; ///< 0 where a prescribed motion takes a node its tangential freedom, but for
                       ///< that of plane strain
  /// Stiffness of a spring in its place [force / length³ × thickness]; of what has no area [force /
  /// length].
  double spring = 0;
  SupportRange shape;            ///< of the Boundary: nodes of a quadrature point, their shares
  SupportRange traction;         ///< of the Boundary: the traction there by displacement (Nitsche)
  dealii::Tensor<1, dim> normal; ///< of the face that it is a quadrature point of, outward

  unsigned int facets = none;     ///< of the Boundary: what it may touch, if not surfaces or bodies
  unsigned int own_facets = none; ///< of the Boundary: what it is a node of
  unsigned int own_node = none;   ///< its number there, or that of a vertex in its rigid body
};

/// The multipliers of a pair's nodes, whose shape functions N_a have the mass Σ_g w_g N_a N_b over
/// the quadrature points g of its faces.
struct Multipliers {
  std::vector<unsigned int> dofs;             ///< the first of each node, ascending
  dealii::FullMatrix<double> inverse_of_mass; ///< [1 / (length^(dim−1) × thickness)]
  double spring = 0;                          ///< the stiffest of a point
};

/// The points of all bodies that may touch something, contact pair by contact pair. Their number is
/// that of nodes and vertices, whatever may touch what.
template <int dim>
class Boundary {
public:
  /// Throws InputError where a region has no faces or they branch, or two contacts speak of the
  /// same two bodies.
  Boundary(const System<dim> &bodies, std::vector<ContactPair<dim>> pairs);

  const System<dim> &system;
  std::vector<ContactPair<dim>> pairs;   ///< as given
  std::vector<ContactPoint<dim>> points; ///< pair by pair
  /// First point of each pair, and the end.
  std::vector<unsigned int> first_point;
  /// Remarks on points that were changed or left out because their motion is prescribed.
  std::vector<std::string> remarks;
  /// The regions of each mortar whose nodes carry its multipliers, nothing of other pairs: that of
  /// the pair, or those it touches where their facets are longer in the mean; of equally coarse
  /// sides the one whose name comes first. It does not matter which side is called which.
  std::vector<std::vector<std::string>> carriers;
  /// The lines of faces that may be touched, and those whose nodes touch them.
  std::vector<Facets<dim>> facets;
  /// Largest distance of two vertices of each rigid body [length].
  std::vector<double> sizes;
  std::vector<ReferenceGap> reference_gaps; ///< by ascending keys
  std::vector<Support<dim>> supports;       ///< of quadrature points
  std::vector<Multipliers> multipliers;     ///< of each pair; empty without
  /// Share of a force at a point in the pressure at another that the multipliers have:
  /// N(x_i)ᵀ M⁻¹ N(x_j), where both are of one pair.
  double share_by_multipliers(unsigned int i, unsigned int j) const;

  /// Displacement or velocity of a point of an elastic body.
  dealii::Tensor<1, dim> at(const ContactPoint<dim> &point, const Vector &field) const {
    dealii::Tensor<1, dim> value;
    for (unsigned int d = 0; d < dim && point.shape.empty(); ++d)
      value[d] = entries(field)[point.dofs[d]];
    for (unsigned int k = point.shape.begin; k < point.shape.end; ++k)
      value += entries(field)[supports[k].dof] * supports[k].weight;
    return value;
  }
  /// The traction at a quadrature point by its body's stress [stress].
  dealii::Tensor<1, dim> traction(const ContactPoint<dim> &point, const Vector &q) const {
    dealii::Tensor<1, dim> value;
    for (unsigned int k = point.traction.begin; k < point.traction.end; ++k)
      value += entries(q)[supports[k].dof] * supports[k].weight;
    return value;
  }

  /// Elastic degrees of freedom that a percussion may act on, in ascending order.
  std::vector<unsigned int> elastic_dofs() const;

  /// Margins around the vertices of the rigid bodies, as given and for the radii of spheres.
  std::vector<double> widened(std::vector<double> margins) const;

  /// The vertices of a rigid body in a pair between bodies are consecutive points from this one on.
  unsigned int first_vertex(unsigned int pair, unsigned int body) const {
    return vertices[pair][body];
  }

  /// Whether a pair lets two rigid bodies touch each other.
  bool lets_touch(unsigned int pair, unsigned int a, unsigned int b) const;

  /// Share of a row of H, given by degree of freedom and value, that acts on motions that are not
  /// prescribed: whether there is any.
  bool can_yield(const unsigned int *dof, const double *value, unsigned int n) const;

private:
  struct Touching {
    const ElasticBody<dim> &body;
    const Region &region;
    unsigned int elastic;
  };
  Touching touching(const ContactPair<dim> &pair) const;
  double spring(const ContactPair<dim> &pair, unsigned int elastic, double size) const;
  /// How many directions of a node are prescribed, and whether that takes its friction.
  struct Held {
    unsigned int n_directions;
    bool slides_freely;
  };
  Held held_directions(const ContactPair<dim> &pair,
                       const std::array<unsigned int, dim> &dofs) const;
  void add_nodes(unsigned int pair);
  void add_quadrature_points(unsigned int pair);
  void make_multipliers(unsigned int pair);
  void add_sides(unsigned int pair);
  bool touched_side_carries(unsigned int pair, const Facets<dim> &touching,
                            const Facets<dim> &touched) const;
  void add_nodes_of_facets(unsigned int pair, unsigned int own, unsigned int touched);
  void add_vertices_on_facets(unsigned int pair, unsigned int touched);
  void add_points_of_bodies(unsigned int pair);
  void add_vertices(unsigned int pair);
  ContactPoint<dim> point_of_body(unsigned int pair, unsigned int body,
                                  const dealii::Point<dim> &position) const;
  bool is_held(unsigned int body) const;
  void refuse_repeated_bodies() const;

  /// What each rigid body is in a pair between rigid bodies.
  struct Role {
    bool touches = false, is_touched = false;
  };
  std::vector<std::vector<Role>> roles;            ///< [pair][body]
  std::vector<std::vector<unsigned int>> vertices; ///< [pair][body]
  std::vector<bool> held;                          ///< all motion of a rigid body is prescribed
};

/// Add what Nitsche's method has in the balance beside the forces of the contacts,
/// −Θ ∫ γ σ_n σ_n(δq), to the stiffness, with all of the traction where there is friction.
/// Θ is ContactPair::symmetry, 1/γ the stiffness of the springs.
template <int dim>
void add_nitsche_terms(const Boundary<dim> &boundary, SparseMatrix &stiffness);

} // namespace percussion
