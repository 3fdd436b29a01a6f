// SPDX-License-Identifier: Apache-2.0
//
// Streams and events on the host; see streams.h. Clocks say which steps come before which: a stream
// has waited for the steps of its clock, and what is added to it comes after them and after all
// that the host has waited for.
#include "cuda_runtime.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <set>

#include "devices.h"
#include "control.h"
#include "global.h"
#include "streams.h"

typedef std::chrono::steady_clock Clock;
using cuda_on_cpu::clock_join;

struct cudaOnCpuStream {
    int device;
    std::deque<std::function<void()>> waiting;
    uint64_t added, done; // steps
    unsigned number;      // from 1 on; 0 is the null stream
    cuda_on_cpu::Clock clock;
};
struct cudaOnCpuEvent {
    int device;
    cudaStream_t stream; // where it was recorded last
    uint64_t position;   // it has happened when so many steps of the stream are done
    cuda_on_cpu::Clock clock;
    std::shared_ptr<Clock::time_point> when;
};

namespace {

std::set<cudaStream_t> streams;
uint64_t state = 1, waits, spans;
cuda_on_cpu::Clock counted(1, 0); // steps of every stream, by number
cuda_on_cpu::Clock host;          // that the host has waited for
std::set<unsigned> free_numbers;

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

// The number and the clock of a step that is added to the stream.
cuda_on_cpu::Moment next_moment(cudaStream_t stream) {
    const unsigned number = stream != nullptr ? stream->number : 0;
    cuda_on_cpu::Moment made = {number, ++counted[number], {}};
    cuda_on_cpu::Clock &clock = stream != nullptr ? stream->clock : host;
    if (stream == nullptr) clock_join(clock, counted); // done at once, after everything
    clock_join(clock, host);
    clock_join(clock, cuda_on_cpu::Clock(number + 1, 0));
    made.before = clock;
    if (stream == nullptr) made.before[0]--;
    clock[number] = made.step;
    return made;
}

void await(cudaStream_t stream, uint64_t position) {
    if (streams.count(stream) > 0) advance(stream, position);
}

} // namespace

namespace cuda_on_cpu {

void put(cudaStream_t stream, std::function<void()> step) {
    const Moment moment = next_moment(stream);
    if (stream == nullptr) {
        global_begin(moment);
        step();
        return;
    }
    stream->waiting.push_back([moment, step] {
        global_begin(moment);
        step();
    });
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

uint64_t synchronisations() {
    return waits;
}

uint64_t timings() {
    return spans;
}

} // namespace cuda_on_cpu

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = new cudaOnCpuStream{};
    (*stream)->device = cuda_on_cpu::device_in_use();
    if (free_numbers.empty()) {
        (*stream)->number = static_cast<unsigned>(counted.size());
        counted.push_back(0);
    } else {
        (*stream)->number = *free_numbers.begin();
        free_numbers.erase(free_numbers.begin());
    }
    streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    advance(stream, stream->added);
    clock_join(host, stream->clock);
    free_numbers.insert(stream->number);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    waits++;
    advance(stream, stream->added);
    clock_join(host, stream->clock);
    return cuda_on_cpu_lost();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const cudaStream_t other = event->stream;
    const uint64_t position = event->position;
    clock_join(stream->clock, event->clock);
    cuda_on_cpu::put(stream, [=] { await(other, position); });
    return cuda_on_cpu_lost();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    *event = new cudaOnCpuEvent{
        cuda_on_cpu::device_in_use(), nullptr, 0, {}, std::make_shared<Clock::time_point>()};
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
    event->clock = stream->clock;
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    waits++;
    clock_join(host, event->clock);
    await(event->stream, event->position);
    return cuda_on_cpu_lost();
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    spans++;
    *milliseconds = std::chrono::duration<float, std::milli>(*to->when - *from->when).count();
    return cudaSuccess;
}

void *cuda_on_cpu_new_stream(void) {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, 0);
    return made;
}

uint64_t cuda_on_cpu_steps(void *stream) {
    return static_cast<cudaStream_t>(stream)->added;
}

void cuda_on_cpu_end_stream(void *stream) {
    cudaStreamDestroy(static_cast<cudaStream_t>(stream));
}
