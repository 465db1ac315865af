#include <percussion/input/parameters.h>

#include <ostream>
#include <sstream>

namespace percussion {
namespace {
/// Each paragraph of @p text as lines of at most 100 columns.
void print_wrapped(std::ostream &out, const std::string &start, const std::string &text) {
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string line;
    for (std::string word; words >> word;) {
      if (!line.empty() && start.size() + line.size() + 1 + word.size() > 100) {
        out << start << line << '\n';
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty())
      out << start << line << '\n';
  }
}
std::string allowed_and_default(const ParameterDeclaration &declaration) {
  return "Allowed: " + plain_words(*declaration.pattern) +
         ". Default: " + (declaration.default_value.empty() ? "empty" : declaration.default_value);
}
} // namespace

void Parameters::print(std::ostream &out, const bool with_documentation) const {
  print_subsection(out, {}, with_documentation);
}

void Parameters::print_subsection(std::ostream &out, const ParameterPath &path,
                                  const bool with_documentation) const {
  const std::string indent(2 * path.size(), ' ');
  bool first = true;
  const auto separate = [&] {
    if (!first && with_documentation)
      out << '\n';
    first = false;
  };
  for (const ParameterDeclaration &declaration : declared.all()) {
    if (parent(declaration.path) != path)
      continue;
    separate();
    if (with_documentation) {
      print_wrapped(out, indent + "# ", declaration.documentation);
      print_wrapped(out, indent + "# ", allowed_and_default(declaration));
      for (const ParameterPath &old : declaration.old_names)
        print_wrapped(out, indent + "# ", "Was called " + to_string(old) + ".");
    }
    out << indent << "set " << declaration.path.back() << " = " << get(to_string(declaration.path))
        << '\n';
  }
  for (const std::string &name : declared.subsection_names(path)) {
    separate();
    ParameterPath below = path;
    below.push_back(name);
    out << indent << "subsection " << name << '\n';
    print_subsection(out, below, with_documentation);
    out << indent << "end\n";
  }
}

namespace {
/// What Markdown would take for emphasis or a tag is text.
std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '|')
      result += '\\';
    result += c;
  }
  return result;
}

void print_entry(std::ostream &out, const ParameterDeclaration &declaration) {
  const std::string &value = declaration.default_value;
  out << "\n### " << escaped(declaration.path.back()) << "\n\n";
  print_wrapped(out, "", escaped(declaration.documentation));
  out << (declaration.documentation.empty() ? "" : "\n")
      << "* Default: " << (value.empty() ? "empty" : "`" + value + "`") << '\n'
      << "* Allowed: " << escaped(plain_words(*declaration.pattern)) << '\n';
  for (const ParameterPath &old : declaration.old_names)
    out << "* Was called `" << to_string(old) << "`, which goes on to work for a while\n";
}

void print_section(std::ostream &out, const ParameterDeclarations &declarations,
                   const ParameterPath &path) {
  if (!path.empty())
    out << "\n## " << escaped(to_string(path)) << '\n';
  for (const ParameterDeclaration &declaration : declarations.all())
    if (parent(declaration.path) == path)
      print_entry(out, declaration);
  for (const std::string &name : declarations.subsection_names(path)) {
    ParameterPath below = path;
    below.push_back(name);
    print_section(out, declarations, below);
  }
}
} // namespace

void print_markdown(std::ostream &out, const ParameterDeclarations &declarations) {
  print_section(out, declarations, {});
}
} // namespace percussion
