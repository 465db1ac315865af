#pragma once

#include <percussion/base/format.h>
