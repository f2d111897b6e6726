import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { KernelAddress, KernelMemory, Kernels, KernelPixels, WarpKernelJob } from './types.ts'

/**
 * The same kernels behind checks: whatever a kernel reads or writes lies in memory that is reserved. Sizes that come from
 * a file and reach beyond it end as `damaged`; what only a mistake in the code can bring about is a plain Error.
 */
export function wrapKernelsWithChecks(kernels: Kernels): Kernels {
  const { memory } = kernels
  const inside = rangeCheck(memory)
  const words = (at: KernelAddress, count: number, sampleBytes: number): void => {
    if (![1, 2, 4, 8].includes(sampleBytes) || at % sampleBytes !== 0)
      throw new Error(`samples of ${sampleBytes} bytes cannot stand at ${at}`)
    inside(at, count * sampleBytes)
  }
  const rowsOfWords = (
    at: KernelAddress,
    rows: number,
    rowSamples: number,
    stride: number,
    sampleBytes: number,
  ): void => {
    checkCounts(rows, rowSamples, stride - 1)
    words(at, rows * rowSamples, sampleBytes)
  }
  return {
    memory,
    ...guardPredictors(kernels, rowsOfWords),
    ...guardBytes(kernels, inside, words),
    ...guardPixels(kernels, inside),
  }
}

type RangeCheck = (at: KernelAddress, bytes: number) => void

function rangeCheck(memory: KernelMemory): RangeCheck {
  const bottom = memory.mark()
  return (at, bytes) => {
    checkCounts(at, bytes)
    if (bytes > 0 && (at < bottom || at + bytes > memory.mark()))
      throw new RasterFailure('damaged', 'the sizes that the file gives contradict each other')
  }
}

function checkCounts(...counts: readonly number[]): void {
  for (const count of counts)
    if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} is no size or place`)
}

const predictorNames = ['undoPredictor2', 'applyPredictor2', 'decodePredictor3', 'encodePredictor3'] as const
type Predictors = Pick<Kernels, (typeof predictorNames)[number]>
type Predict = Predictors['undoPredictor2'] & Predictors['decodePredictor3']

function guardPredictors(kernels: Kernels, check: (...sizes: Parameters<Predict>) => void): Predictors {
  const guarded = predictorNames.map((name) => {
    const predict = kernels[name] as (...sizes: Parameters<Predict>) => void
    const checked = (...sizes: Parameters<Predict>): void => {
      check(...sizes)
      predict(...sizes)
    }
    return [name, checked] as const
  })
  return Object.fromEntries(guarded) as unknown as Predictors
}

/** From the first to the last of `rows` lines that begin `stride` apart. */
const reach = (length: number, stride: number, rows: number): number =>
  rows === 0 || length === 0 ? 0 : (rows - 1) * stride + length

function guardBytes(
  kernels: Kernels,
  inside: RangeCheck,
  words: (at: KernelAddress, count: number, sampleBytes: number) => void,
): Pick<Kernels, 'swapBytes' | 'expandBitsToBytes' | 'copyByteRows' | 'copyBand' | 'filterUp' | 'inflate'> {
  return {
    swapBytes(at, count, sampleBytes) {
      words(at, count, sampleBytes)
      kernels.swapBytes(at, count, sampleBytes)
    },
    expandBitsToBytes(to, from, rows, rowSamples) {
      checkCounts(rows, rowSamples)
      inside(to, rows * rowSamples)
      inside(from, rows * Math.ceil(rowSamples / 8))
      kernels.expandBitsToBytes(to, from, rows, rowSamples)
    },
    copyByteRows(to, toRowBytes, from, fromRowBytes, rowBytes, rows) {
      checkCounts(toRowBytes, fromRowBytes, rowBytes, rows)
      inside(to, reach(rowBytes, toRowBytes, rows))
      inside(from, reach(rowBytes, fromRowBytes, rows))
      kernels.copyByteRows(to, toRowBytes, from, fromRowBytes, rowBytes, rows)
    },
    copyBand(to, toPixel, toRow, from, fromPixel, fromRow, width, rows, sampleBytes) {
      checkCounts(toPixel, toRow, fromPixel, fromRow, width, rows)
      words(to, reach(reach(1, toPixel, width), toRow, rows), sampleBytes)
      words(from, reach(reach(1, fromPixel, width), fromRow, rows), sampleBytes)
      kernels.copyBand(to, toPixel, toRow, from, fromPixel, fromRow, width, rows, sampleBytes)
    },
    inflate(to, toBytes, from, fromBytes) {
      inside(to, toBytes)
      inside(from, fromBytes)
      if (to < from + fromBytes && from < to + toBytes) throw new Error('a stream cannot be inflated onto itself')
      return kernels.inflate(to, toBytes, from, fromBytes)
    },
    filterUp(to, from, rowBytes, rows, pixelBytes) {
      checkCounts(rowBytes, rows, pixelBytes - 1)
      inside(to, rows * (rowBytes + 1))
      inside(from, rows * rowBytes)
      kernels.filterUp(to, from, rowBytes, rows, pixelBytes)
    },
  }
}

function guardPixels(kernels: Kernels, inside: RangeCheck): Pick<Kernels, 'markMissingPixels' | 'halveMean' | 'warp'> {
  return {
    markMissingPixels(mask, pixels, nodata) {
      checkPixels(pixels, inside)
      inside(mask, pixels.width * pixels.height)
      return kernels.markMissingPixels(mask, pixels, nodata)
    },
    halveMean(target, source, nodata) {
      checkPair(target, source, inside)
      if (target.width !== Math.ceil(source.width / 2) || target.height !== Math.ceil(source.height / 2))
        throw new Error(`${target.width}×${target.height} is not half of ${source.width}×${source.height}`)
      kernels.halveMean(target, source, nodata)
    },
    warp(job) {
      checkPair(job.target, job.source, inside)
      checkNet(job)
      kernels.warp(job)
    },
  }
}

function checkPixels(pixels: KernelPixels, inside: RangeCheck): void {
  const { type, at, width, height, pixelStride, rowStride, bandOffsets, mask } = pixels
  const sampleBytes = sampleTypeProperties[type].bits / 8
  checkCounts(at, width, height, pixelStride, rowStride, mask, bandOffsets.length - 1, ...bandOffsets)
  if (at % sampleBytes !== 0) throw new Error(`samples of ${sampleBytes} bytes cannot stand at ${at}`)
  const plane = reach(reach(1, pixelStride, width), rowStride, height)
  if (plane === 0) return
  inside(at, (plane + Math.max(...bandOffsets)) * sampleBytes)
  if (mask !== 0) inside(mask, width * height)
}

function checkPair(target: KernelPixels, source: KernelPixels, inside: RangeCheck): void {
  checkPixels(target, inside)
  checkPixels(source, inside)
  if (target.type !== source.type || target.bandOffsets.length !== source.bandOffsets.length)
    throw new Error('source and target differ in type or bands')
}

function checkNet({ net, target }: WarpKernelJob): void {
  const { spacing, across, down, x, y } = net
  checkCounts(across, down, spacing - 1)
  const reaches = (nodes: number, pixels: number): boolean => (nodes - 1) * spacing >= pixels - 1
  const whole = across * down <= Math.min(x.length, y.length)
  if (!whole || !reaches(across, target.width) || !reaches(down, target.height) || target.mask === 0)
    throw new Error('the net or the mask does not cover the target')
}
