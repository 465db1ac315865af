// What the program prints of its parameters: explanations, and JSON for editors.

#include <nlohmann/json.hpp>

#include "cases/support.h"

namespace {

using ExplainedParameters = cases::CaseFolder;
using cases::has;

TEST_F(ExplainedParameters, GoByTheirPathsInTheReferenceAndInACase) {
  const auto outcome = start("percussion", {"--explain", "Contact/ground/Surface"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("Contact/<name>/Surface\n  Opposite side of the contact", 0), 0u);
  EXPECT_TRUE(has(outcome.out, "  Default: half-plane\n  Allowed: one of half-plane"))
      << outcome.out;
  EXPECT_EQ(start("percussion", {"--explain", "Surface"}).out, outcome.out);
}

TEST_F(ExplainedParameters, OfASubsectionAreAll) {
  const auto outcome = start("percussion", {"--explain", "Regions"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.out, "Regions/<name>/Where\n") &&
              has(outcome.out, "Regions/<name>/Cells\n"))
      << outcome.out;
}

TEST_F(ExplainedParameters, ThatDoNotExistAreRefused) {
  for (const auto &[path, words] :
       {std::pair("Time/Sheme", "there is no parameter 'Time/Sheme'; did you "
                                "mean 'Scheme'?"),
        std::pair("", "there is no parameter ''; percussion "
                      "--print-parameters lists all")}) {
    const auto outcome = start("percussion", {"--explain", path});
    EXPECT_EQ(outcome.status, 2) << path;
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(ExplainedParameters, InJsonHaveTheValuesOfTheCase) {
  const auto outcome = start("percussion", {"--print-parameters", "--json", "case.prm"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto document = nlohmann::json::parse(outcome.out);
  bool is_found = false;
  for (const auto &parameter : document.at("parameters")) {
    for (const char *const key : {"path", "name", "default", "allowed", "documentation", "value"})
      EXPECT_TRUE(parameter.at(key).is_string()) << parameter;
    if (parameter.at("path") == "Contact/ground/Friction coefficient") {
      is_found = true;
      EXPECT_EQ(parameter.at("value"), "0.3");
      EXPECT_EQ(parameter.at("default"), "0");
    }
  }
  EXPECT_TRUE(is_found);
}

} // namespace
