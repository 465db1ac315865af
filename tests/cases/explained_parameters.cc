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

TEST_F(ExplainedParameters, GoByPathsWithoutTheNameOfASubsection) {
  const auto whole = start("percussion", {"--explain", "Contact/ground/Restitution"});
  EXPECT_EQ(whole.out.rfind("Contact/<name>/Restitution\n", 0), 0u) << whole.out;
  EXPECT_EQ(whole.out.find("Links/"), std::string::npos) << whole.out;
  for (const char *const path :
       {"Contact/Restitution", "contact/GROUND/restitution", "Contact/<name>/Restitution"})
    EXPECT_EQ(start("percussion", {"--explain", path}).out, whole.out) << path;
  const auto all = start("percussion", {"--explain", "restitution"}).out;
  EXPECT_TRUE(has(all, whole.out) && has(all, "Links/<link>/Restitution\n")) << all;
  EXPECT_EQ(start("percussion", {"--explain", "material/steel/density"})
                .out.rfind("Material/<region>/Density\n", 0),
            0u);
}

TEST_F(ExplainedParameters, OfASubsectionAreAll) {
  const auto outcome = start("percussion", {"--explain", "Regions"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.out, "Regions/<name>/Where\n") &&
              has(outcome.out, "Regions/<name>/Cells\n"))
      << outcome.out;
  EXPECT_EQ(start("percussion", {"--explain", "regions/top"}).out, outcome.out);
}

TEST_F(ExplainedParameters, ThatDoNotExistAreRefused) {
  for (const auto &[path, words] :
       {std::pair("Time/Sheme", "there is no parameter 'Time/Sheme'; did you "
                                "mean 'Time/Scheme'?"),
        std::pair("Sheme", "there is no parameter 'Sheme'; did you mean 'Scheme'?"),
        std::pair("Contact/ground/Frcition", "did you mean 'Contact/<name>/Friction coefficient'?"),
        std::pair("Contat/Restituton", "did you mean 'Contact/<name>/Restitution'?"),
        std::pair("Time/Friction coeficient",
                  "did you mean 'Contact/<name>/Friction coefficient'?"),
        std::pair("Time/Xyzzy", "there is no parameter 'Time/Xyzzy'; percussion "
                                "--print-parameters lists all"),
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
