#include <percussion/base/error.h>
#include <percussion/base/plain_text.h>

namespace percussion {

std::size_t length_of_byte_order_mark(const std::string &bytes) {
  constexpr const char *mark = "\xEF\xBB\xBF";
  return bytes.compare(0, 3, mark) == 0 ? 3 : 0;
}

std::string plain_text(std::string bytes) {
  for (const char *const mark : {"\xFF\xFE", "\xFE\xFF"})
    if (bytes.compare(0, 2, mark) == 0)
      throw InputError("its text is in UTF-16; save it as UTF-8");
  bytes.erase(0, length_of_byte_order_mark(bytes));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] == '\r' && (i + 1 == bytes.size() || bytes[i + 1] != '\n'))
      bytes[i] = '\n';
  return bytes;
}

} // namespace percussion
