// Words and calls in texts of any length.

#include <percussion/base/text_search.h>

#include <gtest/gtest.h>

namespace {

using namespace percussion;

std::vector<std::string> files(const std::string &formula) {
  std::vector<std::string> names;
  for (const auto &[first, last] : files_of_tables(formula))
    names.push_back(formula.substr(first, last - first));
  return names;
}

TEST(TextSearch, FindsWholeWords) {
  EXPECT_EQ(find_word("t + at + t_1 + exp(t)*t", "t"), (std::vector<std::size_t>{0, 19, 22}));
  EXPECT_TRUE(find_word("", "t").empty());
}

TEST(TextSearch, FindsFilesOfTables) {
  const std::string formula = "2*table(\"a b.csv:x\", t) + table ( \n\"c\",y)";
  EXPECT_EQ(files(formula), (std::vector<std::string>{"a b.csv:x", "c"}));
  EXPECT_TRUE(files("vegetable(\"a\", t) + table(x) + table").empty());
  EXPECT_EQ(files("table(\"a"), std::vector<std::string>{"a"});
}

TEST(TextSearch, FindsFilesInLongTexts) {
  const std::string name(2000000, 'x'), blanks(2000000, ' ');
  EXPECT_EQ(files("table" + blanks + "(" + blanks + "\"" + name + "\", t)"),
            std::vector<std::string>{name});
}

} // namespace
