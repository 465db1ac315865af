#pragma once

#include "parameter_sections.h"
#include <set>

namespace percussion {

/// Returns the pattern of a direction in the undeformed body: three numbers or formulas of the
/// position and of arrays of the mesh file, or the name of an array of vectors.
Described direction_pattern(const Dimensions &dimensions);
/// Returns the numbers of a value of this pattern; no value if there is a formula or a name.
std::optional<FibreDirection> constant_direction(const std::string &text);

/// Entry with the direction of a family of fibres.
struct FibreEntry {
  CaseInput section;
  std::string name;
};
/// Entries of both families of a material; empty if no direction varies.
using FibreEntries = std::vector<FibreEntry>;

/// Reader of directions that vary over the bodies of a case. Each wrong entry is reported once.
template <int dim>
class FibreReader {
public:
  /// The case must outlive the fields.
  explicit FibreReader(Case<dim> &the_case) : c(the_case) {}

  /// Returns the directions in a mesh of the case, normalised; an empty field if an entry is wrong.
  /// Adds checksums of the arrays that they use to the parameters of the case.
  FibreField<dim> read(const FibreEntries &entries, const Mesh<dim> &mesh);

  /// Reports directions that are zero or not finite at quadrature points of a material of a body.
  /// Returns the angle between both families in words.
  std::string check(const FibreEntries &entries, const ElasticBody<dim> &body,
                    unsigned int material);

private:
  void report(const FibreEntry &entry, const std::string &reason);
  void note_array(const Mesh<dim> &mesh, const std::string &name);

  Case<dim> &c;
  std::set<std::string> reported; ///< paths of entries
};

} // namespace percussion
