#pragma once

#include <string>

namespace percussion {

/// The text, quoted if the shell would not take it as one word.
std::string shell_word(const std::string &text);

} // namespace percussion
