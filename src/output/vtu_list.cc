#include <percussion/output/vtu_list.h>

#include <cstdio>

namespace percussion {

std::string vtu_name(const std::string &series, std::size_t number) {
  char text[64];
  std::snprintf(text, sizeof text, "%s-%06zu.vtu", series.c_str(), number);
  return text;
}

std::string pvd_entry(const std::string &series, std::size_t number, double time) {
  char text[160];
  std::snprintf(text, sizeof text, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                time, vtu_name(series, number).c_str());
  return text;
}

std::string pvd_text(const std::string &entries) {
  return "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
         "  <Collection>\n" +
         entries + "  </Collection>\n</VTKFile>\n";
}

} // namespace percussion
