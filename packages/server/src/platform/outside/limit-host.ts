import type { ImageryHost } from './imagery-host.ts'

/**
 * The same host with a timeout: every call ends with its result, its error, an abort by the caller, or after `timeout_ms`,
 * even if the host ignores the signal. Downloads have no timeout here, since files may be large; the caller passes a
 * signal.
 */
export function limitHost(host: ImageryHost, limit_ms: number): ImageryHost {
  const ask = async <T>(signal: AbortSignal | undefined, question: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    const limit = new AbortController()
    const both = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal
    const timer = setTimeout(
      () => limit.abort(new Error(`The host did not respond within ${limit_ms / 1000} s.`)),
      limit_ms,
    )
    const ended = Promise.withResolvers<never>()
    const end = (): void => ended.reject(both.reason as Error)
    both.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([question(both), ended.promise])
    } finally {
      clearTimeout(timer)
      both.removeEventListener('abort', end)
    }
  }
  return {
    ...host,
    search: (search, signal) => ask(signal, (both) => host.search(search, both)),
    quicklook: (scene, signal) => ask(signal, (both) => host.quicklook(scene, both)),
    place: (order, signal) => ask(signal, (both) => host.place(order, both)),
    deliveries: (reference, signal) => ask(signal, (both) => host.deliveries(reference, both)),
  }
}
