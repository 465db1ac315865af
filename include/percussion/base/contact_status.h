#pragma once

namespace percussion {

/// What a contact does in a solution; in files by its number.
enum class ContactStatus : signed char { open = 0, stick = 1, slip = 2 };

} // namespace percussion
