#pragma once

#include <percussion/run/case.h>

#include <string>
#include <vector>

namespace percussion {

/// A parameter file while it is being made into a case.
struct CaseInput {
  const Parameters &parameters;
  const ParameterFile &file;
  Problems &problems;

  /// Where the user opened a subsection, for messages on its name.
  void report_subsection(const std::string &path, const std::string &message) const;

  /// The formula of an entry, unless it is empty or wrong (which is reported).
  std::unique_ptr<Expression> formula(const std::string &path) const;

  /// The components of a point or vector.
  template <int dim>
  dealii::Tensor<1, dim> vector(const std::string &path) const;

  /// Report an entry whose formula is not finite at one of these points, at one of these times.
  template <int dim>
  void check_finite(const std::string &path, const Expression &formula,
                    const std::vector<dealii::Point<dim>> &points,
                    const std::vector<double> &times) const;

  /// Report an entry that the user changed although nothing asks for it.
  void refuse_unused(const std::string &path, bool used, const std::string &instead) const;
};

/// Why a region cannot bear a traction or touch a surface; empty if it can.
template <int dim>
std::string not_of_boundary_faces(const Region &region);

/// Pattern of an entry that is a formula of these variables.
Described formula_of(const std::string &variables);

/// The first and the last instant of a run: where formulas are tried.
template <int dim>
std::vector<double> first_and_last_time(const Case<dim> &c);

/// The translations and rotation that the held degrees of freedom leave free, in words; empty if
/// they hold every part of the body.
template <int dim>
std::string free_rigid_motion(const Space<dim> &space, const std::vector<bool> &held);

/// Component names: "x", "y", "z".
std::vector<std::string> components(unsigned int dim);

/// Subsections that the user named below `path`, or the placeholder if there is no file.
std::vector<std::string> named_subsections(const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder);

/// Report formulas that are none, where there is no mesh to use them on.
void check_formulas(const CaseInput &input);

// One pair a subsection: its parameters are declared beside the code that reads them.

void declare_mesh(ParameterDeclarations &declarations);
/// Null where it is reported as missing or unfit.
template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const CaseInput &input);

void declare_material(ParameterDeclarations &declarations);
template <int dim>
Material<dim> read_material(const CaseInput &input);

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file);
template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c);

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file);
template <int dim>
void read_initial_state(const CaseInput &input, Case<dim> &c);

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file);
template <int dim>
void read_contact(const CaseInput &input, Case<dim> &c);

void declare_time(ParameterDeclarations &declarations);
template <int dim>
void read_time(const CaseInput &input, Case<dim> &c);

void declare_solver(ParameterDeclarations &declarations);
template <int dim>
void read_solver(const CaseInput &input, Case<dim> &c);

void declare_output(ParameterDeclarations &declarations);
OutputOptions read_output(const CaseInput &input, const std::string &case_name);

} // namespace percussion
