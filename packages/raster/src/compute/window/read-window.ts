import { RasterFailure, checkCancelled } from '../../failures.ts'
import { withKernels } from '../kernels/per-thread.ts'
import type { Kernels, KernelPixels } from '../kernels/types.ts'
import { sampleTypeProperties, viewSamples } from '../../sample-types.ts'
import type { RasterLevel, PixelBlock, PixelRows, Raster, SampleArray, WindowRequest } from '../../types.ts'
import { loadWindow } from './load-window.ts'
import { decodeWindowToMemory } from './memory-window.ts'
import { findAlphaBand } from './validity.ts'
import { checkWindow, computeWindowCost } from './window.ts'
import type { Window } from './window.ts'

const default_budget_bytes = 268_435_456
/** Decoded bytes that are worked on at a time, or one row of blocks where that is more. */
const chunk_bytes = 16_777_216

type Layout = 'bands' | 'pixels'

/**
 * Reads a window of one level, band after band, with a mask that is 255 where the pixel is valid. A pixel is invalid if the
 * file's mask or alpha band says so, or if all requested bands are nodata (or NaN). Memory: the result, and a row of blocks
 * (at least 16 MiB). Failures: `request`, `budget`, `damaged`, `unsupported`, `source`,
 * `cancelled`.
 */
export async function readWindow(raster: Raster, request: WindowRequest): Promise<PixelBlock> {
  return readPixels(raster, request, 'bands')
}

/** The same window with all bands of a pixel together; the mask is null where every pixel is valid. */
export async function readPixelInterleavedWindow(raster: Raster, request: WindowRequest): Promise<PixelRows> {
  const { width, height, bands, data, mask } = await readPixels(raster, request, 'pixels')
  return { width, rows: height, bands, data, mask: mask.includes(0) ? mask : null }
}

async function readPixels(raster: Raster, request: WindowRequest, layout: Layout): Promise<PixelBlock> {
  const { window, signal } = request
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  const level = checkWindow(raster, request.level ?? 0, window, bands)
  checkBudget(raster, level, request, bands)
  const [x0, y0, x1, y1] = window
  const width = x1 - x0
  const size = width * (y1 - y0)
  const data = sampleTypeProperties[raster.sampleType].allocate(size * bands.length)
  const mask = new Uint8Array(size)
  for (const chunk of chunksOf(raster, level, window)) {
    checkCancelled(signal)
    const loaded = await loadWindow(raster, level, chunk, bands, { signal })
    try {
      withKernels((kernels) => {
        const pixels = decodeWindowToMemory(kernels, raster, loaded)
        const first = (chunk[1] - y0) * width
        copySamples(kernels, pixels, layout, data, first, size)
        copyMask(kernels, pixels, mask, first)
      })
    } finally {
      loaded.release()
    }
  }
  return { width, height: y1 - y0, bands: bands.length, data, mask }
}

function checkBudget(raster: Raster, level: RasterLevel, request: WindowRequest, bands: readonly number[]): void {
  const alpha = findAlphaBand(raster, level)
  const read = bands.length + (alpha === null || bands.includes(alpha) ? 0 : 1)
  const { answerBytes, blockBytes } = computeWindowCost(raster, level, request.window, read)
  const budget = request.budget_bytes ?? default_budget_bytes
  if (answerBytes + blockBytes <= budget) return
  const [x0, y0, x1, y1] = request.window
  throw new RasterFailure(
    'budget',
    `reading ${x1 - x0} × ${y1 - y0} pixels of ${bands.length} bands needs ${answerBytes + blockBytes} bytes of memory, and may use ${budget}; choose a smaller area or fewer bands`,
  )
}

/** Cuts a window across, at the edges of blocks, so that no block is decoded twice. */
function* chunksOf(raster: Raster, level: RasterLevel, [x0, y0, x1, y1]: Window): Generator<Window> {
  const rowBytes = ((x1 - x0) * level.storage.samplesPerPixel * sampleTypeProperties[raster.sampleType].bits) / 8
  const rows = Math.max(1, Math.floor(chunk_bytes / rowBytes))
  // Uncompressed rows are read one by one.
  const step = level.compression === 1 && level.storage.striped ? 1 : level.block[1]
  for (let top = y0; top < y1;) {
    const end = Math.max(Math.floor((top + rows) / step), Math.floor(top / step) + 1) * step
    const bottom = Math.min(y1, end)
    yield [x0, top, x1, bottom]
    top = bottom
  }
}

// A chunk is as wide as the answer, so that each of its bands, or all of them together, is one run of the answer.
function copySamples(
  kernels: Kernels,
  pixels: KernelPixels,
  layout: Layout,
  data: SampleArray,
  first: number,
  size: number,
): void {
  const { bandOffsets, type, width, height } = pixels
  const count = width * height
  const sampleBytes = (sampleTypeProperties[type].bits / 8) as 1 | 2 | 4 | 8
  const run = (at: number, length: number): SampleArray => viewSamples(type, kernels.memory.buffer, at, length)
  if (layout === 'pixels') {
    const bands = bandOffsets.length
    const asWanted = pixels.pixelStride === bands && bandOffsets.every((offset, band) => offset === band)
    const at = asWanted ? pixels.at : kernels.memory.reserve(count * bands * sampleBytes)
    for (const [band, offset] of asWanted ? [] : bandOffsets.entries()) {
      copyPlane(kernels, pixels, offset, at + band * sampleBytes, bands, sampleBytes)
    }
    data.set(run(at, count * bands), first * bands)
    return
  }
  const spare = pixels.pixelStride === 1 ? 0 : kernels.memory.reserve(count * sampleBytes)
  for (const [band, offset] of bandOffsets.entries()) {
    if (spare !== 0) copyPlane(kernels, pixels, offset, spare, 1, sampleBytes)
    data.set(run(spare === 0 ? pixels.at + offset * sampleBytes : spare, count), band * size + first)
  }
}

function copyPlane(
  kernels: Kernels,
  { at, pixelStride, rowStride, width, height }: KernelPixels,
  offset: number,
  to: number,
  toPixel: number,
  sampleBytes: 1 | 2 | 4 | 8,
): void {
  const from = at + offset * sampleBytes
  kernels.copyBand(to, toPixel, width * toPixel, from, pixelStride, rowStride, width, height, sampleBytes)
}

function copyMask(kernels: Kernels, { mask, width, height }: KernelPixels, target: Uint8Array, first: number): void {
  const count = width * height
  if (mask === 0) target.fill(255, first, first + count)
  else target.set(new Uint8Array(kernels.memory.buffer, mask, count), first)
}
