#pragma once

namespace percussion {

/// State of a contact in a solution. Files contain the number.
enum class ContactStatus : signed char { open = 0, stick = 1, slip = 2 };

} // namespace percussion
