#include <percussion/base/child_process.h>
#include <percussion/base/confinement.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace percussion;
namespace fs = std::filesystem;

class Confinement : public testing::Test {
protected:
  Confinement() {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(file) << "content";
  }
  ~Confinement() override { fs::remove_all(folder); }

  /// Returns what an action in a confined child process returns, with its first denial.
  static std::string confined(const std::function<std::string()> &act) {
    return run_in_child([&] {
      if (!confine_process())
        return std::string("not confined");
      const std::string result = act();
      return result + (first_denial().empty() ? "" : "; denied: " + first_denial());
    });
  }
  static std::string opened(const std::string &name, const char *mode) {
    std::FILE *const stream = std::fopen(name.c_str(), mode);
    if (stream == nullptr)
      return "none";
    std::fclose(stream);
    return "opened";
  }

  const fs::path folder = fs::path(testing::TempDir()) / "percussion_confinement";
  const std::string file = (folder / "file").string(), absent = (folder / "absent").string(),
                    pipe = (folder / "pipe").string();
};

TEST_F(Confinement, AllowsRegularFilesAndFoldersToBeRead) {
  EXPECT_EQ(confined([&] { return opened(file, "r"); }), "opened");
  EXPECT_EQ(confined([&] { return opened(absent, "r"); }), "none");
  EXPECT_EQ(confined([&] { return fs::directory_iterator(folder)->path().filename().string(); }),
            "file");
}

TEST_F(Confinement, AllowsThreads) {
  EXPECT_EQ(confined([] {
              std::string result;
              std::thread([&] { result = "joined"; }).join();
              return result;
            }),
            "joined");
}

TEST_F(Confinement, DeniesToWrite) {
  for (const char *const mode : {"w", "a", "r+"}) {
    EXPECT_EQ(confined([&] { return opened(file, mode); }), "none; denied: write '" + file + "'");
    EXPECT_EQ(confined([&] { return opened(absent, mode); }),
              "none; denied: write '" + absent + "'");
  }
  const auto denied = "-1; denied: change, create or remove '" + absent + "'";
  EXPECT_EQ(confined([&] { return std::to_string(::mkdir(absent.c_str(), 0700)); }), denied);
  EXPECT_EQ(confined([&] { return std::to_string(::mkfifo(absent.c_str(), 0700)); }), denied);
  EXPECT_EQ(confined([&] { return std::to_string(::unlink(file.c_str())); }),
            "-1; denied: change, create or remove '" + file + "'");
  EXPECT_EQ(confined([&] { return std::to_string(::truncate(file.c_str(), 0)); }),
            "-1; denied: change, create or remove '" + file + "'");
  EXPECT_NE(confined([&] {
              return std::to_string(std::rename(file.c_str(), absent.c_str()));
            }).find("-1; denied"),
            std::string::npos);
  EXPECT_EQ(fs::file_size(file), 7u);
  EXPECT_FALSE(fs::exists(absent));
}

TEST_F(Confinement, DeniesToStartPrograms) {
  const std::string command = "touch '" + absent + "'";
  confined([&] { return std::to_string(std::system(command.c_str())); });
  EXPECT_EQ(confined([&] {
              ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
              return std::string("here");
            }),
            "here; denied: start a program '/bin/sh'");
  confined([&] {
    if (std::FILE *const stream = ::popen(command.c_str(), "r"))
      ::pclose(stream);
    return std::string();
  });
  confined([&] {
    if (::fork() == 0)
      _exit(std::ofstream(absent) ? 0 : 1);
    return std::string();
  });
  EXPECT_FALSE(fs::exists(absent));
}

TEST_F(Confinement, DeniesDevicesPipesAndConnections) {
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto denied = [](const std::string &name) {
    return "none; denied: read '" + name + "', which is not a regular file";
  };
  EXPECT_EQ(confined([&] { return opened(pipe, "r"); }), denied(pipe));
  EXPECT_EQ(confined([&] { return opened("/dev/zero", "r"); }), denied("/dev/zero"));
  fs::create_symlink("/dev/zero", absent);
  EXPECT_EQ(confined([&] { return opened(absent, "r"); }), denied(absent));
  for (const int domain : {AF_INET, AF_INET6, AF_NETLINK})
    EXPECT_EQ(confined([&] { return std::to_string(::socket(domain, SOCK_STREAM, 0)); }),
              "-1; denied: open a connection");
}

/// getpwuid() first tries a socket to a service of names.
TEST_F(Confinement, RefusesLocalSocketsWithoutNote) {
  EXPECT_EQ(confined([] {
              const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
              return std::to_string(socket) + (errno == EAFNOSUPPORT ? ", no such family" : "");
            }),
            "-1, no such family");
  const std::string expected = ::getpwuid(0) == nullptr ? "none" : ::getpwuid(0)->pw_name;
  EXPECT_EQ(confined([] {
              const passwd *const user = ::getpwuid(0);
              return std::string(user == nullptr ? "none" : user->pw_name);
            }),
            expected);
}

TEST_F(Confinement, KeepsOpenFiles) {
  std::FILE *const stream = std::fopen(absent.c_str(), "w");
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(confined([&] {
              std::fputs("text", stream);
              return std::to_string(std::fflush(stream));
            }),
            "0");
  std::fclose(stream);
  EXPECT_EQ(fs::file_size(absent), 4u);
}

/// Only the child is confined.
TEST_F(Confinement, EndsWithItsProcess) {
  confined([] { return std::string(); });
  EXPECT_EQ(opened(absent, "w"), "opened");
}

} // namespace
