#include "abaqus_file.h"

#include <percussion/base/error.h>
#include <percussion/input/patterns.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>

namespace percussion {

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

template <typename Value>
Value number_of(const std::string &field) {
  constexpr double largest_number = 2e9;
  const auto value = to_number<double>(field);
  if (!value)
    throw InputError("'" + field + "' is not a number");
  if constexpr (std::is_integral_v<Value>)
    if (!(*value >= 0. && *value <= largest_number) ||
        *value != static_cast<double>(static_cast<Value>(*value)))
      throw InputError("'" + field + "' is not the number of a node or an element");
  return static_cast<Value>(*value);
}

template double number_of<double>(const std::string &);
template std::size_t number_of<std::size_t>(const std::string &);

namespace {

std::string trimmed(const std::string &text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\""),
                    end = text.find_last_not_of(" \t\r\"");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> all;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    all.push_back(trimmed(field));
  if (!all.empty() && all.back().empty())
    all.pop_back();
  return all;
}

/// Returns the number of corners of an element with this number of nodes.
unsigned int n_corners_of(unsigned int dimension, unsigned int n_nodes) {
  if (dimension == 3)
    return n_nodes == 4 || n_nodes == 10 ? 4 : 8;
  if (dimension == 2)
    return n_nodes == 3 || n_nodes == 6 ? 3 : 4;
  return 2;
}

/// Returns the type of elements; no value for elements that are no part of a mesh, such as masses.
/// Throws InputError for elements that have no meaning here.
std::optional<AbaqusElementType> element_type(const std::string &name) {
  constexpr std::size_t longest = 80; // std::regex takes stack for each character
  if (name.size() > longest)
    throw InputError("elements of the type " + name.substr(0, longest) + "... are unknown");
  static const std::regex point("(MASS|ROTARY|SPRING|DASHPOT|CONN|DCOUP|GAP).*"),
      twisting("(CGAX|CAXA|DCCAX|RAX|SAX|SAXA|MAX|MGAX|SFMAX|SFMGAX)[0-9].*"),
      solid("(DC|AC|C)3D(4|8|10|20|27)[A-Z]*"), other_solid("(DC|AC|C)3D(5|6|15)[A-Z]*|SC[68].*"),
      plane("(CPS|CPE|CPEG|CAX|DCAX|ACAX|SFM3D|M3D|R3D|STRI|DS|S|DC2D|AC2D|F3D)(3|4|65|6|8|9)"
            "([A-Z]*|R5)"),
      line("(T2D2|T3D2|R2D2|F2D2|DC1D2|B21|B31|B23|B33)[A-Z]*"),
      second_order_line("(T2D3|T3D3|DC1D3|B22|B32)[A-Z]*");
  std::smatch found;
  const auto matches = [&](const std::regex &pattern) {
    return std::regex_match(name, found, pattern);
  };
  if (matches(point))
    return std::nullopt;
  for (const unsigned int dimension : {2u, 3u})
    if (matches(dimension == 3 ? solid : plane)) {
      const std::string digits = found[2]; // STRI65: six nodes of five degrees of freedom
      const auto n_nodes = static_cast<unsigned int>(std::stoul(digits == "65" ? "6" : digits));
      return AbaqusElementType{dimension, n_corners_of(dimension, n_nodes), n_nodes,
                               name.find("AX") != std::string::npos};
    }
  if (matches(line))
    return AbaqusElementType{1, 2, 2};
  if (matches(second_order_line))
    return AbaqusElementType{1, 2, 3};
  const std::string subject = "elements of the type " + name;
  if (matches(twisting))
    throw InputError(subject + " are axisymmetric with twist or bending, or shells; a body of "
                               "revolution has solid elements (CAX3, CAX4, CAX6, CAX8)");
  if (matches(other_solid))
    throw InputError(subject + " are pyramids or wedges; mesh the body with tetrahedra (C3D4, "
                               "C3D10) or hexahedra (C3D8, C3D20, C3D27) alone");
  throw InputError(subject +
                   " are unknown; a body has triangles or quadrilaterals (CPS3, CPE4, CAX6, CPS8, "
                   "S4, ...), tetrahedra (C3D4, C3D10) or hexahedra (C3D8, C3D20, C3D27)");
}

/// Reader of a file, line by line.
class AbaqusReader {
public:
  explicit AbaqusReader(const std::string &text) : most_members(text.size()) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      ++line_number;
      if (line.rfind("**", 0) == 0 || trimmed(line).empty())
        continue;
      try {
        if (line.front() == '*' || goes_on)
          read_keyword(line);
        else
          read_data(line);
      } catch (const InputError &error) {
        throw InputError("line " + std::to_string(line_number) + ": " + error.what());
      }
    }
    if (!pending.empty())
      throw InputError("the file ends within an element: it is cut off; write it again");
  }

  AbaqusFile file;

private:
  /// Reads a line with a keyword and its parameters, NAME=VALUE; a comma at its end continues it.
  void read_keyword(const std::string &line) {
    if (!goes_on) {
      words.clear();
      keyword.clear();
    }
    for (const std::string &field : fields(line)) {
      const std::size_t equals = field.find('=');
      if (keyword.empty()) {
        keyword = upper_case(trimmed(field.substr(std::min<std::size_t>(1, field.size()))));
        if (keyword.empty())
          throw InputError("a keyword is missing behind '*'");
      } else
        words[upper_case(trimmed(field.substr(0, equals)))] =
            equals == std::string::npos ? "" : trimmed(field.substr(equals + 1));
    }
    goes_on = trimmed(line).back() == ',';
    if (!goes_on)
      begin_section();
  }

  void begin_section() {
    if (!pending.empty())
      throw InputError("an element ends before its last node");
    refuse_what_changes_the_mesh();
    n_parts += keyword == "PART";
    n_instances += keyword == "INSTANCE";
    if (n_instances > 1 || n_parts > 1)
      throw InputError("several parts or instances are not read; write a file for each body");
    is_assembly_open = keyword == "ASSEMBLY" || (is_assembly_open && keyword != "END ASSEMBLY");
    is_instance_open = keyword == "INSTANCE" || (is_instance_open && keyword != "END INSTANCE");
    // Nodes of an assembly are reference points, with numbers of their own.
    const bool belongs_to_assembly =
        is_assembly_open && !is_instance_open && words.count("INSTANCE") == 0;
    if (belongs_to_assembly &&
        (keyword == "NODE" || keyword == "ELEMENT" || keyword == "NSET" || keyword == "ELSET"))
      keyword = "of the assembly";
    if (keyword == "ELEMENT") {
      if (word("TYPE").empty())
        throw InputError("*ELEMENT needs TYPE=");
      type = element_type(upper_case(word("TYPE")));
    }
    if (keyword == "NSET" || keyword == "ELSET")
      set_of(word(keyword));
    if (keyword == "SURFACE") {
      file.surfaces.push_back({word("NAME"), upper_case(word("TYPE")) == "NODE", {}});
      if (file.surfaces.back().name.empty())
        throw InputError("*SURFACE needs NAME=");
    }
  }

  /// Refuses keywords and parameters that would make or move nodes and elements.
  void refuse_what_changes_the_mesh() const {
    for (const char *const unread :
         {"INCLUDE", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM"})
      if (keyword == unread)
        throw InputError("*" + keyword +
                         " is not read; write one file with all nodes and elements "
                         "where they are");
    if ((keyword == "NODE" || keyword == "ELEMENT") && words.count("INPUT") > 0)
      throw InputError("INPUT= is not read; write one file with the whole mesh");
    if (keyword == "NODE" && words.count("SYSTEM") > 0 && upper_case(word("SYSTEM")) != "R")
      throw InputError("SYSTEM=" + word("SYSTEM") + " is not read; write Cartesian coordinates");
  }

  void read_data(const std::string &line) {
    if (keyword == "HEADING")
      file.is_by_meshio = file.is_by_meshio || line.find("written by meshio") != std::string::npos;
    else if (keyword == "NODE")
      read_node(line);
    else if (keyword == "ELEMENT" && type)
      read_element(line);
    else if (keyword == "NSET" || keyword == "ELSET")
      read_set(line);
    else if (keyword == "SURFACE") {
      const auto items = fields(line);
      if (items.empty() || items[0].empty())
        throw InputError("a surface needs an element, a node or a set in each line");
      file.surfaces.back().items.emplace_back(items[0], items.size() > 1 ? items[1] : "");
    } else if (keyword == "INSTANCE")
      for (const std::string &field : fields(line))
        if (number_of<double>(field) != 0.)
          throw InputError("an instance that is moved is not read; write the mesh where it is");
  }

  void read_node(const std::string &line) {
    const auto numbers = fields(line);
    if (numbers.size() < 3)
      throw InputError("a node needs a number and two or three coordinates");
    std::array<double, 3> x{};
    for (std::size_t d = 0; d < 3 && d + 1 < numbers.size(); ++d)
      x[d] = number_of<double>(numbers[d + 1]);
    const std::size_t node = number_of<std::size_t>(numbers[0]);
    if (const auto [entry, is_new] = file.nodes.emplace(node, x); !is_new && entry->second != x)
      throw InputError("node " + numbers[0] + " is given twice, at different positions");
    if (!word("NSET").empty())
      set_of(word("NSET"), file.node_sets).numbers.push_back(node);
  }

  /// Reads a line of an element, which may have several.
  void read_element(const std::string &line) {
    for (const std::string &field : fields(line))
      pending.push_back(number_of<std::size_t>(field));
    if (pending.size() < type->n_nodes + 1)
      return;
    if (pending.size() > type->n_nodes + 1)
      throw InputError("an element of the type " + word("TYPE") + " has " +
                       std::to_string(type->n_nodes) + " nodes");
    AbaqusElement element{*type, {pending.begin() + 1, pending.end()}};
    if (type->dimension == 1 && type->n_nodes == 3) // the middle is the second node of three
      std::swap(element.nodes[1], element.nodes[2]);
    if (const auto [entry, is_new] = file.elements.emplace(pending[0], element);
        !is_new && entry->second.nodes != element.nodes)
      throw InputError("element " + std::to_string(pending[0]) +
                       " is given twice, with different nodes");
    if (!word("ELSET").empty())
      set_of(word("ELSET"), file.element_sets).numbers.push_back(pending[0]);
    pending.clear();
  }

  void read_set(const std::string &line) {
    auto &sets = keyword == "NSET" ? file.node_sets : file.element_sets;
    AbaqusSet &set = set_of(word(keyword), sets);
    const auto items = fields(line);
    if (words.count("GENERATE") > 0) {
      if (items.size() < 2)
        throw InputError("GENERATE needs the first and the last number");
      const std::size_t last = number_of<std::size_t>(items[1]),
                        step = items.size() > 2 ? number_of<std::size_t>(items[2]) : 1;
      if (step == 0)
        throw InputError("GENERATE needs numbers that ascend in steps of 1 or more");
      const std::size_t first = number_of<std::size_t>(items[0]);
      if (last > first && (last - first) / step > most_members)
        throw InputError("GENERATE gives more numbers than the file can have nodes or elements");
      for (std::size_t n = first; n <= last; n += step)
        set.numbers.push_back(n);
      return bound(set);
    }
    for (const std::string &item : items)
      if (const auto n = to_number<double>(item))
        set.numbers.push_back(number_of<std::size_t>(item));
      else if (const auto other = sets.find(upper_case(item)); other != sets.end()) {
        const std::vector<std::size_t> added = other->second.numbers; // possibly of the same set
        set.numbers.insert(set.numbers.end(), added.begin(), added.end());
      } else
        throw InputError("there is no set '" + item + "' before this line");
    bound(set);
  }

  /// Keeps the members of a set that grows, once each.
  void bound(AbaqusSet &set) const {
    if (set.numbers.size() <= most_members)
      return;
    std::sort(set.numbers.begin(), set.numbers.end());
    set.numbers.erase(std::unique(set.numbers.begin(), set.numbers.end()), set.numbers.end());
    if (set.numbers.size() > most_members)
      throw InputError("the set '" + set.name +
                       "' has more members than the file can have nodes or elements");
  }

  std::string word(const std::string &parameter) const {
    const auto found = words.find(parameter);
    return found == words.end() ? "" : found->second;
  }
  AbaqusSet &set_of(const std::string &name, std::map<std::string, AbaqusSet> &sets) {
    if (name.empty())
      throw InputError("*" + keyword + " needs a name");
    AbaqusSet &set = sets[upper_case(name)];
    if (set.name.empty())
      set.name = name;
    return set;
  }
  void set_of(const std::string &name) {
    set_of(name, keyword == "NSET" ? file.node_sets : file.element_sets);
  }

  std::size_t most_members; ///< largest number of members of a set, the number of bytes of the file
  unsigned int line_number = 0, n_parts = 0, n_instances = 0;
  bool is_assembly_open = false, is_instance_open = false;
  bool goes_on = false;                     ///< true if the line before ends with a comma
  std::string keyword;                      ///< keyword of the section
  std::map<std::string, std::string> words; ///< parameters of the section
  std::optional<AbaqusElementType> type;    ///< type of the section's elements
  std::vector<std::size_t> pending;         ///< numbers of an element whose lines are not complete
};

} // namespace

AbaqusFile read_abaqus_file(const std::string &text) { return AbaqusReader(text).file; }

} // namespace percussion
