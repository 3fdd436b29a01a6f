// SPDX-License-Identifier: Apache-2.0
//
// Streams and events on the host; see streams.h.
#include "cuda_runtime.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <set>

#include "devices.h"
#include "streams.h"

typedef std::chrono::steady_clock Clock;

struct cudaOnCpuStream {
    int device;
    std::deque<std::function<void()>> waiting;
    uint64_t added, done; // steps
};
struct cudaOnCpuEvent {
    int device;
    cudaStream_t stream; // where it was recorded last
    uint64_t position;   // it has happened when so many steps of the stream are done
    std::shared_ptr<Clock::time_point> when;
};

namespace {

std::set<cudaStream_t> streams;
uint64_t state = 1;

// Once in a while the steps so far are done, so that waiting steps pile up in between.
bool is_eager() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % 4 == 0;
}

void advance(cudaStream_t stream, uint64_t position) {
    while (stream->done < position) {
        const std::function<void()> step = std::move(stream->waiting.front());
        stream->waiting.pop_front();
        stream->done++;
        step();
    }
}

void await(cudaStream_t stream, uint64_t position) {
    if (streams.count(stream) > 0) advance(stream, position);
}

} // namespace

namespace cuda_on_cpu {

void put(cudaStream_t stream, std::function<void()> step) {
    if (stream == nullptr) {
        step();
        return;
    }
    stream->waiting.push_back(std::move(step));
    stream->added++;
    if (is_eager()) advance(stream, stream->added);
}

void check_stream(cudaStream_t stream, int device) {
    if (stream == nullptr || stream->device == device) return;
    fprintf(stderr, "a stream of device %d is used for device %d\n", stream->device, device);
    std::abort();
}

void finish_streams() {
    for (cudaStream_t stream : streams) advance(stream, stream->added);
}

void seed_streams(uint64_t seed) {
    state = seed * 2 + 1;
}

} // namespace cuda_on_cpu

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = new cudaOnCpuStream{cuda_on_cpu::device_in_use(), {}, 0, 0};
    streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    advance(stream, stream->added);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    advance(stream, stream->added);
    return cuda_on_cpu_lost();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const cudaStream_t other = event->stream;
    const uint64_t position = event->position;
    cuda_on_cpu::put(stream, [=] { await(other, position); });
    return cuda_on_cpu_lost();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = new cudaOnCpuEvent{cuda_on_cpu::device_in_use(), nullptr, 0,
                                std::make_shared<Clock::time_point>()};
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const auto when = event->when;
    cuda_on_cpu::check_stream(stream, event->device);
    event->stream = stream;
    event->position = stream->added + 1;
    cuda_on_cpu::put(stream, [=] { *when = Clock::now(); });
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    await(event->stream, event->position);
    return cuda_on_cpu_lost();
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    *milliseconds = std::chrono::duration<float, std::milli>(*to->when - *from->when).count();
    return cudaSuccess;
}
