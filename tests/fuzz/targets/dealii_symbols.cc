// Clang and GCC, which compiles Debian's deal.II, encode the condition of an enable_if differently
// in the name of a symbol ("sr3std7is_same" in Clang, "srSt7is_same" in GCC). Calls of Clang's
// names are forwarded to the functions with GCC's names.

// NOLINTBEGIN
#define PERCUSSION_FORWARD(clang_name, gcc_name)                                                   \
  asm(".globl " clang_name "\n.type " clang_name ", @function\n" clang_name ":\n\tjmp " gcc_name   \
      "@PLT\n")

PERCUSSION_FORWARD(
    "_ZN6dealii16TrilinosWrappers12SparseMatrix6reinitINS_22DynamicSparsityPatternEEENSt9enable_"
    "ifIXntsr3std7is_sameIT_NS_12SparseMatrixIdEEEE5valueEvE4typeERKNS_8IndexSetESC_RKS5_RKP19ompi_"
    "communicator_tb",
    "_ZN6dealii16TrilinosWrappers12SparseMatrix6reinitINS_22DynamicSparsityPatternEEENSt9enable_"
    "ifIXntsrSt7is_sameIT_NS_12SparseMatrixIdEEE5valueEvE4typeERKNS_8IndexSetESE_RKS6_RKP19ompi_"
    "communicator_tb");
PERCUSSION_FORWARD(
    "_ZNK6dealii16TrilinosWrappers12SparseMatrix5vmultINS0_3MPI6VectorEEENSt9enable_ifIXsr3std7is_"
    "sameINT_10value_typeEdEE5valueEvE4typeERS6_RKS6_",
    "_ZNK6dealii16TrilinosWrappers12SparseMatrix5vmultINS0_3MPI6VectorEEENSt9enable_ifIXsrSt7is_"
    "sameINT_10value_typeEdE5valueEvE4typeERS7_RKS7_");
// NOLINTEND
