// Named constants, and formulas in entries that are numbers.

#include <percussion/input/parameters.h>

#include <gtest/gtest.h>

namespace {

using namespace percussion;
using dealii::Patterns::Double;
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

Parameters read_with_step(const std::string &text) {
  const auto file = ParameterFile::parse(text, "case.prm");
  ParameterDeclarations declared;
  {
    const Subsection subsection(declared, "Constants");
    for (const auto &[path, entry] : file.assignments())
      if (parent(path) == ParameterPath{"Constants"})
        declared.declare(path.back(), "", Described("a formula"), "");
  }
  declared.declare("Step", "1", PositiveDouble(), "");
  declared.declare("Steps", "1", Integer(1, 100), "");
  declared.declare("Gravity", "0, 0", List(Double(), 2, 2), "");
  declared.declare("Shape", "round", Selection("round|square"), "");
  return {std::move(declared), file};
}

std::string problem_with(const std::string &text) {
  try {
    read_with_step(text).problems().throw_if_any();
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

const std::string constants = R"(subsection Constants
  set step = 2*mm
  set mm = 1e-3
end
)";

TEST(Constants, SpeakOfEachOtherInAnyOrder) {
  const auto parameters = read_with_step(constants);
  EXPECT_EQ(parameters.constants().at("mm"), 1e-3);
  EXPECT_EQ(parameters.constants().at("step"), 2 * 1e-3);
}

TEST(Constants, StandInNumbersAndLists) {
  const auto parameters = read_with_step(constants + R"(set Step = step/4
set Steps = 3*4
set Gravity = 0, -9.81*sqrt(max(1, 4))
)");
  EXPECT_EQ(problem_with(constants + "set Step = step/4\n"), "");
  EXPECT_EQ(parameters.get_double("Step"), 2 * 1e-3 / 4);
  EXPECT_EQ(parameters.get_integer("Steps"), 12);
  EXPECT_EQ(parameters.get_double_list("Gravity"), (std::vector<double>{0, -19.62}));
  EXPECT_EQ(parameters.remark("Step", "why"), "case.prm:5: 'Step' is 'step/4' (= 5e-04): why");
}

TEST(Constants, AreRefusedWithPlaceAndReason) {
  const auto expect = [](const std::string &text, const std::string &words) {
    EXPECT_NE(problem_with(text).find(words), std::string::npos) << problem_with(text);
  };
  expect("subsection Constants\nset pi = 3\nend\n",
         "case.prm:2: 'Constants/pi' is '3': formulas have a pi already");
  expect("subsection Constants\nset a = b\nset b = a\nend\n",
         "'Constants/a' is 'b': not a formula");
  expect("subsection Constants\nset a = 2*t\nend\n", "it depends on t, x or y");
  expect("subsection Constants\nset a = 1/0\nend\n", "not a finite number");
  expect("set Step = 2*km\n", "case.prm:1: 'Step' is '2*km' (not a formula: 'km' is no variable");
  expect("set Step = -1/2\n", "'Step' is '-1/2' (= -0.5): allowed is a number > 0");
  expect("set Steps = 1/2\n", "'Steps' is '1/2' (= 0.5): allowed is an integer");
  expect("set Shape = 1+1\n", "'Shape' is '1+1': allowed is one of round | square");
  expect("set Gravity = 1*2\n", "allowed is 2 values separated by ','");
}

} // namespace
