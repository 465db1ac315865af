// Matrices that are not positive definite: the message names the cause.

#include "cases/support.h"

namespace {

using namespace cases;

class IndefiniteMatrix : public CaseFolder {};

/// A free block in a step so long that its mass is round-off of its stiffness.
TEST_F(IndefiniteMatrix, OfAStepThatIsTooLong) {
  const std::string text = case_file, contact = "subsection Contact", time = "subsection Time";
  write("case.prm", text.substr(0, text.find(contact)) + text.substr(text.find(time)));
  const Outcome outcome = run_with({"Time/Step=1e12", "Time/End=2e12"});
  EXPECT_EQ(outcome.status, 1);
  for (const std::string words :
       {"the system matrix is not positive definite: in a step of 1e+12 the stiffness of the "
        "elastic "
        "body times the square of the step is ",
        "the supports leave a rigid motion free. Take a smaller Time/Step, or support the body"})
    EXPECT_TRUE(has(outcome.error, words)) << outcome.error;
}

/// The same step is possible for a block that a contact may hold.
TEST_F(IndefiniteMatrix, NotOfABodyThatAContactHolds) {
  const Outcome outcome = run_with({"Time/Step=1e12", "Time/End=2e12"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
}

/// The same step is possible for a held block.
TEST_F(IndefiniteMatrix, NotOfABodyThatIsHeld) {
  const Outcome outcome =
      run_with({"Time/Step=1e12", "Time/End=2e12", "Boundary conditions/top/Displacement x=0",
                "Boundary conditions/top/Displacement y=0"});
  EXPECT_FALSE(has(outcome.error, "positive definite")) << outcome.error;
}

} // namespace
