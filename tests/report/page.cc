#include <percussion/io/error.h>
#include <percussion/report/page.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

using namespace percussion;
using namespace percussion::report;

TEST(ReportPage, Base64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\x00\x80", 3)), "/wCA");
}

TEST(ReportPage, JsonIsFlattenedInItsOwnOrder) {
  const Rows rows =
      flatten_json(R"({"z": 1.5, "a": {"b": "text", "c": [1, 2]}, "l": [{"x": true}]})", "s.json");
  const Rows expected = {{"z", "1.5"}, {"a.b", "text"}, {"a.c", "1, 2"}, {"l[0].x", "true"}};
  EXPECT_EQ(rows, expected);
}

TEST(ReportPage, BadJsonNamesItsFile) {
  try {
    flatten_json("{\"a\": }", "summary.json");
    FAIL();
  } catch (const InputError &error) {
    EXPECT_NE(std::string(error.what()).find("summary.json"), std::string::npos);
  }
}

TEST(ReportPage, RefersToNoOtherFile) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "percussion-report-page";
  fs::create_directories(folder);
  std::ofstream(folder / "a.png") << "not really a picture";
  std::ofstream(folder / "summary.json") << R"({"note": "<script src='x'>"})";
  History run;
  run.folder = folder;
  run.label = "a < b";
  run.remarks["case"] = "\"quoted\"";
  write_page({run}, {{folder / "a.png", "A caption & more"}}, folder / "index.html");

  std::ifstream in(folder / "index.html");
  std::ostringstream text;
  text << in.rdbuf();
  const std::string page = text.str();
  // Every src is a data URI, and nothing is linked.
  const std::regex source("<[^>]*\\ssrc\\s*=\\s*[\"']?([^\"'>]{0,5})");
  int sources = 0;
  for (std::sregex_iterator it(page.begin(), page.end(), source), end; it != end; ++it, ++sources)
    EXPECT_EQ((*it)[1], "data:");
  EXPECT_EQ(sources, 1);
  for (const char *word : {"<link", "href=", "<script", "@import", "url("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  EXPECT_NE(page.find("a &lt; b"), std::string::npos);
  EXPECT_NE(page.find("A caption &amp; more"), std::string::npos);
  fs::remove_all(folder);
}
