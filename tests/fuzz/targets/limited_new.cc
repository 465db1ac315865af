// The address sanitizer ends the program if memory cannot be allocated. Without the sanitizer such
// a request throws, and readers must handle the exception: this operator throws above a size that
// no small file needs.

#include <cstdlib>
#include <new>

namespace {

void *limited(std::size_t size) {
  constexpr std::size_t limit = std::size_t(1) << 29;
  void *const memory = size < limit ? std::malloc(size == 0 ? 1 : size) : nullptr;
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

} // namespace

void *operator new(std::size_t size) { return limited(size); }
void *operator new[](std::size_t size) { return limited(size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
