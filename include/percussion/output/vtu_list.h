#pragma once

#include <cstddef>
#include <string>

namespace percussion {

/// The two kinds of VTU files that a run writes.
inline constexpr const char *vtu_series[] = {"solution", "contacts"};

/// "solution-000012.vtu"
std::string vtu_name(const std::string &series, std::size_t number);

/// The line by which a PVD file lists it with its time.
std::string pvd_entry(const std::string &series, std::size_t number, double time);

/// The PVD file with these entries.
std::string pvd_text(const std::string &entries);

} // namespace percussion
