// A slit that is pressed shut: many contacts of a body with itself, with friction. Projected
// contacts compared with contacts condensed to a dense operator.

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"

namespace {

using namespace percussion;

/// Run of tools/validation/slit.prm with elements of 3 mm.
class Slit {
public:
  Slit(const std::string &law, const std::string &elimination)
      : c(build(law, elimination)), step(*c.bodies, *c.boundary, c.choices, c.cone),
        state(c.initial) {
    step.initialise(state);
  }
  const StepRecord<3> &advance() { return step.advance(state, (state.step + 1) * c.choices.h); }

private:
  static Case<3> build(const std::string &law, const std::string &elimination) {
    auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/tools/validation/slit.prm");
    for (const std::string &assignment :
         {std::string("Mesh/Parameters=size = 3"), "Material/Law=" + law,
          "Solver/Contact elimination=" + elimination})
      file.override_with(assignment);
    return build_case<3>(Parameters(declare_case(&file), file), file);
  }

  const Case<3> c;

public:
  Step<3> step;
  State<3> state;
};

std::vector<std::pair<ContactKey, ContactStatus>> statuses_in(const StepRecord<3> &record) {
  std::vector<std::pair<ContactKey, ContactStatus>> statuses;
  for (const auto &contact : record.contacts)
    statuses.emplace_back(contact.key, contact.status);
  return statuses;
}

class SlitThatCloses : public ::testing::TestWithParam<std::string> {};

TEST_P(SlitThatCloses, HasTheSameContactsCondensedAndProjected) {
  Slit condensed(GetParam(), "condensed"), projected(GetParam(), "projected");
  std::size_t most_contacts = 0;
  unsigned int n_slips = 0, n_sticks = 0;
  double largest = 0;
  for (unsigned int k = 1; k <= 24; ++k) {
    SCOPED_TRACE("step " + std::to_string(k));
    const StepRecord<3> &expected = condensed.advance(), &record = projected.advance();
    largest = std::max(largest, condensed.state.energy());
    ASSERT_TRUE(statuses_in(record) == statuses_in(expected));
    EXPECT_NEAR(projected.state.kinetic, condensed.state.kinetic, 1e-9 * largest);
    EXPECT_NEAR(projected.state.strain, condensed.state.strain, 1e-9 * largest);
    for (const auto *const either : {&expected, &record}) {
      EXPECT_LE(std::abs(either->balance_residual), 1e-13 * largest);
      EXPECT_LE(either->solver_residual, 1e-10);
      EXPECT_LE(either->defects.defect(DefectKind::cone_violation).value, 1e-10);
      EXPECT_LE(either->defects.defect(DefectKind::slip_direction_error).value, 1e-6);
    }
    if (!record.contacts.empty()) {
      EXPECT_EQ(projected.step.posed_problem(), nullptr);
      EXPECT_NE(condensed.step.posed_problem(), nullptr);
    }
    most_contacts = std::max(most_contacts, record.contacts.size());
    n_slips += record.n_sliding;
    for (const auto &contact : record.contacts)
      n_sticks += contact.status == ContactStatus::stick;
  }
  EXPECT_GE(most_contacts, 140u);
  EXPECT_GT(n_slips, 1000u);
  EXPECT_GT(n_sticks, 500u);
}

INSTANTIATE_TEST_SUITE_P(Laws, SlitThatCloses, ::testing::Values("linear elastic", "neo-hooke"),
                         [](const auto &law) {
                           return law.param == "neo-hooke" ? "Hyperelastic" : "Linear";
                         });

} // namespace
