#pragma once

#include <percussion/input/parameters.h>

namespace percussion {
/// What names and values that were not understood were probably meant to be, and the messages that
/// say so.

/// Subsections that an unknown one may have been meant to be: the nearest beside it, or those of
/// its name elsewhere.
std::vector<ParameterPath> meant_subsections(const ParameterDeclarations &declared,
                                             const ParameterPath &unknown);

/// The same for entries.
std::vector<ParameterPath> meant_entries(const ParameterDeclarations &declared,
                                         const ParameterPath &unknown);

std::string unknown_subsection(const ParameterDeclarations &declared, const ParameterPath &path);
std::string unknown_entry(const ParameterDeclarations &declared, const ParameterPath &path);

/// Why a value is refused, beginning with the entry and the value; empty if it is not.
std::string refusal(const ParameterDeclaration &declaration, const ParameterEntry &entry);

/// "'Time/Step'", or "'Time/Step' (written as 'Time/Length')" where the user took an old name.
std::string name_as_given(const ParameterDeclaration &declaration, const ParameterEntry &entry);
} // namespace percussion
