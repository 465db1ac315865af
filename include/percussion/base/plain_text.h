#pragma once

#include <string>

namespace percussion {

/// Length of the byte order mark of UTF-8, which editors on Windows write before a text, at the
/// beginning of these bytes; zero without a mark.
std::size_t length_of_byte_order_mark(const std::string &bytes);

/// Returns a text without its byte order mark, and with a line feed in place of each carriage
/// return that none follows. Throws InputError, as the end of a sentence, if the mark is one of
/// UTF-16, the "Unicode" of some editors.
std::string plain_text(std::string bytes);

} // namespace percussion
