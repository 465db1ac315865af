#include <percussion/base/nearest_name.h>

#include <gtest/gtest.h>

namespace {
using namespace percussion;

TEST(EditDistance, CountsEachKindOfMistakeOnce) {
  EXPECT_EQ(edit_distance("Step", "Step"), 0u);
  EXPECT_EQ(edit_distance("Step", "sTEP"), 0u);
  EXPECT_EQ(edit_distance("Stp", "Step"), 1u);
  EXPECT_EQ(edit_distance("Stepp", "Step"), 1u);
  EXPECT_EQ(edit_distance("Stip", "Step"), 1u);
  EXPECT_EQ(edit_distance("Setp", "Step"), 1u); // two in the plain Levenshtein distance
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "Step"), 4u);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2u); // two swaps
}

TEST(NearestName, TakesTheNearestAndTheFirstOfEqual) {
  EXPECT_EQ(nearest_name("Stp", {"End", "Stop", "Step"}), "Stop");
  EXPECT_EQ(nearest_name("Stpe", {"End", "Stop", "Step"}), "Step");
  EXPECT_EQ(nearest_name("restitutoin", {"Friction", "Restitution"}), "Restitution");
}

TEST(NearestName, GivesNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("Colour", {"End", "Step", "Scheme"}), std::nullopt);
  EXPECT_EQ(nearest_name("x", {"y"}), std::nullopt);
  EXPECT_EQ(nearest_name("", {"e", "Step"}), std::nullopt);
  EXPECT_EQ(nearest_name("Step", {}), std::nullopt);
}

/// A long word is rejected by its length: the table of distances would fill the memory.
TEST(NearestName, OfALongWordIsFoundAtOnce) {
  const std::string word(100000000, 'x');
  EXPECT_EQ(nearest_name(word, {"Step", "End"}), std::nullopt);
}

TEST(DidYouMean, ComparesFilesWithoutTheirEndings) {
  EXPECT_EQ(did_you_mean_file("zz.prm", {"ia.prm"}), "");
  EXPECT_EQ(did_you_mean_file("cas.prm", {"case.prm", "base.prm"}), "; did you mean 'case.prm'?");
  EXPECT_EQ(did_you_mean_file("case.pmr", {"case.prm"}), "; did you mean 'case.prm'?");
  EXPECT_EQ(did_you_mean_file("case.prm", {"case.prm"}), "");
}

TEST(DidYouMean, IsASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("Stp", {"Step"}), "; did you mean 'Step'?");
  EXPECT_EQ(did_you_mean("Colour", {"Step"}), "");
}

TEST(Listed, NamesTheFirstOfMany) {
  EXPECT_EQ(listed({"a", "b"}), "a, b");
  std::vector<std::string> names;
  for (unsigned int i = 0; i < 2000; ++i)
    names.push_back("disc" + std::to_string(i));
  const std::string text = listed(names);
  EXPECT_EQ(text.rfind("disc0, disc1, ", 0), 0u);
  EXPECT_EQ(text.substr(text.find(" and ")), " and 1976 more");
}
} // namespace
