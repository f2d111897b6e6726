import { sampleTypeProperties, viewSamples } from '../src/sample-types.ts'
import type { SampleArray, SampleType } from '../src/types.ts'
import type { Kernels, KernelPixels, PositionGrid, WarpKernelJob } from '../src/compute/kernels/types.ts'

/** Pixels of a source, band after band for each pixel or plane after plane. */
export interface SourceCase {
  readonly type: SampleType
  readonly width: number
  readonly height: number
  readonly bands: number
  readonly planar: boolean
  readonly samples: SampleArray
  /** One byte a pixel; null where all are valid. */
  readonly mask: Uint8Array | null
}

/** A warp of a source, of some of its bands, into an image. */
export interface WarpCase extends Pick<WarpKernelJob, 'net' | 'resampling' | 'scale'> {
  readonly source: SourceCase
  readonly bands: readonly number[]
  readonly width: number
  readonly height: number
  /** The image holds all bands of a pixel together. */
  readonly together?: boolean
}

/** The warped image, plane after plane. */
export interface WarpedImage {
  readonly samples: SampleArray
  readonly mask: Uint8Array
}

/** Warps with either kind of kernels, onto memory that is filled with other values before. */
export function warpOn(kernels: Kernels, given: WarpCase): WarpedImage {
  const { memory } = kernels
  const mark = memory.mark()
  const { source, bands, width, height, together = false } = given
  const count = width * height * bands.length
  const target: KernelPixels = {
    type: source.type,
    at: memory.reserve((count * sampleTypeProperties[source.type].bits) / 8),
    width,
    height,
    pixelStride: together ? bands.length : 1,
    rowStride: together ? bands.length * width : width,
    bandOffsets: bands.map((_, band) => (together ? band : band * width * height)),
    mask: memory.reserve(width * height),
  }
  new Uint8Array(memory.buffer, target.at, memory.mark() - target.at).fill(0x5a)
  kernels.warp({ ...given, source: layOut(kernels, source, bands), target })
  const samples = viewSamples(source.type, memory.buffer, target.at, count).slice()
  const mask = new Uint8Array(memory.buffer, target.mask, width * height).slice()
  memory.release(mark)
  return { samples, mask }
}

function layOut({ memory }: Kernels, source: SourceCase, bands: readonly number[]): KernelPixels {
  const { type, width, height, planar, samples, mask } = source
  const at = memory.reserve(samples.byteLength)
  const maskAt = mask ? memory.reserve(mask.length) : 0
  viewSamples(type, memory.buffer, at, samples.length).set(samples)
  if (mask) new Uint8Array(memory.buffer, maskAt, mask.length).set(mask)
  return {
    type,
    at,
    width,
    height,
    pixelStride: planar ? 1 : source.bands,
    rowStride: planar ? width : width * source.bands,
    bandOffsets: bands.map((band) => (planar ? band * width * height : band)),
    mask: maskAt,
  }
}

/** The nodes of a grid under an affine transform: x = x0 + across · column + turn · row, and y likewise. */
export interface Straight {
  readonly from: readonly [x: number, y: number]
  /** Source pixels a target pixel. */
  readonly step: readonly [across: number, down: number]
  readonly turn: number
}

/** A grid over `columns` × `rows` positions. */
export function netOf({ from, step, turn }: Straight, columns: number, rows: number, spacing: number): PositionGrid {
  const across = Math.ceil((columns - 1) / spacing) + 1
  const down = Math.ceil((rows - 1) / spacing) + 1
  const at = (node: number): [column: number, row: number] => [
    (node % across) * spacing,
    Math.floor(node / across) * spacing,
  ]
  const nodes = Array.from({ length: across * down }, (_, node) => at(node))
  return {
    spacing,
    across,
    down,
    x: Float64Array.from(nodes, ([column, row]) => from[0] + column * step[0] + row * turn),
    y: Float64Array.from(nodes, ([column, row]) => from[1] + row * step[1] - column * turn),
  }
}
