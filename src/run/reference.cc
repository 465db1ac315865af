#include <percussion/run/case.h>
#include <percussion/run/reference.h>
#include <percussion/version.h>

#include <ostream>
#include <sstream>
#include <string>

namespace percussion {
namespace {

const char *const conventions[] = {
    "<region>, <body>, <name> and <link> stand for subsections that a case names: regions of its",
    "mesh, rigid bodies, contacts and links of its own.",
    "Units are the user's own, consistent: [M, L, T] are mass, length and time, [1] is none.",
    "Formulas have the constants pi and e, the operators + - * / ^ == < > && || ?: and",
    "functions such as sin, exp, sqrt, abs, sign, min, max.",
    "AC24: Acary and Collins-Craft 2024; AC23: its preprint of 2023. BBDM24: Barboteu, Bonaldi,",
    "Dumont and Mahmoud 2024. JM91: Jean and Moreau 1991."};

const char *const page_head = R"(# Parameters

<!-- Written by: percussion --print-parameters --markdown -->

A case is a parameter file (`.prm`): subsections with entries, comments from `#` to the end of the line.

    subsection Time
      set Step = 1e-5         # a comment
    end

`percussion --print-parameters` writes this reference as such a file, `percussion --print-parameters case.prm` the values
that a case has.

`include FILE` reads another file where it stands; the name is relative to the file that includes. What an included
file sets can be set again after the `include`, and `--set "Time/Step=1e-5"` on the command line overrides both. Families
of cases are made in this way: a file with all that they share, and for each case one that includes it and says what
differs. Within one file an entry is set once.

`<region>`, `<body>`, `<name>` and `<link>` below stand for subsections that a case names: regions of its mesh, rigid
bodies, contacts and links of its own.

Units are the user's own, consistent, and are not written behind values: [M, L, T] are mass, length and time, [1] is
none. `Output/Units` tells the results which they are.

Formulas have the constants `pi` and `e`, the operators `+ - * / ^ == < > && || ?:` and functions such as `sin`, `exp`,
`sqrt`, `abs`, `sign`, `min`, `max`.

AC24: Acary and Collins-Craft 2024; AC23: its preprint of 2023. BBDM24: Barboteu, Bonaldi, Dumont and Mahmoud 2024.
JM91: Jean and Moreau 1991.
)";

} // namespace

void print_reference(std::ostream &out, ReferenceFormat format) {
  if (format == ReferenceFormat::markdown) {
    out << page_head;
    return print_markdown(out, declare_case(nullptr));
  }
  out << "# All parameters of Percussion " PERCUSSION_VERSION ".\n";
  for (const char *const line : conventions)
    out << "# " << line << '\n';
  std::ostringstream text; // deal.II throws at a stream that fails
  Parameters(declare_case(nullptr), ParameterFile::parse("", "percussion")).print(text, true);
  out << '\n' << text.str();
}

} // namespace percussion
