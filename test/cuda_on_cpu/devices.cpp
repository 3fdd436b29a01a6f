// SPDX-License-Identifier: Apache-2.0
//
// Which device is in use, and whose blocks are whose; see devices.h.
#include "devices.h"

#include <map>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

namespace cuda_on_cpu {

namespace {

struct Block {
    size_t bytes;
    int device;
};
int current;
std::map<void *, Block> blocks;

} // namespace

void use_device(int device) {
    current = device;
}

int device_in_use() {
    return current;
}

void own_block(void *block, size_t bytes, int device) {
    blocks[block] = Block{bytes, device};
}

void disown_block(void *block) {
    blocks.erase(block);
}

void hide_other_blocks(int device) {
    for (const auto &block : blocks)
        if (block.second.device != device)
            ASAN_POISON_MEMORY_REGION(block.first, block.second.bytes);
}

void show_all_blocks(int device) {
    for (const auto &block : blocks)
        if (block.second.device != device)
            ASAN_UNPOISON_MEMORY_REGION(block.first, block.second.bytes);
}

} // namespace cuda_on_cpu
