// Wrong inputs, one for each row: each is refused with its cause and its line, without side
// effects. Here: syntax, names and values.

#include "cases/wrong_inputs.h"

namespace {

using cases::last;
using cases::name_of;
using cases::region;
using cases::step;
using cases::WrongInput;
using cases::WrongInputs;
using cases::young;

TEST_P(WrongInputs, AreRefused) { expect_refusal_of(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Syntax, WrongInputs,
    testing::Values(
        WrongInput{"MissingEnd",
                   {{step + "end\n", step}},
                   {},
                   {"3 problems", "case.prm:16: subsection 'Time' has no 'end'",
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
        WrongInput{"SlashInAName",
                   {{"set Step", "set Time/Step"}},
                   {},
                   {"case.prm:18: the name 'Time/Step' contains '/'"}},
        WrongInput{"BackslashAtTheEnd",
                   {{"  set Density = 1\nend\n", "  set Density = 1\nend \\"}},
                   {},
                   {"case.prm:25: the last line ends with a backslash"}}),
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
                   {"percussion: case.prm:5: unknown entry 'Material/Step'; there is 'Time/Step'"}},
        WrongInput{"Subsection",
                   {{"subsection Mesh", "subsection Mseh"}},
                   {},
                   {"percussion: case.prm:1: unknown subsection 'Mseh'; did you mean 'Mesh'?"}},
        WrongInput{"EntryAsSubsection",
                   {{"subsection ground", "subsection Forecast"}},
                   {},
                   {"percussion: case.prm:11: unknown subsection 'Contact/Forecast'; it is "
                    "an entry: use 'set'"}},
        WrongInput{"SubsectionAsEntry",
                   {{last, last + "set Time = 1\n"}},
                   {},
                   {"case.prm:23: unknown entry 'Time'; it is a subsection"}},
        WrongInput{"SubsectionInsideAnother",
                   {{step, step + "  subsection Contact\n  end\n"}},
                   {},
                   {"case.prm:19: unknown subsection 'Time/Contact'; 'Contact' exists: is an 'end' "
                    "missing before this line?"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Values, WrongInputs,
    testing::Values(
        WrongInput{"Negative",
                   {{"Step = 1e-3", "Step = -1"}},
                   {},
                   {"percussion: case.prm:18: 'Time/Step' is '-1': allowed is a number > 0"}},
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
                   {"case.prm:19: 'Time/Scheme' is 'moreau-jan'", "did you mean 'moreau-jean'?"}}),
    name_of);

} // namespace
