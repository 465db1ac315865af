// Entries of the hyperelastic laws with an isochoric and a volumetric part.

#include "cases/checked_case.h"
#include <algorithm>

namespace {

class IsochoricLawInput : public cases::CheckedCase {
protected:
  /// Returns a law with the entries that it requires, without the entries of linear elasticity.
  static std::vector<std::string> law(const std::string &name,
                                      const std::vector<std::string> &entries) {
    std::vector<std::string> all = {"Material/Law=" + name,
                                    "Material/Young modulus=", "Material/Bulk modulus=1e4"};
    for (const std::string &entry : entries)
      all.push_back("Material/" + entry);
    return all;
  }
  /// Returns these entries with another value of one of them, or with one more.
  static std::vector<std::string> with(std::vector<std::string> entries, const std::string &more) {
    const std::string name = "Material/" + more.substr(0, more.find('=') + 1);
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const auto &entry) { return entry.rfind(name, 0) == 0; }),
                  entries.end());
    entries.push_back("Material/" + more);
    return entries;
  }

  void SetUp() override { write("case.prm", case_file); }

  const std::vector<std::string> mooney_rivlin = law("mooney-rivlin", {"C10=300", "C01=40"}),
                                 yeoh = law("yeoh", {"C10=300", "C20=-20", "C30=5"}),
                                 arruda_boyce = law("arruda-boyce",
                                                    {"Shear modulus=300", "Locking stretch=2"}),
                                 fibres = law("holzapfel-gasser-ogden",
                                              {"Shear modulus=300", "Fibre stiffness=500",
                                               "Fibre exponent=3", "Fibre dispersion=0.2",
                                               "Fibre 1=1, 2, 0", "Fibre 2=1, -2, 0.5"});
};

TEST_F(IsochoricLawInput, MakesEachLawOfItsEntries) {
  for (const auto &entries : {mooney_rivlin, yeoh, arruda_boyce, fibres})
    EXPECT_EQ(check_with(entries).status, 0) << entries.front() << check_with(entries).error;
}

TEST_F(IsochoricLawInput, RefusesMissingConstantsAndDirections) {
  expect_refusal(check_with({"Material/Law=yeoh", "Material/Young modulus="}),
                 {"its C10 is missing", "its Bulk modulus is missing",
                  "its value depends on the units of the case"});
  expect_refusal(check_with({"Material/Law=holzapfel-gasser-ogden", "Material/Young modulus=",
                             "Material/Bulk modulus=1", "Material/Shear modulus=1"}),
                 {"its Fibre 1 is missing", "its Fibre 2 is missing"});
}

TEST_F(IsochoricLawInput, RefusesConstantsOutOfRange) {
  expect_refusal(check_with(with(mooney_rivlin, "C01=-1")),
                 {"'Material/C01' is '-1'", "a number >= 0"});
  expect_refusal(check_with(with(arruda_boyce, "Locking stretch=1")),
                 {"'Material/Locking stretch' is '1'", "a number > 1"});
  expect_refusal(check_with(with(fibres, "Fibre dispersion=0.4")),
                 {"'Material/Fibre dispersion' is '0.4'", ">= 0 and <= 0.3333"});
  expect_refusal(check_with(with(fibres, "Fibre exponent=0")),
                 {"'Material/Fibre exponent' is '0'", "a number > 0"});
  expect_refusal(check_with(with(fibres, "Bulk modulus=0")),
                 {"'Material/Bulk modulus' is '0'", "a number > 0"});
}

TEST_F(IsochoricLawInput, RefusesAnEnergyThatDecreasesWithTheStretch) {
  expect_refusal(check_with(with(yeoh, "C20=-70")),
                 {"'Material/C20' is '-70'", "would decrease", "C20^2 < 3 C10 C30"});
}

TEST_F(IsochoricLawInput, RefusesDirectionsWithoutLengthOrWithTwoComponents) {
  expect_refusal(check_with(with(fibres, "Fibre 1=0, 0, 0")),
                 {"'Material/Fibre 1' is '0, 0, 0'", "must not be zero"});
  expect_refusal(check_with(with(fibres, "Fibre 2=1, 0")), {"'Material/Fibre 2' is '1, 0'"});
}

TEST_F(IsochoricLawInput, RefusesPlaneStressAndEntriesOfOtherLaws) {
  expect_refusal(check_with(with(mooney_rivlin, "Plane=stress")),
                 {"'Material/Plane'", "mooney-rivlin is available in plane strain only"});
  expect_refusal(check_with(with(yeoh, "C01=3")),
                 {"'Material/C01' is '3'", "has no effect with Law = yeoh"});
  expect_refusal(check_with(with(mooney_rivlin, "Fibre 1=1, 0, 0")),
                 {"'Material/Fibre 1'", "has no effect with Law = mooney-rivlin"});
  expect_refusal(check_with({"Material/Bulk modulus=3"}),
                 {"'Material/Bulk modulus'", "has no effect with Law = linear elastic"});
}

/// Entries of the laws with memory.
class MemoryLawInput : public cases::CheckedCase {
protected:
  /// Returns the entries of a law with more.
  static std::vector<std::string> law(const std::string &name,
                                      const std::vector<std::string> &more) {
    std::vector<std::string> all = {"Material/Law=" + name, "Material/Element=mean dilatation"};
    for (const std::string &entry : more)
      all.push_back("Material/" + entry);
    return all;
  }
  void SetUp() override { write("case.prm", case_file); }
};

TEST_F(MemoryLawInput, MakesEachLawOfItsEntries) {
  for (const auto &entries :
       {law("elastoplastic", {"Yield stress=1e4"}),
        law("elastoplastic", {"Yield stress=1e4", "Hardening modulus=1e5", "Saturation stress=1e3",
                              "Saturation exponent=10", "Kinematic modulus=1e4", "Flow viscosity=1",
                              "Rate factor=0.01", "Reference rate=1e-3"}),
        law("elastoplastic", {"Yield stress=1e4", "Hardening strains=0.01, 0.1",
                              "Hardening stresses=1.2e4, 1.3e4", "Heat capacity=1e3"}),
        law("viscoelastic", {"Prony moduli=1e5, 2e5", "Prony times=0.1, 0.01"})}) {
    EXPECT_EQ(check_with(entries).status, 0) << entries.front() << check_with(entries).error;
  }
}

TEST_F(MemoryLawInput, RefusesMissingEntries) {
  expect_refusal(check_with(law("elastoplastic", {})), {"its Yield stress is missing"});
  expect_refusal(check_with(law("viscoelastic", {})),
                 {"its Prony moduli is missing", "its Prony times is missing"});
}

TEST_F(MemoryLawInput, RefusesTablesOfHardeningThatAreNone) {
  const auto refused = [&](const std::string &strains, const std::string &stresses,
                           const std::vector<std::string> &words, const std::string &more = "") {
    std::vector<std::string> entries = {"Yield stress=100", "Hardening strains=" + strains,
                                        "Hardening stresses=" + stresses};
    if (!more.empty())
      entries.push_back(more);
    expect_refusal(check_with(law("elastoplastic", entries)), words);
  };
  refused("0.1, 0.2", "120", {"'Material/Hardening stresses' is '120'", "needs one stress"});
  refused("0.1", "", {"'Material/Hardening stresses'", "needs one stress"});
  refused("0.2, 0.1", "120, 130", {"'Material/Hardening strains' is '0.2, 0.1'", "ascending"});
  refused("0, 0.1", "100, 130", {"'Material/Hardening strains' is '0, 0.1'", "a number > 0"});
  refused("0.1, 0.2", "90, 130", {"'Material/Hardening stresses' is '90, 130'", "do not descend"});
  refused("0.1, 0.2", "130, 120", {"'Material/Hardening stresses'", "do not descend"});
  refused("0.1", "130", {"'Material/Hardening modulus' is '5'", "allowed is 0"},
          "Hardening modulus=5");
  refused("0.1", "130", {"'Material/Saturation stress' is '5'", "allowed is 0"},
          "Saturation stress=5");
  expect_refusal(check_with({"Material/Heat capacity=5"}),
                 {"'Material/Heat capacity' is '5'", "has no effect with Law = linear elastic"});
}

TEST_F(MemoryLawInput, RefusesEntriesOutOfRange) {
  expect_refusal(check_with(law("elastoplastic", {"Yield stress=0"})),
                 {"'Material/Yield stress' is '0'", "a number > 0"});
  expect_refusal(check_with(law("elastoplastic", {"Yield stress=1", "Hardening modulus=-1"})),
                 {"'Material/Hardening modulus' is '-1'", "a number >= 0"});
  expect_refusal(check_with(law("viscoelastic", {"Prony moduli=1, 2", "Prony times=1"})),
                 {"'Material/Prony times' is '1'", "each of the Prony moduli needs one time"});
  expect_refusal(check_with(law("viscoelastic", {"Prony moduli=-1", "Prony times=1"})),
                 {"'Material/Prony moduli' is '-1'"});
  expect_refusal(check_with(law("elastoplastic", {"Yield stress=1", "Plane=stress"})),
                 {"'Material/Plane' is 'stress'", "plane strain only"});
}

} // namespace
