/**
 * Kinds of raster failures:
 * `not_raster` the bytes are not a supported raster file; `damaged` the file is inconsistent or truncated; `unsupported` a
 * valid file with an unsupported feature; `budget` more memory than allowed would be needed; `no_georeference` the file is
 * not georeferenced; `outside` the raster does not cover the requested position; `request` an invalid level, band or window;
 * `source` the bytes could not be read; `cancelled` the caller aborted; `expression` a band expression cannot be parsed or
 * evaluated; `write` the output could not be written; `grids_differ` files that must share one grid do not; `worker_lost` the
 * process that worked alone on it ended.
 */
export type RasterFailureKind =
  | 'not_raster'
  | 'damaged'
  | 'unsupported'
  | 'budget'
  | 'no_georeference'
  | 'outside'
  | 'request'
  | 'source'
  | 'cancelled'
  | 'expression'
  | 'write'
  | 'grids_differ'
  | 'worker_lost'

/** The only error that this package throws deliberately; `message` can be shown to the user who provided the file. */
export class RasterFailure extends Error {
  readonly kind: RasterFailureKind
  constructor(kind: RasterFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'RasterFailure'
    this.kind = kind
  }
}

/** Of an area that no pixel lies in, and of a place that lies in no pixel. */
export const areaOutsideReason = 'the area lies outside of the image; choose one that reaches it'
export const placeOutsideReason = 'the place lies outside of the image; choose one inside of it'

/** Throws `cancelled` if the signal has aborted. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RasterFailure('cancelled', 'the read was cancelled', { cause: signal.reason })
}

/**
 * The result, or a `cancelled` failure as soon as the signal aborts, after `onAbort` was called. A later result or error is
 * ignored.
 */
export function rejectOnAbort<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
  onAbort: () => void = () => {},
): Promise<Result> {
  if (!signal) return result
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      onAbort()
      reject(new RasterFailure('cancelled', 'the read was cancelled', { cause: signal.reason }))
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
