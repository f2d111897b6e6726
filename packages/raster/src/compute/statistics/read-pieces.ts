import { checkCancelled, RasterFailure } from '../../failures.ts'
import { withKernels } from '../kernels/per-thread.ts'
import type { Kernels, KernelPixels } from '../kernels/types.ts'
import { sampleTypeProperties, viewSamples } from '../../sample-types.ts'
import { loadWindow } from '../window/load-window.ts'
import type { LoadedWindow } from '../window/load-window.ts'
import { decodeWindowToMemory } from '../window/memory-window.ts'
import { computeWindowCost } from '../window/window.ts'
import type { Window } from '../window/window.ts'
import type { RasterLevel, Raster } from '../../types.ts'
import type { MeasuredPiece, PieceSamples } from './accumulator.ts'

/** A window, and which of its pixels are measured. */
export interface WindowPiecePlan {
  readonly window: Window
  /** First pixel and number of pixels, again and again, counted in the window; null for all. */
  readonly runs: Int32Array | null
  /** One for each pixel of the window, the part of it that counts; null where all count whole. */
  readonly weights: Float64Array | null
}

export interface PieceReadRequest {
  readonly level: RasterLevel
  readonly bands: readonly number[]
  readonly budget_bytes: number
  readonly signal: AbortSignal | undefined
}

/** Bands that lie together up to this many are visited where they lie; of more, each is taken out first. */
const max_parallel_pieces = 4

/**
 * Reads pieces one after the other and visits each of their bands while it is in memory; the bytes of the next piece are on
 * their way meanwhile. Failures are those of readWindow.
 */
export async function readWindowPieces(
  raster: Raster,
  plans: Iterable<WindowPiecePlan>,
  request: PieceReadRequest,
  visit: (piece: MeasuredPiece, place: number) => void,
): Promise<void> {
  const iterator = plans[Symbol.iterator]()
  const begin = (): { plan: WindowPiecePlan; loading: Promise<LoadedWindow> } | null => {
    const { done, value: plan } = iterator.next()
    if (done) return null
    checkBudget(raster, plan.window, request)
    const loading = loadWindow(raster, request.level, plan.window, request.bands, { signal: request.signal })
    // Awaited when its turn comes; a failure before that must not count as unhandled.
    loading.catch(() => undefined)
    return { plan, loading }
  }
  let ahead = begin()
  try {
    while (ahead !== null) {
      const { plan, loading } = ahead
      const loaded = await loading
      try {
        checkCancelled(request.signal)
        ahead = begin()
        withKernels((kernels) => visitBands(kernels, decodeWindowToMemory(kernels, raster, loaded), plan, visit))
      } finally {
        loaded.release()
      }
    }
  } finally {
    ahead?.loading.then(
      (loaded) => loaded.release(),
      () => undefined,
    )
  }
}

function checkBudget(raster: Raster, window: Window, { level, bands, budget_bytes }: PieceReadRequest): void {
  const { answerBytes, blockBytes } = computeWindowCost(raster, level, window, bands.length)
  if (answerBytes + blockBytes <= budget_bytes) return
  throw new RasterFailure(
    'budget',
    `measuring needs ${answerBytes + blockBytes} bytes of memory at a time, and may use ${budget_bytes}; choose a smaller area or fewer bands`,
  )
}

function visitBands(
  kernels: Kernels,
  pixels: KernelPixels,
  { runs, weights }: WindowPiecePlan,
  visit: (piece: MeasuredPiece, place: number) => void,
): void {
  const { bandOffsets, pixelStride, width, height, mask } = pixels
  const count = width * height
  const { bits } = sampleTypeProperties[pixels.type]
  const inPlace = pixelStride === 1 || (bits <= 16 && pixelStride <= max_parallel_pieces)
  const spare = inPlace ? 0 : kernels.memory.reserve((count * bits) / 8)
  const valid = mask === 0 ? null : new Uint8Array(kernels.memory.buffer, mask, count)
  const rest = { mask: valid, runs: runs ?? Int32Array.of(0, count), weights }
  for (const [place, offset] of bandOffsets.entries()) {
    const own = inPlace ? bandInPlace(kernels, pixels, offset) : bandTakenOut(kernels, pixels, offset, spare)
    visit({ ...own, ...rest }, place)
  }
}

function bandInPlace(kernels: Kernels, pixels: KernelPixels, offset: number): PieceSamples {
  const { type, at, width, height, pixelStride } = pixels
  const samples = (width * height - 1) * pixelStride + 1
  const first = at + (offset * sampleTypeProperties[type].bits) / 8
  return { data: viewSamples(type, kernels.memory.buffer, first, samples), stride: pixelStride }
}

function bandTakenOut(kernels: Kernels, pixels: KernelPixels, offset: number, spare: number): PieceSamples {
  const { type, at, width, height, pixelStride, rowStride } = pixels
  const sampleBytes = (sampleTypeProperties[type].bits / 8) as 1 | 2 | 4 | 8
  const from = at + offset * sampleBytes
  kernels.copyBand(spare, 1, width, from, pixelStride, rowStride, width, height, sampleBytes)
  return { data: viewSamples(type, kernels.memory.buffer, spare, width * height), stride: 1 }
}
