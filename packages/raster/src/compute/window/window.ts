import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { RasterLevel, Raster } from '../../types.ts'

export type Window = readonly [x0: number, y0: number, x1: number, y1: number]

/** Checks a level, window and bands against the raster; whatever does not exist is a `request` failure. */
export function checkWindow(raster: Raster, levelIndex: number, window: Window, bands: readonly number[]): RasterLevel {
  const level = raster.levels[levelIndex]
  if (!level) throw new RasterFailure('request', `the image has no overview ${levelIndex}`)
  const [x0, y0, x1, y1] = window
  const whole = window.every(Number.isInteger)
  if (!whole || x0 < 0 || y0 < 0 || x1 > level.width || y1 > level.height || x0 >= x1 || y0 >= y1) {
    throw new RasterFailure(
      'request',
      `the pixels from ${x0}, ${y0} to ${x1}, ${y1} are not inside the ${level.width} × ${level.height} pixels of the image`,
    )
  }
  checkBandIndexes(raster, bands)
  return level
}

export function checkBandIndexes(raster: Raster, bands: readonly number[]): void {
  if (bands.length === 0) throw new RasterFailure('request', 'no band was asked for')
  const missing = bands.find((band) => !Number.isInteger(band) || band < 0 || band >= raster.bands.length)
  if (missing !== undefined) throw new RasterFailure('request', `the image has no band ${missing + 1}`)
}

/** The blocks that a window touches, as a half-open range of columns and rows of blocks. */
export function findBlockRange(level: RasterLevel, [x0, y0, x1, y1]: Window): Window {
  const [width, height] = level.block
  return [Math.floor(x0 / width), Math.floor(y0 / height), Math.ceil(x1 / width), Math.ceil(y1 / height)]
}

/** The memory of reading a window, in bytes: the returned pixels, all decoded blocks, and the largest single block. */
export interface WindowMemoryCost {
  readonly answerBytes: number
  readonly decodedBytes: number
  readonly blockBytes: number
}

/** The cost of a window, its mask included. */
export function computeWindowCost(
  raster: Raster,
  level: RasterLevel,
  window: Window,
  bandCount: number,
): WindowMemoryCost {
  const sampleBytes = sampleTypeProperties[raster.sampleType].bits / 8
  const [x0, y0, x1, y1] = window
  const image = costOfBlocks(level, window, sampleBytes)
  const mask = level.mask ? costOfBlocks(level.mask, window, 1) : { block: 0, all: 0 }
  const planes = level.planar === 2 ? bandCount : 1
  return {
    answerBytes: (x1 - x0) * (y1 - y0) * (bandCount * sampleBytes + 1),
    decodedBytes: image.all * planes + mask.all,
    blockBytes: Math.max(image.block, mask.block),
  }
}

function costOfBlocks(level: RasterLevel, window: Window, sampleBytes: number): { block: number; all: number } {
  const [c0, r0, c1, r1] = findBlockRange(level, window)
  // Of an uncompressed block only the rows that are wanted are read.
  const rows = level.compression === 1 ? Math.min(level.block[1], window[3] - window[1]) : level.block[1]
  const block = level.block[0] * rows * sampleBytes * (level.planar === 2 ? 1 : level.storage.samplesPerPixel)
  return { block, all: block * (c1 - c0) * (r1 - r0) }
}
