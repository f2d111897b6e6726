import type { ImageryHost } from './imagery-host.ts'

/**
 * The same host with a timeout: every call ends with its result, its error, an abort by the caller, or after `timeout_ms`,
 * even if the host ignores the signal. Downloads have no timeout here, since files may be large; the caller passes a
 * signal.
 */
export function withHostTimeout(host: ImageryHost, timeout_ms: number): ImageryHost {
  const withTimeLimit = async <T>(
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    signal?.throwIfAborted()
    const timeoutController = new AbortController()
    const combinedSignal = signal ? AbortSignal.any([signal, timeoutController.signal]) : timeoutController.signal
    const timer = setTimeout(
      () => timeoutController.abort(new Error(`The host did not respond within ${timeout_ms / 1000} s.`)),
      timeout_ms,
    )
    const aborted = Promise.withResolvers<never>()
    const rejectAborted = (): void => aborted.reject(combinedSignal.reason as Error)
    combinedSignal.addEventListener('abort', rejectAborted, { once: true })
    try {
      return await Promise.race([call(combinedSignal), aborted.promise])
    } finally {
      clearTimeout(timer)
      combinedSignal.removeEventListener('abort', rejectAborted)
    }
  }
  return {
    ...host,
    search: (search, signal) => withTimeLimit(signal, (combinedSignal) => host.search(search, combinedSignal)),
    quicklook: (scene, signal) => withTimeLimit(signal, (combinedSignal) => host.quicklook(scene, combinedSignal)),
    place: (order, signal) => withTimeLimit(signal, (combinedSignal) => host.place(order, combinedSignal)),
    deliveries: (reference, signal) =>
      withTimeLimit(signal, (combinedSignal) => host.deliveries(reference, combinedSignal)),
  }
}
