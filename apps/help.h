#pragma once

#include <percussion/version.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Output of --help, in the form from which help2man makes manual pages.
namespace percussion {

/// Formatter with options in one column, their descriptions and defaults in a second one.
class HelpFormatter : public CLI::Formatter {
public:
  /// Takes the usages: texts after the name of the program, like "[OPTION]... FILE".
  explicit HelpFormatter(std::vector<std::string> usages) : usages_(std::move(usages)) {
    label("Positionals", "Arguments");
  }

  std::string make_usage(const CLI::App *app, std::string /*name*/) const override {
    std::string text, lead = "\nUsage: ";
    for (const auto &usage : usages_) {
      text += lead + app->get_name() + ' ' + usage + '\n';
      lead = "  or:  ";
    }
    return text;
  }

  std::string make_option(const CLI::Option *option, bool is_positional) const override {
    std::string name = is_positional ? option->get_name(true, false) : "";
    for (const auto &short_name : option->get_snames())
      name += '-' + short_name + ", ";
    for (const auto &long_name : option->get_lnames())
      name += "--" + long_name;
    if (!is_positional && option->get_type_size() != 0)
      name += ' ' + option->get_type_name();
    std::string text = option->get_description();
    if (const auto preset = option->get_default_str(); !preset.empty())
      text += " (default: " + preset + ")";
    return entry(name, text);
  }

private:
  /// Returns the text beside the name, or below it if the name is too long.
  static std::string entry(const std::string &name, const std::string &text) {
    constexpr std::size_t column = 28, width = 80;
    std::string lines = "  " + name, word;
    lines += lines.size() + 2 > column ? "\n" + std::string(column, ' ')
                                       : std::string(column - lines.size(), ' ');
    std::size_t length = column;
    for (std::istringstream words(text); words >> word; length += word.size() + 1) {
      if (length > column && length + word.size() > width) {
        lines += '\n' + std::string(column, ' ');
        length = column;
      }
      lines += (length > column ? " " : "") + word;
    }
    return lines + '\n';
  }

  std::vector<std::string> usages_;
};

/// Gives a program --version and a complete --help; `footer` follows the options.
inline void set_help(CLI::App &app, const std::vector<std::string> &usages,
                     const std::string &footer) {
  app.formatter(std::make_shared<HelpFormatter>(usages));
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", app.get_name() + " " PERCUSSION_VERSION,
                       "Print the version and exit");
  app.footer(footer);
}

} // namespace percussion
