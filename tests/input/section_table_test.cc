// A section table declares its entries in their order and reads them into members.

#include <percussion/input/section_table.h>

#include <gtest/gtest.h>

namespace {
using namespace percussion;
namespace Patterns = dealii::Patterns;

enum class Method { direct, iterative };
struct Limits {
  double tolerance = 0;
  unsigned int iterations = 0;
};
struct Values {
  std::string name;
  bool is_verbose = false;
  Method method = Method::direct;
  Limits limits;
  double squared = 0;
};

void declare_more(ParameterDeclarations &declarations) {
  declarations.declare("More", "", Patterns::Anything(), "Read by other code.");
}

SectionTable<Values> table() {
  SectionTable<Values> entries("Solver");
  entries.add("Name", "none", Patterns::Anything(), "Name.", &Values::name);
  entries.add(declare_more);
  entries.add("Verbose", "false", Patterns::Bool(), "Messages.", &Values::is_verbose);
  entries.add_choice<Method>("Method",
                             {{"direct", Method::direct}, {"iterative", Method::iterative}},
                             "Method of the solution.", &Values::method);
  entries
      .add("Tolerance", "1e-3", PositiveDouble(), "Tolerance [1].", &Values::limits,
           &Limits::tolerance)
      .used_if({"Method", {"iterative"}, false, "; iterations have a tolerance"});
  entries
      .add("Iterations", "10", Patterns::Integer(1), "Limit.", &Values::limits, &Limits::iterations)
      .used_if({"Method", {"direct"}, true, ""});
  entries.add("Root", "2", Patterns::Double(), "Square root.")
      .read_by([](const Parameters &parameters, const std::string &path, Values &values) {
        values.squared = parameters.get_double(path) * parameters.get_double(path);
      });
  return entries;
}

Values values_of(const std::string &text) {
  ParameterDeclarations declarations;
  table().declare(declarations);
  const Parameters parameters(std::move(declarations), ParameterFile::parse(text, "case.prm"));
  parameters.problems().throw_if_any();
  Values values;
  table().read(parameters, values);
  return values;
}

TEST(SectionTable, NamesAndDescribesTheRowsOfATable) {
  struct Row {
    const char *name, *description;
  };
  const std::vector<Row> rows = {{"a", "first"}, {"b", "second"}};
  EXPECT_EQ(names_of(rows), "a|b");
  EXPECT_EQ(names_of(rows, "none"), "none|a|b");
  EXPECT_EQ(descriptions_of(rows), " a: first. b: second.");
}

TEST(SectionTable, DeclaresInItsOrder) {
  ParameterDeclarations declarations;
  table().declare(declarations);
  EXPECT_EQ(declarations.names_below({"Solver"}, false),
            (std::vector<std::string>{"Name", "More", "Verbose", "Method", "Tolerance",
                                      "Iterations", "Root"}));
  EXPECT_EQ(declarations.find({"Solver", "Method"})->entry->default_value, "direct");
  EXPECT_EQ(alternatives(*declarations.find({"Solver", "Method"})->entry->pattern),
            (std::vector<std::string>{"direct", "iterative"}));
}

TEST(SectionTable, ReadsDefaults) {
  const Values values = values_of("");
  EXPECT_EQ(values.name, "none");
  EXPECT_FALSE(values.is_verbose);
  EXPECT_EQ(values.method, Method::direct);
  EXPECT_EQ(values.limits.tolerance, 1e-3);
  EXPECT_EQ(values.limits.iterations, 10u);
  EXPECT_EQ(values.squared, 4);
}

TEST(SectionTable, ReadsValues) {
  const Values values = values_of("subsection Solver\n set Name = a b\n set Verbose = true\n"
                                  " set Method = iterative\n set Tolerance = 0.5\n"
                                  " set Iterations = 7\n set Root = 3\nend\n");
  EXPECT_EQ(values.name, "a b");
  EXPECT_TRUE(values.is_verbose);
  EXPECT_EQ(values.method, Method::iterative);
  EXPECT_EQ(values.limits.tolerance, 0.5);
  EXPECT_EQ(values.limits.iterations, 7u);
  EXPECT_EQ(values.squared, 9);
}

TEST(SectionTable, HasTheConditionsOfItsEntries) {
  ParameterDeclarations declarations;
  table().declare(declarations);
  const auto is_used = [&](const char *entry, const char *method) {
    return declarations.find({"Solver", entry})->entry->used_if.is_met(method);
  };
  EXPECT_TRUE(is_used("Name", "direct"));
  EXPECT_FALSE(is_used("Tolerance", "direct"));
  EXPECT_TRUE(is_used("Tolerance", "iterative"));
  EXPECT_FALSE(is_used("Iterations", "direct"));
  EXPECT_TRUE(is_used("Iterations", "iterative"));
}

} // namespace
