import type { SampleArray, SampleType } from '../../src/types.ts'
import { isNodataSample, sampleTypeProperties, viewSamples } from '../../src/sample-types.ts'
import type { NodataRange } from '../../src/sample-types.ts'
import type { KernelMemory, Kernels, KernelPixels } from '../../src/compute/kernels/types.ts'

/** The kernels that work on whole pixels, in plain TypeScript. */
export function referencePixels(memory: KernelMemory): Pick<Kernels, 'markMissingPixels' | 'halveMean'> {
  return {
    markMissingPixels: (mask, pixels, nodata) => markMissingPixels(memory.buffer, mask, pixels, nodata),
    halveMean(target, source, nodata) {
      for (let band = 0; band < target.bandOffsets.length; band++)
        halveBand(memory.buffer, target, source, band, nodata)
    },
  }
}

/** All samples from the first one on; positions in it are counted as the strides and offsets of the pixels. */
function samplesOf(buffer: ArrayBuffer, pixels: KernelPixels): SampleArray {
  const length = Math.floor((buffer.byteLength - pixels.at) / (sampleTypeProperties[pixels.type].bits / 8))
  return viewSamples(pixels.type, buffer, pixels.at, length)
}

const isMissing = (value: number, nodata: NodataRange | null): boolean =>
  isNodataSample(value, nodata) || Number.isNaN(value)

function markMissingPixels(
  buffer: ArrayBuffer,
  mask: number,
  pixels: KernelPixels,
  nodata: NodataRange | null,
): number {
  const samples = samplesOf(buffer, pixels)
  const valid = new Uint8Array(buffer, mask, pixels.width * pixels.height)
  let missing = 0
  for (let y = 0; y < pixels.height; y++)
    for (let x = 0; x < pixels.width; x++) {
      const at = y * pixels.rowStride + x * pixels.pixelStride
      const i = y * pixels.width + x
      if (pixels.bandOffsets.every((offset) => isMissing(samples[at + offset]!, nodata))) valid[i] = 0
      if (valid[i] === 0) missing++
    }
  return missing
}

function halveBand(
  buffer: ArrayBuffer,
  target: KernelPixels,
  source: KernelPixels,
  band: number,
  nodata: NodataRange | null,
): void {
  const [from, to] = [samplesOf(buffer, source), samplesOf(buffer, target)]
  const mask = source.mask === 0 ? null : new Uint8Array(buffer, source.mask, source.width * source.height)
  for (let y = 0; y < target.height; y++)
    for (let x = 0; x < target.width; x++) {
      const covered = coveredPixels(source, x, y)
      const values = covered
        .filter(([cx, cy]) => mask === null || mask[cy * source.width + cx] !== 0)
        .map(([cx, cy]) => sampleAt(from, source, band, cx, cy))
        .filter((value) => !isMissing(value, nodata))
      const mean = values.length === 0 ? sampleAt(from, source, band, x * 2, y * 2) : meanOf(values, source, nodata)
      to[y * target.rowStride + x * target.pixelStride + target.bandOffsets[band]!] = mean
    }
}

/** The pixels of the source below one of the target: four, or fewer at an odd edge. */
function coveredPixels(source: KernelPixels, x: number, y: number): (readonly [x: number, y: number])[] {
  const columns = x * 2 + 1 < source.width ? [x * 2, x * 2 + 1] : [x * 2]
  const rows = y * 2 + 1 < source.height ? [y * 2, y * 2 + 1] : [y * 2]
  return rows.flatMap((row) => columns.map((column) => [column, row] as const))
}

const sampleAt = (samples: SampleArray, pixels: KernelPixels, band: number, x: number, y: number): number =>
  samples[y * pixels.rowStride + x * pixels.pixelStride + pixels.bandOffsets[band]!]!

/** The sum is of double precision and goes by rows; only the mean is rounded to the type. */
function meanOf(values: readonly number[], { type }: KernelPixels, nodata: NodataRange | null): number {
  const mean = values.reduce((sum, value) => sum + value) / values.length
  const { format } = sampleTypeProperties[type]
  if (format !== 3) {
    const rounded = Math.floor(mean + 0.5)
    return isNodataSample(rounded, nodata) ? rounded + 1 : rounded
  }
  const rounded = type === 'float32' ? Math.fround(mean) : mean
  return isNodataSample(rounded, nodata) ? besideFloat(nodata, type) : rounded
}

/** The next number from nodata towards zero; beside zero the smallest one. */
function besideFloat({ lowest, highest }: NodataRange, type: SampleType): number {
  const value = lowest > 0 ? lowest : highest
  if (value === 0) return type === 'float32' ? 2 ** -149 : Number.MIN_VALUE
  const floats = type === 'float32' ? new Float32Array([value]) : new Float64Array([value])
  const words = type === 'float32' ? new Uint32Array(floats.buffer) : new BigUint64Array(floats.buffer)
  words[0]!--
  return floats[0]!
}
