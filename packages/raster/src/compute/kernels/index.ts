import { RasterFailure } from '../../failures.ts'
import type { SampleType } from '../../types.ts'
import { wrapKernelsWithChecks } from './guard.ts'
import { createMemoryArena } from './arena.ts'
import type { KernelAddress, KernelMemory, Kernels, KernelPixels } from './types.ts'
import { createWarpKernel } from './warp.ts'
import { instantiateKernels } from './wasm.ts'

/** The exports of `assembly/index.ts` except the warp. Addresses and counts are checked integers. */
interface KernelExports extends Omit<
  Kernels,
  'memory' | 'decodePredictor3' | 'encodePredictor3' | 'markMissingPixels' | 'halveMean' | 'warp'
> {
  heapBase(): KernelAddress
  decodePredictor3: Predictor3
  encodePredictor3: Predictor3
  markMissingPixels(
    type: number,
    mask: KernelAddress,
    pixels: KernelAddress,
    known: boolean,
    lowest: number,
    highest: number,
  ): number
  halveMean(
    type: number,
    target: KernelAddress,
    source: KernelAddress,
    known: boolean,
    lowest: number,
    highest: number,
  ): void
}

type Predictor3 = (
  at: KernelAddress,
  rows: number,
  rowSamples: number,
  stride: number,
  sampleBytes: number,
  row: KernelAddress,
) => void

/** Scratch memory of the kernels; the longest row of floats that can be predicted fits, a million single ones. */
const scratch_bytes = 2 ** 22

/** Sample types by the number that the compiled kernels know them by. */
const sampleTypesByCode: readonly SampleType[] = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'float64',
]

/** The compiled kernels, with a memory of their own. The module is compiled once for each thread. */
export function createKernels(): Kernels {
  const { buffer, exports } = instantiateKernels()
  const compiled = exports as KernelExports
  const memory = createMemoryArena(buffer, compiled.heapBase())
  const scratch = memory.reserve(scratch_bytes)
  return wrapKernelsWithChecks({
    memory,
    swapBytes: compiled.swapBytes,
    undoPredictor2: compiled.undoPredictor2,
    applyPredictor2: compiled.applyPredictor2,
    decodePredictor3: withRow(compiled.decodePredictor3, scratch),
    encodePredictor3: withRow(compiled.encodePredictor3, scratch),
    expandBitsToBytes: compiled.expandBitsToBytes,
    copyByteRows: compiled.copyByteRows,
    copyBand: compiled.copyBand,
    filterUp: compiled.filterUp,
    inflate: (to, toBytes, from, fromBytes) => {
      const bytes = compiled.inflate(to, toBytes, from, fromBytes)
      if (bytes < 0) throw new RasterFailure('damaged', 'a part of the image cannot be decompressed (deflate)')
      return bytes
    },
    ...pixelKernels(compiled, memory, scratch),
    warp: createWarpKernel(memory, exports),
  })
}

function withRow(predictor: Predictor3, scratch: KernelAddress): Kernels['decodePredictor3'] {
  return (at, rows, rowSamples, stride, sampleBytes) => {
    if (rowSamples * sampleBytes > scratch_bytes)
      throw new RasterFailure('budget', `a row of ${rowSamples} samples is too long for the floating-point predictor`)
    predictor(at, rows, rowSamples, stride, sampleBytes, scratch)
  }
}

function pixelKernels(
  compiled: KernelExports,
  memory: KernelMemory,
  scratch: KernelAddress,
): Pick<Kernels, 'markMissingPixels' | 'halveMean'> {
  return {
    markMissingPixels(mask, pixels, nodata) {
      describePixels(memory, scratch, pixels)
      return compiled.markMissingPixels(
        sampleTypesByCode.indexOf(pixels.type),
        mask,
        scratch,
        nodata !== null,
        nodata?.lowest ?? 0,
        nodata?.highest ?? 0,
      )
    },
    halveMean(target, source, nodata) {
      const next = describePixels(memory, scratch, target)
      describePixels(memory, next, source)
      compiled.halveMean(
        sampleTypesByCode.indexOf(source.type),
        scratch,
        next,
        nodata !== null,
        nodata?.lowest ?? 0,
        nodata?.highest ?? 0,
      )
    },
  }
}

/** Writes pixels as `assembly/pixels.ts` reads them and answers where the words end. */
function describePixels(memory: KernelMemory, at: KernelAddress, pixels: KernelPixels): KernelAddress {
  const { width, height, pixelStride, rowStride, mask, bandOffsets } = pixels
  const words = [pixels.at, width, height, pixelStride, rowStride, mask, bandOffsets.length, ...bandOffsets]
  new Uint32Array(memory.buffer, at, words.length).set(words)
  return at + words.length * 4
}
