import type { Worker } from 'node:worker_threads'

const interval_ms = 250

/**
 * Ends a thread that has more memory than allowed: heap, buffers and WebAssembly together, of which the resource limits
 * of a thread count the heap alone. The memory of a thread can be read even while it computes.
 */
export function watchMemory(thread: Worker, max_bytes: number): void {
  let isAsking = false
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    thread
      .getHeapStatistics()
      .then(({ used_heap_size, external_memory }) => {
        if (used_heap_size + external_memory > max_bytes) return thread.terminate()
      })
      // It has ended.
      .catch(() => undefined)
      .finally(() => (isAsking = false))
  }, interval_ms)
  timer.unref()
  thread.once('exit', () => clearInterval(timer))
}
