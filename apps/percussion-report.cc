// percussion-report: pictures and one page from the output of one or several runs.

#include <percussion/base/error.h>
#include <percussion/report/display.h>
#include <percussion/report/page.h>

#include <CLI/CLI.hpp>

#include "help.h"
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;
using namespace percussion;

struct Options {
  std::vector<fs::path> outputs;
  fs::path pictures;
  std::string warp = "auto";
  std::vector<std::string> labels;
  report::SceneOptions scenes;
  bool no_animation = false;
};

const char *const more_help = R"(Exit status:
  0  All is drawn; the files are listed.
  1  Something cannot be drawn or written.
  2  Bad input: an option, or a folder that holds no results.

Environment:
  DISPLAY                   X display to draw on; where none answers the program
                            starts one of its own by xvfb-run

Files:
  OUTPUT/report/index.html  one page that shows all pictures
  OUTPUT/report/*.png       the pictures
  OUTPUT/report/animation.gif, frames/
                            the animation, and its frames

Examples:
  percussion-report output/sliding_block --warp 100 --time 0.3
                            one run; snapshots near t = 0.3
  percussion-report output/a output/b --pictures comparison
                            two runs in the same figures, in ./comparison

See also:
  percussion(1), percussion-fc(1), paraview(1). The documentation is in
  share/doc/percussion/doc below the folder where Percussion is installed.)";

void declare(CLI::App &app, Options &options) {
  app.add_option("OUTPUT", options.outputs,
                 "Output folder of a run; several are laid over each other")
      ->required();
  app.add_option("--warp", options.warp, "Factor on the displacements in the snapshots, or 'auto'")
      ->check([](const std::string &text) {
        const bool good = text == "auto" || CLI::PositiveNumber(text).empty();
        return good ? std::string() : "'" + text + "' is neither 'auto' nor a positive number";
      })
      ->type_name("FACTOR")
      ->capture_default_str();
  app.add_option("--time", options.scenes.times,
                 "Times of the snapshots (the nearest written are taken)")
      ->type_name("TIME,...")
      ->delimiter(',');
  app.add_option("--field", options.scenes.field,
                 "What colours the bodies (default: von_mises; nothing where all are rigid): "
                 "displacement, velocity or von_mises")
      ->type_name("NAME")
      ->check(CLI::IsMember({"displacement", "velocity", "von_mises"}));
  app.add_option("--frames", options.scenes.frames, "The most frames that the animation has")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--no-animation", options.no_animation, "Draw no animation");
  app.add_option("--label", options.labels,
                 "What an OUTPUT is called in the pictures; once for each of them")
      ->type_name("TEXT")
      ->expected(1)
      ->take_all();
  app.add_option("--pictures", options.pictures,
                 "Folder for pictures and page (default: report/ in the first OUTPUT)")
      ->type_name("DIR");
}

/// The folder for the pictures, made where it is missing.
fs::path make_folder(const Options &options) {
  const fs::path folder =
      options.pictures.empty() ? options.outputs.front() / "report" : options.pictures;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw RunError(folder.string() + ": this folder cannot be made (" +
                   (error ? error.message() : "a file has its name") + ")");
  return folder;
}

/// Draws everything and lists what was written.
void write_report(const std::vector<report::History> &runs, const Options &options) {
  const fs::path folder = make_folder(options);
  std::vector<report::Picture> pictures;
  const auto add = [&](const std::vector<report::Picture> &more) {
    pictures.insert(pictures.end(), more.begin(), more.end());
    return !more.empty();
  };
  if (!options.no_animation)
    add(report::draw_animation(runs, options.scenes, folder));
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::string prefix =
        runs.size() == 1 ? "snapshot-" : "snapshot-" + std::to_string(run) + "-";
    if (!add(report::draw_snapshots(runs[run], options.scenes, folder, prefix)))
      std::cerr << "percussion-report: " << runs[run].folder.string()
                << " has no solution.pvd, hence no snapshots\n";
  }
  add(report::draw_histories(runs, folder));
  report::write_page(runs, pictures, folder / "index.html");
  for (const auto &picture : pictures)
    std::cout << picture.file.string() << '\n';
  std::cout << (folder / "index.html").string() << '\n';
}
} // namespace

int main(int argc, char **argv) {
  CLI::App app("Pictures and one page that shows them, from the output folder of a run");
  app.name("percussion-report");
  Options options;
  declare(app, options);
  set_help(app, {"[OPTION]... OUTPUT..."}, more_help);
  try {
    app.parse(argc, argv);
    if (options.warp != "auto")
      options.scenes.warp = std::stod(options.warp);
    // Wrong input is reported before a display is looked for.
    const auto runs = report::read_histories(options.outputs, options.labels);
    report::ensure_display(argv);
    write_report(runs, options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InputError &error) {
    std::cerr << "percussion-report: " << error.what() << '\n';
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "percussion-report: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
