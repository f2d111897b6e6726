import type { ImageryHost } from './imagery-host.ts'
import type { TaskingHost } from './tasking-host.ts'

/** Ends with the result of a call, its error, an abort by the caller, or after `timeout_ms`, even if the signal is ignored. */
export async function callWithTimeLimit<T>(
  { signal, timeout_ms }: { readonly signal: AbortSignal | undefined; readonly timeout_ms: number },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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

/**
 * The same host with a timeout for every call. Downloads have none here, since files may be large; the caller passes a
 * signal.
 */
export function withHostTimeout(host: ImageryHost, timeout_ms: number): ImageryHost {
  const { check, cancel, sceneFiles, thumbnail } = host
  return {
    ...host,
    // A host that reads its collections again replaces them, so they are not copied.
    get collections() {
      return host.collections
    },
    ...(check ? { check: (signal) => callWithTimeLimit({ signal, timeout_ms }, check) } : {}),
    search: (search, signal) => callWithTimeLimit({ signal, timeout_ms }, (limited) => host.search(search, limited)),
    quicklook: (scene, signal) =>
      callWithTimeLimit({ signal, timeout_ms }, (limited) => host.quicklook(scene, limited)),
    ...(thumbnail
      ? {
          thumbnail: (scene, signal) =>
            callWithTimeLimit({ signal, timeout_ms }, (limited) => thumbnail(scene, limited)),
        }
      : {}),
    ...(sceneFiles
      ? {
          sceneFiles: (scene, signal) =>
            callWithTimeLimit({ signal, timeout_ms }, (limited) => sceneFiles(scene, limited)),
        }
      : {}),
    place: (order, signal) => callWithTimeLimit({ signal, timeout_ms }, (limited) => host.place(order, limited)),
    deliveries: (reference, signal) =>
      callWithTimeLimit({ signal, timeout_ms }, (limited) => host.deliveries(reference, limited)),
    ...(cancel
      ? {
          cancel: (reference, signal) =>
            callWithTimeLimit({ signal, timeout_ms }, (limited) => cancel(reference, limited)),
        }
      : {}),
    ...(host.tasking ? { tasking: withTaskingTimeout(host.tasking, timeout_ms) } : {}),
  }
}

/** The same for the methods that take tasks. */
function withTaskingTimeout(tasking: TaskingHost, timeout_ms: number): TaskingHost {
  const limit = <T>(signal: AbortSignal | undefined, call: (limited: AbortSignal) => Promise<T>): Promise<T> =>
    callWithTimeLimit({ signal, timeout_ms }, call)
  const { requestStudy, deleteWorld } = tasking
  return {
    get sensors() {
      return tasking.sensors
    },
    get products() {
      return tasking.products
    },
    opportunities: (world, request, signal) =>
      limit(signal, (limited) => tasking.opportunities(world, request, limited)),
    ...(requestStudy
      ? { requestStudy: (world, order, signal) => limit(signal, (limited) => requestStudy(world, order, limited)) }
      : {}),
    placeTask: (world, order, signal) => limit(signal, (limited) => tasking.placeTask(world, order, limited)),
    taskStatus: (world, reference, signal) => limit(signal, (limited) => tasking.taskStatus(world, reference, limited)),
    cancelTask: (world, reference, signal) => limit(signal, (limited) => tasking.cancelTask(world, reference, limited)),
    ...(deleteWorld ? { deleteWorld: (world, signal) => limit(signal, (limited) => deleteWorld(world, limited)) } : {}),
  }
}
