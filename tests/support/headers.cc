// This file is empty: it is compiled for the precompiled headers of the tests.
