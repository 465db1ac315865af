#include "parameter_sections.h"
#include <filesystem>

namespace percussion {

std::vector<std::string> components(unsigned int dim) {
  const std::vector<std::string> all = {"x", "y", "z"};
  return {all.begin(), all.begin() + dim};
}

std::vector<std::string> named_subsections(const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder) {
  return file == nullptr ? std::vector<std::string>{placeholder} : file->subsections(path);
}

void CaseInput::report_subsection(const std::string &path, const std::string &message) const {
  for (const OpenedSubsection &opened : file.opened_subsections())
    if (opened.path == to_path(path)) {
      problems.add({opened.source, opened.line, "subsection '" + path + "': " + message});
      return;
    }
  problems.add({file.name(), 0, "subsection '" + path + "': " + message});
}

std::unique_ptr<Expression> CaseInput::formula(const std::string &path) const {
  const std::string text = parameters.get(path);
  if (text.empty())
    return nullptr;
  try {
    return std::make_unique<Expression>(text);
  } catch (const InputError &error) {
    parameters.report(path, error.what(), problems);
    return nullptr;
  }
}

template <int dim>
dealii::Tensor<1, dim> CaseInput::vector(const std::string &path) const {
  const auto values = parameters.get_double_list(path);
  dealii::Tensor<1, dim> result;
  if (values.size() != dim)
    parameters.report(path, "allowed are " + std::to_string(dim) + " numbers separated by commas",
                      problems);
  else
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = values[d];
  return result;
}

ParameterDeclarations declare_case(const ParameterFile *file) {
  ParameterDeclarations declarations;
  declare_mesh(declarations);
  declare_material(declarations);
  declare_boundary_conditions(declarations, file);
  declare_initial_state(declarations, file);
  declare_contact(declarations, file);
  declare_time(declarations);
  declare_solver(declarations);
  declare_output(declarations);
  return declarations;
}

template <int dim>
Case<dim> build_case(const Parameters &parameters, const ParameterFile &file) {
  Problems problems;
  const CaseInput input{parameters, file, problems};
  Case<dim> c;
  c.name = std::filesystem::path(file.name()).stem().string();
  // What needs no mesh first: its mistakes are worth knowing even when the mesh is missing.
  const auto material = read_material<dim>(input);
  const auto gravity = read_gravity<dim>(input);
  c.cone = read_solver(input);
  c.output = read_output(input, c.name);
  read_time<dim>(input, c);
  try {
    c.mesh = read_mesh<dim>(input);
  } catch (const InputError &error) {
    parameters.report("Mesh/File", error.what(), problems);
  }
  problems.throw_if_any(); // an impossible material or mesh makes no body
  c.body = std::make_unique<ElasticBody<dim>>(*c.mesh, material, gravity);
  read_boundary_conditions<dim>(input, *c.body);
  read_contact<dim>(input, c);
  problems.throw_if_any();
  read_initial_state<dim>(input, c);
  problems.throw_if_any();
  return c;
}

template dealii::Tensor<1, 2> CaseInput::vector<2>(const std::string &) const;
template Case<2> build_case<2>(const Parameters &, const ParameterFile &);

} // namespace percussion
