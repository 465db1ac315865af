#include <percussion/base/error.h>
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
  write_page({run}, {{folder / "a.png", "A caption & more", "What it <shows>", Section::energy}},
             folder / "index.html");

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
  for (const char *word : {"<script", "@import", "url(", "http:", "https:"})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  // What is linked is in the page.
  const std::regex link("href\\s*=\\s*[\"']?([^\"'>]*)");
  for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it) {
    const std::string target = (*it)[1];
    if (target != "data:,") {
      EXPECT_NE(page.find("id=\"" + target.substr(1) + "\""), std::string::npos) << target;
    }
  }
  EXPECT_NE(page.find("a &lt; b"), std::string::npos);
  EXPECT_NE(page.find("A caption &amp; more"), std::string::npos);
  EXPECT_NE(page.find("alt=\"What it &lt;shows&gt;\""), std::string::npos);
  fs::remove_all(folder);
}

namespace {
/// The page of runs whose summary.json are given.
std::string page_of(const std::vector<std::string> &summaries) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "percussion-report-summaries";
  std::vector<History> runs;
  for (const std::string &summary : summaries) {
    History run;
    run.folder = folder / std::to_string(runs.size());
    run.label = "run " + std::to_string(runs.size());
    run.remarks["units"] = "N, mm, ms, g";
    fs::create_directories(run.folder);
    if (!summary.empty())
      std::ofstream(run.folder / "summary.json") << summary;
    runs.push_back(run);
  }
  write_page(runs, {}, folder / "index.html");
  std::ifstream in(folder / "index.html");
  std::ostringstream text;
  text << in.rdbuf();
  fs::remove_all(folder);
  return text.str();
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(ReportPage, SummaryHasNamesAndUnits) {
  const std::string page =
      page_of({R"({"status": "completed", "time": {"step": 0.00001}, "size": {"rigid_bodies": 0},
                   "end_state": {"total": 299.915305692}, "wall_seconds": {"total": 185.4}})"});
  EXPECT_TRUE(contains(page, R"(<th scope="row">step</th><td>1 × 10⁻⁵ ms</td>)")) << page;
  EXPECT_TRUE(contains(page, R"(<th scope="row">total energy</th><td>299.92 N mm</td>)"));
  EXPECT_TRUE(contains(page, R"(<th scope="row">wall time</th><td>3.09 min</td>)"));
  EXPECT_FALSE(contains(page, ">rigid bodies<")); // there are none
  EXPECT_TRUE(contains(page, "<details>"));
  EXPECT_TRUE(contains(page, "299.915305692")); // all digits in the fold-out
}

TEST(ReportPage, RunsWithoutSummaryHaveAnEmptyColumn) {
  const std::string page = page_of({R"({"status": "completed"})", ""});
  EXPECT_TRUE(contains(page, R"(<th scope="col">run 1</th>)"));
  EXPECT_TRUE(contains(page, R"(<th scope="row">state</th><td>completed</td><td>–</td>)"));
  EXPECT_TRUE(contains(page_of({""}), "has not come to its end"));
}

TEST(ReportPage, BadJsonNamesItsFile) {
  try {
    page_of({"{\"a\": }"});
    FAIL();
  } catch (const InputError &error) {
    EXPECT_TRUE(contains(error.what(), "summary.json")) << error.what();
  }
}
