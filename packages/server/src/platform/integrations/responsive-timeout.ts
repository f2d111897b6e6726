import { monotonic_ms } from '../clock.ts'

/** The timers of a timeout; tests pass manual ones. */
export interface TimerSource {
  now_ms(): number
  /** Calls back after a time; the returned function prevents it. */
  schedule(delay_ms: number, callback: () => void): () => void
  /** Calls back after the data that has arrived was read. */
  afterReads(callback: () => void): void
}

const systemTimers: TimerSource = {
  now_ms: monotonic_ms,
  schedule: (delay_ms, callback) => {
    const timer = setTimeout(callback, delay_ms).unref()
    return () => clearTimeout(timer)
  },
  afterReads: (callback) => void setImmediate(callback),
}

/** A timeout is measured in parts of this length. */
const part_ms = 250

/**
 * Calls `onTimeout` after a time in which this process could have read a response. A part that takes more than twice its
 * length was a stall of the event loop, and counts with its own length only: otherwise a process that is busy for some seconds
 * would declare that hosts, whose responses wait to be read, did not respond. Does not keep the process alive; the returned
 * function stops it.
 */
export function startStallAwareTimeout(
  timeout_ms: number,
  onTimeout: () => void,
  timers: TimerSource = systemTimers,
): () => void {
  let isStopped = false
  let counted_ms = 0
  let cancelPart: () => void = () => undefined
  const end = (): void => {
    if (!isStopped) onTimeout()
  }
  const startPart = (): void => {
    const length_ms = Math.min(part_ms, timeout_ms - counted_ms)
    const begin_ms = timers.now_ms()
    cancelPart = timers.schedule(length_ms, () => {
      const elapsed_ms = timers.now_ms() - begin_ms
      counted_ms += elapsed_ms > 2 * part_ms ? length_ms : Math.max(length_ms, elapsed_ms)
      if (counted_ms >= timeout_ms) timers.afterReads(end)
      else startPart()
    })
  }
  startPart()
  return () => {
    isStopped = true
    cancelPart()
  }
}

/** A signal that is aborted with a `TimeoutError` after such a time, unless it is stopped before. */
export function createStallAwareTimeoutSignal(timeout_ms: number): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const controller = new AbortController()
  const stop = startStallAwareTimeout(timeout_ms, () =>
    controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
  )
  return { signal: controller.signal, stop }
}
