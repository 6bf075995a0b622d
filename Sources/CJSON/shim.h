// json-c.
#pragma once
#include <json-c/json.h>
