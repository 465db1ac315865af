// Wrong inputs, one a row: each is refused with its cause and its line, and nothing else happens.
// Here: syntax, names and values.

#include "cases/wrong_inputs.h"

namespace {

using cases::name_of;
using cases::WrongInput;
using cases::WrongInputs;

TEST_P(WrongInputs, AreRefused) { expect_refusal_of(GetParam()); }

const std::string step = "  set Step = 1e-3\n", young = "Young modulus = 100";
const std::string last = "  set Number of instants = 4\nend\n", region = "Region = bottom";

std::string repeated(const std::string &line, unsigned int n) {
  std::string text;
  for (; n > 0; --n)
    text += line;
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, WrongInputs,
    testing::Values(
        WrongInput{"MissingEnd",
                   {{step + "end\n", step}},
                   {},
                   {"2 problems", "case.prm:16: subsection 'Time' has no 'end'",
                    "case.prm:19: unknown subsection 'Time/Output'; 'Output' exists: is an 'end' "
                    "missing before this line?"}},
        WrongInput{"OneEndTooMany",
                   {{last, last + "end\n"}},
                   {},
                   {"case.prm:23: 'end' without an open subsection"}},
        WrongInput{"NoEqualsSign",
                   {{"Step = 1e-3", "Step 1e-3"}},
                   {},
                   {"case.prm:18: '=' is missing in 'set Step 1e-3'; expected 'set NAME = VALUE'"}},
        WrongInput{"MisspeltKeyword",
                   {{"set Step", "ste Step"}},
                   {},
                   {"percussion: case.prm:18: unknown keyword 'ste'; did you mean 'set'?"}},
        WrongInput{"MisspeltSubsection",
                   {{"subsection Time", "subsecton Time"}},
                   {},
                   {"percussion: case.prm:16: unknown keyword 'subsecton'; did you mean"}},
        WrongInput{"NoKeyword",
                   {{"set Step", "Step"}},
                   {},
                   {"percussion: case.prm:18: unknown keyword 'Step'; did you mean 'set Step = "}},
        WrongInput{"SetTwice",
                   {{step, step + "  set End = 1\n"}},
                   {},
                   {"case.prm:19: 'Time/End' is set again; it was set in case.prm:17"}},
        WrongInput{"NestedTooDeep",
                   {{last, last + "include nested.prm\n"}},
                   {},
                   {"nested.prm:21: this subsection lies in 20 others"},
                   {{"nested.prm", repeated("subsection a\n", 200000)}}},
        WrongInput{"NoBreakSpace",
                   {{"set Step", "set\u00a0Step"}},
                   {},
                   {"percussion: case.prm:18: there is a no-break space (U+00A0) beside 'set'"}},
        WrongInput{"SlashInAName",
                   {{"set Step", "set Time/Step"}},
                   {},
                   {"case.prm:18: the name 'Time/Step' contains '/'"}},
        WrongInput{"BackslashAtTheEnd",
                   {{last, "  set Number of instants = 4\nend \\"}},
                   {},
                   {"case.prm:22: the last line ends with a backslash"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Includes, WrongInputs,
    testing::Values(
        WrongInput{"MissingFile",
                   {{last, last + "include parts/steel.prm\n"}},
                   {},
                   {"case.prm:23: cannot read 'parts/steel.prm': no such file"}},
        WrongInput{"Cycle",
                   {{last, last + "include a.prm\n"}},
                   {},
                   {"b.prm:1: 'a.prm' includes itself"},
                   {{"a.prm", "include b.prm\n"}, {"b.prm", "include a.prm\n"}}},
        WrongInput{"MistakeInAnIncludedFile",
                   {{"  set " + young, "  include parts/steel.prm"}},
                   {},
                   {"parts/steel.prm:2: 'Material/Young modulus' is '-1': allowed is a number > 0"},
                   {{"parts/steel.prm", "\nset Young modulus = -1\n"}}},
        WrongInput{"MeaningOfAnIncludedFile",
                   {{"    set " + region, "    include parts/outer.prm"}},
                   {},
                   {"parts/inner.prm:1: 'Contact/ground/Region' is 'botom': no such region"},
                   {{"parts/outer.prm", "include inner.prm\n"},
                    {"parts/inner.prm", "set Region = botom\n"}}},
        WrongInput{"SetBeforeItIsIncluded",
                   {{"  set " + young, "  set Young modulus = 1\n  include steel.prm"}},
                   {},
                   {"steel.prm:1: 'Material/Young modulus' is set again; it was set in case.prm:5, "
                    "before this file was included; include first"},
                   {{"steel.prm", "set Young modulus = 2\n"}}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Names, WrongInputs,
    testing::Values(
        WrongInput{"Entry",
                   {{"set Step", "set Stpe"}},
                   {},
                   {"percussion: case.prm:18: unknown entry 'Time/Stpe'; did you mean 'Step'?"}},
        WrongInput{"RequiredEntry",
                   {{"set File", "set Fil"}},
                   {},
                   {"percussion: case.prm:2: unknown entry 'Mesh/Fil'; did you mean 'File'?"}},
        WrongInput{"EntryOfAContact",
                   {{"set Region", "set Regoin"}},
                   {},
                   {"percussion: case.prm:12: unknown entry 'Contact/ground/Regoin'; did you mean "
                    "'Region'?"}},
        WrongInput{"EntryOfAnotherSubsection",
                   {{young, "Step = 1"}},
                   {},
                   {"percussion: case.prm:5: unknown entry 'Material/Step'; 'Step' is an entry of "
                    "subsection Time"}},
        WrongInput{"Subsection",
                   {{"subsection Mesh", "subsection Mseh"}},
                   {},
                   {"percussion: case.prm:1: unknown subsection 'Mseh'; did you mean 'Mesh'?"}},
        WrongInput{"EntryAsSubsection",
                   {{"subsection ground", "subsection Forecast"}},
                   {},
                   {"percussion: case.prm:11: unknown subsection 'Contact/Forecast'; 'Forecast' is "
                    "an entry: use 'set'"}},
        WrongInput{"SubsectionAsEntry",
                   {{last, last + "set Time = 1\n"}},
                   {},
                   {"case.prm:23: unknown entry 'Time'; 'Time' is a subsection"}},
        WrongInput{"OldAndNewName",
                   {{last, last + "subsection Solver\n  set Max cuts = 2\nend\n"},
                    {step, step + "  set Max cuts = 3\n"}},
                   {},
                   {"case.prm:25: 'Solver/Max cuts' is set again; it was set in case.prm:19 as "
                    "'Time/Max cuts', which is the same entry"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Values, WrongInputs,
    testing::Values(
        WrongInput{
            "Unit",
            {{young, "Young modulus = 210 GPa"}},
            {},
            {"percussion: case.prm:5: 'Material/Young modulus' is '210 GPa': allowed is a "
             "number > 0, without a unit; write '210'. Units are not written behind values"}},
        WrongInput{
            "UnitOfAVector",
            {{"0, -1", "0, -9.81 m/s^2"}},
            {},
            {"case.prm:8: 'Boundary conditions/Gravity' is '0, -9.81 m/s^2'", "write '0, -9.81'"}},
        WrongInput{"DecimalComma",
                   {{"Friction coefficient = 0.3", "Friction coefficient = 0,3"}},
                   {},
                   {"case.prm:13: 'Contact/ground/Friction coefficient' is '0,3'",
                    "decimals are written with a point: did you mean '0.3'?"}},
        WrongInput{"DecimalCommasOfAVector",
                   {{"0, -1", "0,5, -9,81"}},
                   {},
                   {"case.prm:8: ", "did you mean '0.5, -9.81'?"}},
        WrongInput{"Negative",
                   {{"Step = 1e-3", "Step = -1"}},
                   {},
                   {"percussion: case.prm:18: 'Time/Step' is '-1': allowed is a number > 0"}},
        WrongInput{"FortranExponent",
                   {{"Step = 1e-3", "Step = 1d-3"}},
                   {},
                   {"percussion: case.prm:18: 'Time/Step' is '1d-3': allowed is a number > 0; "
                    "exponents are written with an e: did you mean '1e-3'?"}},
        WrongInput{"TooManyDigits",
                   {{"Step = 1e-3", "Step = " + std::string(90000, '1')}},
                   {},
                   {"percussion: case.prm:18: 'Time/Step' is '" + std::string(200, '1') +
                    "…': allowed is a number > 0"}},
        WrongInput{"TooLong",
                   {{"Step = 1e-3", "Step = " + std::string(600000, '1')}},
                   {},
                   {"percussion: case.prm:18: 'Time/Step' is '" + std::string(200, '1') +
                    "…': it has 600000 bytes; allowed are 100000"}},
        WrongInput{"NoNumber",
                   {{"Step = 1e-3", "Step = nan"}},
                   {},
                   {"case.prm:18: 'Time/Step' is 'nan': allowed is a number > 0"}},
        WrongInput{"Nothing",
                   {{"Step = 1e-3", "Step ="}},
                   {},
                   {"case.prm:18: 'Time/Step' is '': allowed is a number > 0"}},
        WrongInput{"NoInteger",
                   {{"instants = 4", "instants = 4.5"}},
                   {},
                   {"case.prm:21: 'Output/Number of instants' is '4.5': allowed is an integer"}},
        WrongInput{"TooFewComponents",
                   {{"0, -1", "-1"}},
                   {},
                   {"case.prm:8: 'Boundary conditions/Gravity' is '-1': allowed is 2 values"}},
        WrongInput{"Alternative",
                   {{step, step + "  set Scheme = moreau-jan\n"}},
                   {},
                   {"case.prm:19: 'Time/Scheme' is 'moreau-jan'", "did you mean 'moreau-jean'?"}},
        WrongInput{"TooLarge",
                   {{young, "Young modulus = 1e300"}},
                   {},
                   {"percussion: case.prm:5: 'Material/Young modulus' is '1e300': too large to "
                    "compute with: allowed are zero and magnitudes from 1e-50 to 1e50"}},
        WrongInput{"TooSmall",
                   {{young, "Density = 1e-300"}},
                   {},
                   {"percussion: case.prm:5: 'Material/Density' is '1e-300': too small to"}},
        WrongInput{"OneComponentTooLarge",
                   {{"0, -1", "0, -1e99"}},
                   {},
                   {"case.prm:8: 'Boundary conditions/Gravity' is '0, -1e99': too large to"}}),
    name_of);

} // namespace
