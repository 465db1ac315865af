// Entries that do not fit a scheme are refused with the reason.

#include "cases/support.h"

namespace {

using cases::has;

class SchemeInput : public cases::CaseFolder {
protected:
  /// Validates the case with another scheme and entries; expects status 2 and these words.
  void expect_refusal(const std::string &scheme, const std::vector<std::string> &entries,
                      const std::vector<std::string> &words) const {
    std::vector<std::string> arguments = {"case.prm", "--validate", "--set",
                                          "Time/Scheme=" + scheme};
    for (const auto &entry : entries) {
      arguments.emplace_back("--set");
      arguments.push_back(entry);
    }
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 2) << scheme;
    for (const auto &word : words)
      EXPECT_TRUE(has(outcome.error, word)) << word << "\n" << outcome.error;
  }
};

TEST_F(SchemeInput, LawsOfImpactWhereContactsAreGaps) {
  expect_refusal("hauret", {"Contact/ground/Impact law=fremond"},
                 {"'Contact/ground/Impact law' is 'fremond': this has no effect with Scheme = "
                  "hauret, whose condition is on gaps"});
  expect_refusal(
      "adapted-continuity", {"Contact/ground/Restitution=0.5"},
      {"'Contact/ground/Restitution' is '0.5': this has no effect with Scheme = "
       "adapted-continuity; moreau-jean-fremond and paoli-schatzman have a restitution"});
  expect_refusal("pdas-leapfrog", {"Contact/ground/Penalty stiffness=1"},
                 {"this has no effect with Scheme = pdas-leapfrog; Scheme = penalty or hauret"});
}

TEST_F(SchemeInput, WhatOtherIntegratorsDoNotTake) {
  expect_refusal("generalized-alpha", {"Time/Theta=0.6", "Contact/Node inertia=redistributed"},
                 {"2 problems in the input",
                  "'Time/Theta' is '0.6': this has no effect with Scheme = generalized-alpha",
                  "nodes without inertia have no acceleration"});
  expect_refusal("hauret", {"Time/Spectral radius=0.5"},
                 {"'Time/Spectral radius' is '0.5': this has no effect with Scheme = hauret; "
                  "Scheme = generalized-alpha has a spectral radius"});
}

TEST_F(SchemeInput, PointsThatDoNotGoWithIt) {
  expect_refusal("pdas-leapfrog", {"Contact/ground/Points=quadrature points"},
                 {"'Contact/ground/Points' is 'quadrature points': with pdas-leapfrog there would "
                  "be more contact constraints than nodes"});
  expect_refusal("nitsche-skew", {"Contact/ground/Points=nodes"},
                 {"'Contact/ground/Points' is 'nodes': with nitsche-skew the law is for the stress "
                  "in faces"});
  expect_refusal("nitsche-symmetric", {"Material/Law=neo-hooke"},
                 {"contact 'ground': Nitsche's method takes the stress of linear elastic cells"});
  expect_refusal("penalty", {"Contact/ground/Normal augmentation=1"},
                 {"this has no effect with Scheme = penalty; Scheme = augmented-lagrangian has "
                  "augmentations"});
}

TEST_F(SchemeInput, ANameThatIsNearlyRight) {
  expect_refusal("houret", {}, {"'Time/Scheme' is 'houret': allowed is one of"});
}

} // namespace
