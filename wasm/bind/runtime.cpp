// SPDX-License-Identifier: MIT
//
// What each module has once: its memory for inputs, and the parts of the libraries that embind
// needs.

#include <emscripten/emscripten.h>

#include <cstdlib>
#include <new>

#include "bind.hpp"

// Replacements for the parts of the standard library that embind hardly uses: the library's own
// `new` and `sprintf` would bring all of printf along, to say that memory is exhausted and to name
// the address of a type that is not registered.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = '\0';
  return 0;
}

#ifdef SCALING_REGISTERS_TYPES
// The memory never grows; by itself, the glue says so at length.
extern "C" int emscripten_resize_heap(std::size_t) { return 0; }

// All modules define this: one that can't run out of memory would otherwise get different glue.
extern "C" void abort() { __builtin_trap(); }
#endif

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}

// Replaces embind's own list of C++ types, which has strings of UTF-16 and UTF-32 and views of ten
// kinds of numbers, for which the glue then has code. CMakeLists.txt leaves the library out where
// this fits the version of Emscripten.
#ifdef SCALING_REGISTERS_TYPES

/// Named in messages about types that are not registered.
extern "C" EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const void*) { return nullptr; }

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;
  _embind_register_bool(TypeID<bool>::get(), "", sizeof(bool), true, false);
  // The name "unsigned" tells embind which way to read a number.
  constexpr const char* kUnsigned = "unsigned";
  _embind_register_integer(TypeID<unsigned>::get(), kUnsigned, 4, 0, ~0ul);
  _embind_register_integer(TypeID<unsigned long>::get(), kUnsigned, 4, 0, ~0ul);
  _embind_register_float(TypeID<double>::get(), "", sizeof(double));
  _embind_register_emval(TypeID<emscripten::val>::get(), "");
  // Embind knows Uint8Array and Float64Array by these numbers.
  _embind_register_memory_view(TypeID<emscripten::memory_view<unsigned char>>::get(), 1, "");
  _embind_register_memory_view(TypeID<emscripten::memory_view<double>>::get(), 7, "");
}
#endif

namespace scaling {

alignas(double) std::array<unsigned char, 1u << 14> input_bytes;

namespace {

val input_view() { return val(typed_memory_view(input_bytes.size(), input_bytes.data())); }

}  // namespace

EMSCRIPTEN_BINDINGS(inputs) { emscripten::function("input", &input_view); }

}  // namespace scaling
