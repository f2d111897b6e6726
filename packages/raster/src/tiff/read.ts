import { RasterFailure } from '../failures.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Level, PixelBlock, Raster, Samples, WindowRequest } from '../types.ts'
import { decodeBlocks } from './blocks.ts'
import type { DecodedBlock } from './blocks.ts'
import { checkWindow, costOfWindow } from './window.ts'
import type { Window } from './window.ts'
import { markAlpha, markNodata } from './validity.ts'

const DEFAULT_BUDGET_BYTES = 268_435_456

/**
 * Reads a window of one level, band after band, with a mask that is 255 where the pixel is valid. A pixel is not valid
 * where the file's mask, or its alpha band, says so, or where all requested bands hold nodata (or NaN). Memory: the answer,
 * one block and at most 8 MiB of compressed bytes. Failures: `request`, `budget`, `damaged`, `unsupported`, `source`,
 * `cancelled`.
 */
export async function readWindow(raster: Raster, request: WindowRequest): Promise<PixelBlock> {
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  const level = checkWindow(raster, request.level ?? 0, request.window, bands)
  const [x0, y0, x1, y1] = request.window
  const alphaPlace = placeOfAlpha(raster, level, bands)
  const read = alphaPlace === bands.length ? [...bands, raster.alphaBand!] : bands
  const cost = costOfWindow(raster, level, request.window, read.length)
  const budget = request.budget_bytes ?? DEFAULT_BUDGET_BYTES
  if (cost.answerBytes + cost.blockBytes > budget) {
    throw new RasterFailure(
      'budget',
      `reading ${x1 - x0} × ${y1 - y0} pixels of ${bands.length} bands needs ${cost.answerBytes + cost.blockBytes} bytes; ${budget} are allowed`,
    )
  }
  const size = (x1 - x0) * (y1 - y0)
  const data = SAMPLE_TYPES[raster.sampleType].allocate(size * read.length)
  await readPlanes(raster, level, request.window, read, data, request.signal)
  const mask = level.mask
    ? await readMask(raster, level.mask, request.window, request.signal)
    : new Uint8Array(size).fill(255)
  if (!level.mask) {
    if (alphaPlace !== null) markAlpha(mask, data, alphaPlace * size)
    markNodata(mask, data, size, colourPlaces(raster, bands), raster.nodata)
  }
  const answer = read === bands ? data : data.slice(0, size * bands.length)
  return { width: x1 - x0, height: y1 - y0, bands: bands.length, data: answer, mask }
}

// Where the alpha band comes among the bands that are read: asked for, or added behind them. A mask makes it unimportant.
function placeOfAlpha(raster: Raster, level: Level, bands: readonly number[]): number | null {
  if (raster.alphaBand === null || level.mask) return null
  const place = bands.indexOf(raster.alphaBand)
  return place < 0 ? bands.length : place
}

// Alpha says nothing about the picture's values, unless it is all that was asked for.
function colourPlaces(raster: Raster, bands: readonly number[]): number[] {
  return bands.flatMap((band, place) => (band === raster.alphaBand ? [] : [place]))
}

async function readPlanes(
  raster: Raster,
  level: Level,
  window: Window,
  bands: readonly number[],
  data: Samples,
  signal?: AbortSignal,
): Promise<void> {
  const distinct = [...new Set(bands)]
  const size = (window[2] - window[0]) * (window[3] - window[1])
  for await (const block of decodeBlocks(raster.source, level, raster.sampleType, window, distinct, signal)) {
    const interleaved = level.planar === 1
    const stride = interleaved ? level.storage.samplesPerPixel : 1
    for (const [place, band] of bands.entries()) {
      if (!interleaved && band !== block.plane) continue
      const plane = data.subarray(place * size, (place + 1) * size)
      if (block.samples) copyBand(block, block.samples, interleaved ? band : 0, stride, window, plane)
      else fillBand(block, window, plane, raster.nodata ?? 0)
    }
  }
}

async function readMask(raster: Raster, level: Level, window: Window, signal?: AbortSignal): Promise<Uint8Array> {
  const mask = new Uint8Array((window[2] - window[0]) * (window[3] - window[1]))
  for await (const block of decodeBlocks(raster.source, level, 'uint8', window, [0], signal)) {
    if (block.samples) copyBand(block, block.samples, 0, level.storage.samplesPerPixel, window, mask)
  }
  for (let at = 0; at < mask.length; at++) if (mask[at] !== 0) mask[at] = 255
  return mask
}

interface Overlap {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly width: number
}

function overlap(block: DecodedBlock, [x0, y0, x1, y1]: Window): Overlap {
  return {
    left: Math.max(x0, block.x),
    right: Math.min(x1, block.x + block.width),
    top: Math.max(y0, block.y),
    bottom: Math.min(y1, block.y + block.height),
    width: x1 - x0,
  }
}

function copyBand(
  block: DecodedBlock,
  samples: Samples,
  first: number,
  stride: number,
  window: Window,
  plane: Samples,
): void {
  const { left, right, top, bottom, width } = overlap(block, window)
  for (let y = top; y < bottom; y++) {
    const from = ((y - block.y) * block.width + left - block.x) * stride + first
    const to = (y - window[1]) * width + left - window[0]
    if (stride === 1) plane.set(samples.subarray(from, from + right - left), to)
    else copyStrided(samples, from, stride, plane, to, right - left)
  }
}

function copyStrided(from: Samples, start: number, stride: number, to: Samples, at: number, count: number): void {
  let source = start
  for (let index = at; index < at + count; index++) {
    to[index] = from[source]!
    source += stride
  }
}

function fillBand(block: DecodedBlock, window: Window, plane: Samples, value: number): void {
  const { left, right, top, bottom, width } = overlap(block, window)
  for (let y = top; y < bottom; y++) {
    const row = (y - window[1]) * width - window[0]
    plane.fill(value, row + left, row + right)
  }
}
