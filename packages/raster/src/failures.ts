/**
 * What can go wrong with a raster:
 * `not_raster` the bytes are no TIFF; `damaged` the file contradicts itself or ends too early; `unsupported` a lawful
 * file with a feature that is not read; `budget` it would cost more memory than allowed; `no_georeference` the file does
 * not say where it lies; `outside` the picture does not reach the place asked for; `request` a level, band or window
 * that does not exist; `source` the bytes could not be had; `cancelled` the caller gave up; `expression` a band formula
 * that cannot be read or evaluated; `write` the output could not be written;
 * `grids_differ` files that should lie on one grid do not.
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

/** The only error this package throws on purpose; `message` is fit to be shown to whoever sent the file. */
export class RasterFailure extends Error {
  readonly kind: RasterFailureKind
  constructor(kind: RasterFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'RasterFailure'
    this.kind = kind
  }
}

/** Ends the work with a `cancelled` failure once the caller has given up. */
export function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RasterFailure('cancelled', 'the read was cancelled', { cause: signal.reason })
}

/**
 * The answer, unless the caller gives up before it is there: then a `cancelled` failure at once, after `tell`. What comes
 * later is nobody's business any more.
 */
export function untilCancelled<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal | undefined,
  tell: () => void = () => {},
): Promise<Answer> {
  if (!signal) return answer
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      tell()
      reject(new RasterFailure('cancelled', 'the read was cancelled', { cause: signal.reason }))
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
