// Folders and files of strangers: they start no program, write nothing outside the folder of the
// results, and no device is read.

#include "cases/support.h"
#include <algorithm>
#include <filesystem>
#include <set>
#include <sys/stat.h>

namespace {

namespace fs = std::filesystem;
using cases::has;
using cases::Outcome;

class UntrustedFolder : public cases::CaseFolder {
protected:
  UntrustedFolder() {
    write("start.sh", "#!/bin/sh\ntouch '" + (folder / "called").string() + "'\n");
    fs::permissions(folder / "start.sh", fs::perms::owner_all);
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      names.insert(entry.path().string());
    return names;
  }

  /// Validates the case; expects that no file is written.
  Outcome validate() const {
    const auto before = files();
    const Outcome outcome = start("percussion", {"case.prm", "--validate"});
    EXPECT_EQ(files(), before);
    return outcome;
  }

  /// Validates the case with a geometry that begins with this command.
  Outcome validate_geometry(const std::string &command) const {
    write("block.geo", command + square);
    return start("percussion", {"case.prm", "--set", "Mesh/File=block.geo", "--validate"});
  }

  static constexpr const char *square = "\nPoint(1) = {0, 0, 0, 0.5};\n"
                                        "Point(2) = {1, 0, 0, 0.5};\n"
                                        "Point(3) = {1, 1, 0, 0.5};\n"
                                        "Point(4) = {0, 1, 0, 0.5};\n"
                                        "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4};\n"
                                        "Line(4) = {4, 1}; Curve Loop(1) = {1, 2, 3, 4};\n"
                                        "Plane Surface(1) = {1};\n"
                                        "Physical Curve(\"bottom\") = {1};\n"
                                        "Physical Surface(\"block\") = {1};\n";
};

/// deal.II starts PETSc, whose options start debuggers and write files.
TEST_F(UntrustedFolder, SettingsOfLibrariesAreNotRead) {
  const std::string program = (folder / "start.sh").string();
  for (const std::string name : {".petscrc", "petscrc"})
    for (const std::string &options :
         {"-start_in_debugger noxterm," + program, std::string("-log_view :called"),
          std::string("-info called"), std::string("-options_view -malloc_dump")}) {
      SCOPED_TRACE(name + ": " + options);
      write(name, options + "\n");
      const Outcome outcome = validate();
      EXPECT_EQ(outcome.status, 0) << outcome.error;
      EXPECT_EQ(outcome.error, "");
      EXPECT_FALSE(has(outcome.out, "PETSc")) << outcome.out;
      fs::remove(folder / name);
    }
}

/// ADOL-C, a library of deal.II, would read it before main(), and wait for the pipe.
TEST_F(UntrustedFolder, SettingsOfLibrariesMayBePipes) {
  for (const char *const name : {".adolcrc", ".petscrc", "petscrc"})
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0600), 0);
  const Outcome outcome = start("percussion", {"case.prm", "--validate"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  for (const char *const name : {".adolcrc", ".petscrc", "petscrc"})
    fs::remove(folder / name);
  write(".adolcrc", "\"TBUFSIZE\" \"100000\"\n");
  EXPECT_FALSE(has(start("percussion", {"case.prm", "--validate"}).out, "adolcrc"));
}

TEST_F(UntrustedFolder, GeometriesStartNoPrograms) {
  for (const std::string command :
       {"SystemCall \"touch called\";", "NonBlockingSystemCall \"touch called\";",
        "SystemCall StrCat(\"to\", \"uch called\");", "OnelabRun(\"name\", \"touch called\");",
        "Include \"other.geo\";", "For i In {1:3}\n  SystemCall \"touch called\";\nEndFor"}) {
    SCOPED_TRACE(command);
    write("other.geo", "SystemCall \"touch called\";\n");
    expect_refusal(validate_geometry(command),
                   {"'Mesh/File' is 'block.geo'",
                    "a geometry may read regular files only, and this one "
                    "wants to",
                    "mesh it yourself if you trust it"});
    EXPECT_FALSE(exists("called"));
  }
  expect_refusal(validate_geometry("SystemCall \"touch called\";"),
                 {"wants to start a program (line 1: SystemCall \"touch called\";)"});
}

TEST_F(UntrustedFolder, GeometriesWriteNoFiles) {
  for (const std::string command :
       {"Printf(\"text\") > \"called\";", "Printf(\"text\") >> \"called\";", "Save \"called.msh\";",
        "Print \"called.msh\";", "CreateDir \"called\";"}) {
    SCOPED_TRACE(command);
    expect_refusal(validate_geometry(command), {"and this one wants to", " (line 1: "});
    EXPECT_FALSE(exists("called") || exists("called.msh"));
  }
}

TEST_F(UntrustedFolder, GeometriesReadNoDevices) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const std::string command :
       {"Include \"/dev/zero\";", "Merge \"/dev/zero\";", "Include \"pipe\";", "Merge \"pipe\";",
        "list() = ListFromFile(\"/dev/zero\");"}) {
    SCOPED_TRACE(command);
    expect_refusal(validate_geometry(command),
                   {"wants to read '", "which is not a regular file (line 1: "});
  }
}

TEST_F(UntrustedFolder, HarmlessGeometriesAreMeshed) {
  write("size.geo", "size = 0.5;\n");
  const Outcome outcome =
      validate_geometry("Include \"size.geo\";\nPrintf(\"size %g\", size);\n// SystemCall \"x\";");
  EXPECT_EQ(outcome.status, 0) << outcome.error;
}

/// Each file that a case names is a link to a device, or a pipe.
TEST_F(UntrustedFolder, DevicesAndPipesAreNotRead) {
  struct Row {
    std::string ending, assignment;
  };
  const Row rows[] = {{".msh", "Mesh/File=device.msh"},
                      {".geo", "Mesh/File=device.geo"},
                      {".csv", "Boundary conditions/top/Traction x=table(\"device.csv\", t)"},
                      {".csv", "Contact/ground/Motion y=table(\"device.csv\", t)"}};
  for (const Row &row : rows)
    for (const bool is_pipe : {true, false}) {
      SCOPED_TRACE(row.assignment);
      const fs::path device = folder / ("device" + row.ending);
      if (is_pipe)
        ASSERT_EQ(mkfifo(device.c_str(), 0600), 0);
      else
        fs::create_symlink("/dev/zero", device);
      expect_refusal(run_with({row.assignment}), {"not a regular file"});
      fs::remove(device);
    }
  for (const std::string ending : {".obj", ".stl", ".csv"}) {
    fs::create_symlink("/dev/zero", folder / ("device" + ending));
    const bool is_table = ending == ".csv";
    write("rigid.prm",
          "subsection Rigid bodies\n  subsection stone\n    set Density = 1\n" +
              std::string(is_table ? "    set Shape = disc\n    set File = device.csv\n"
                                   : "    set Shape = polyhedron\n    set Surface "
                                     "mesh = device" +
                                         ending + "\n") +
              "  end\nend\nsubsection Time\n  set End = 1\n  set Step = 0.1\nend\n");
    expect_refusal(start("percussion", {"rigid.prm"}), {"not a regular file"});
  }
}

/// A resumed run writes into files that exist: a link would lead them out of the folder.
TEST_F(UntrustedFolder, ResumedRunsDoNotFollowLinks) {
  ASSERT_EQ(run_with({}).status, 0);
  write("elsewhere.csv", read("output/case/energy.csv"));
  const std::string before = read("elsewhere.csv");
  fs::remove(folder / "output/case/energy.csv");
  fs::create_symlink(folder / "elsewhere.csv", folder / "output/case/energy.csv");
  const Outcome outcome = start("percussion", {"case.prm", "--resume", "--set", "Time/End=0.03"});
  EXPECT_EQ(outcome.status, 2) << outcome.error;
  EXPECT_TRUE(has(outcome.error, "output/case/energy.csv: this is a link")) << outcome.error;
  EXPECT_EQ(read("elsewhere.csv"), before);
}

/// The shell's `cd` into a folder that is removed before the program starts.
TEST_F(UntrustedFolder, MayHaveBeenRemoved) {
  const std::string gone = (folder / "gone").string();
  for (const std::string &file : {(folder / "case.prm").string(), std::string("case.prm")}) {
    fs::create_directories(gone);
    const std::string command = "cd '" + gone + "' && rmdir '" + gone + "' && '" +
                                PERCUSSION_BINARY_DIR "/percussion' '" + file + "' >'" +
                                folder.string() + "/.out' 2>'" + folder.string() + "/.error'";
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    const std::string error = read(".error");
    EXPECT_EQ(WEXITSTATUS(status), 2) << error;
    EXPECT_TRUE(has(error, "percussion: the current folder cannot be used")) << error;
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
  }
}

/// A limit below the need of the program: a message with the number, no endless wait. A signal ends
/// a program that has enough.
TEST_F(UntrustedFolder, MayComeWithALimitOfTheAddressSpace) {
  const auto outcome = [&](unsigned int kilobytes) {
    const std::string command =
        "cd '" + folder.string() + "' && ulimit -v " + std::to_string(kilobytes) +
        " && timeout 120 '" PERCUSSION_BINARY_DIR "/percussion' case.prm >.out 2>.error";
    const int status = std::system(command.c_str());
    return Outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".error")};
  };
  const Outcome enough = outcome(1500000);
  EXPECT_EQ(enough.status, 0) << enough.error;
  // The need is the size of the libraries: 0.72 GB on Debian 12, 0.92 GB on Debian 13.
  const std::string words = " kB (ulimit -v), and the program itself needs ";
  double needed = 0;
  for (double kilobytes = 1.4e6; needed == 0. && kilobytes > 5e5; kilobytes *= 0.93) {
    const Outcome refused = outcome(static_cast<unsigned int>(kilobytes));
    if (const std::size_t found = refused.error.find(words); found != std::string::npos)
      needed = std::stod(refused.error.substr(found + words.size()));
  }
  ASSERT_GT(needed, 0.) << "no limit is refused";
  for (const double fraction : {0.83, 0.88, 0.93}) { // less, and the libraries do not load
    const auto kilobytes = static_cast<unsigned int>(fraction * needed);
    const Outcome refused = outcome(kilobytes);
    EXPECT_EQ(refused.status, 2) << kilobytes << ": " << refused.error;
    EXPECT_TRUE(
        has(refused.error, "the address space is limited to " + std::to_string(kilobytes) + words))
        << refused.error;
  }
}

} // namespace
