import { checkCancelled } from '../failures.ts'
import { readWindow } from '../tiff/read.ts'
import type { Window } from '../tiff/window.ts'
import type { PixelBlock, Raster, WindowRequest } from '../types.ts'

/** A window, and which of its pixels are measured. */
export interface PiecePlan {
  readonly window: Window
  /** First pixel and number of pixels, again and again, counted in the window; null for all. */
  readonly runs: Int32Array | null
  /** One for each pixel of the window, the part of it that counts; null where all count whole. */
  readonly weights: Float64Array | null
}

/**
 * Reads pieces one after the other and visits each; the bytes of the next one are on their way meanwhile. Failures are those of
 * readWindow.
 */
export async function readPieces(
  raster: Raster,
  plans: Iterable<PiecePlan>,
  request: Omit<WindowRequest, 'window'>,
  visit: (block: PixelBlock, plan: PiecePlan) => void,
): Promise<void> {
  const iterator = plans[Symbol.iterator]()
  const begin = (): { plan: PiecePlan; reading: Promise<PixelBlock> } | null => {
    const { done, value: plan } = iterator.next()
    if (done) return null
    const reading = readWindow(raster, { ...request, window: plan.window })
    // Awaited when its turn comes; a failure before that must not count as unhandled.
    reading.catch(() => undefined)
    return { plan, reading }
  }
  for (let current = begin(); current !== null;) {
    const block = await current.reading
    checkCancelled(request.signal)
    const next = begin()
    visit(block, current.plan)
    current = next
  }
}
