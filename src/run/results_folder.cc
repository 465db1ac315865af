#include <percussion/base/durable_file.h>
#include <percussion/run/results_folder.h>

#include <filesystem>

namespace percussion {

template <int dim>
ResultsFolder<dim>::ResultsFolder(const Case<dim> &c, const Parameters &parameters, bool to_resume)
    : options(c.output), is_to_resume(to_resume) {
  if (!to_resume)
    return;
  if (std::filesystem::is_directory(options.directory))
    lock.emplace(options.directory); // before what is there is looked at
  complete = percussion::is_complete(c, parameters);
  if (!complete)
    found = find_checkpoint(c, parameters, remarks);
}

template <int dim>
void ResultsFolder<dim>::prepare(const std::string &effective_parameters, Log &log) {
  const std::string &folder = options.directory;
  if (found) {
    log.open(folder + "/log.txt", true); // what cannot be written is to fail before anything goes
    if (!std::filesystem::exists(folder + "/parameters.prm"))
      write_durably(folder + "/parameters.prm", effective_parameters);
    cut_back(folder, *found);
    for (const auto &remark : remarks)
      log.warning(remark + "; the other checkpoint is taken");
    log.info("Resumed   after step " + std::to_string(found->state.step));
    return;
  }
  if (is_to_resume)
    log.info("No checkpoint in " + folder + ": the run begins anew.");
  lock.reset();
  const std::string moved = prepare_output_directory(options);
  lock.emplace(folder);
  log.open(folder + "/log.txt");
  write_durably(folder + "/parameters.prm", effective_parameters);
  if (!moved.empty())
    log.info(moved);
}

template class ResultsFolder<2>;

} // namespace percussion
