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

  /// The components of a point or vector; reported if there are not dim of them.
  template <int dim>
  dealii::Tensor<1, dim> vector(const std::string &path) const;
};

/// Component names: "x", "y", "z".
std::vector<std::string> components(unsigned int dim);

/// Subsections that the user named below `path`, or the placeholder if there is no file.
std::vector<std::string> named_subsections(const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder);

// One pair a subsection: its parameters are declared beside the code that reads them.

void declare_mesh(ParameterDeclarations &declarations);
template <int dim>
std::unique_ptr<Mesh<dim>> read_mesh(const CaseInput &input);

void declare_material(ParameterDeclarations &declarations);
template <int dim>
LinearMaterial<dim> read_material(const CaseInput &input);

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file);
template <int dim>
dealii::Tensor<1, dim> read_gravity(const CaseInput &input);
template <int dim>
void read_boundary_conditions(const CaseInput &input, ElasticBody<dim> &body);

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
ConeOptions read_solver(const CaseInput &input);

void declare_output(ParameterDeclarations &declarations);
OutputOptions read_output(const CaseInput &input, const std::string &case_name);

} // namespace percussion
