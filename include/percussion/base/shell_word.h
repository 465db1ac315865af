#pragma once

#include <string>

namespace percussion {

/// Returns the text, quoted if the shell would split or expand it.
std::string shell_word(const std::string &text);

} // namespace percussion
