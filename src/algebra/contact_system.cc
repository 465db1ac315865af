#include <percussion/algebra/contact_system.h>

#include <algorithm>

namespace percussion {

ContactSystem::ContactSystem(unsigned int n, const std::vector<unsigned int> &prescribed_dofs,
                             const std::vector<unsigned int> &contact_dofs)
    : prescribed(prescribed_dofs), index_of_contact(n, -1) {
  std::vector<bool> taken(n, false);
  for (const unsigned int dof : prescribed)
    taken[dof] = true;
  for (const unsigned int dof : contact_dofs)
    if (!taken[dof]) {
      taken[dof] = true;
      index_of_contact[dof] = static_cast<int>(contacts.size());
      contacts.push_back(dof);
    }
}

std::vector<unsigned int> ContactSystem::free_dofs() const {
  std::vector<bool> is_prescribed(index_of_contact.size(), false);
  for (const unsigned int dof : prescribed)
    is_prescribed[dof] = true;
  std::vector<unsigned int> free;
  for (unsigned int i = 0; i < is_prescribed.size(); ++i)
    if (!is_prescribed[i])
      free.push_back(i);
  return free;
}

} // namespace percussion
