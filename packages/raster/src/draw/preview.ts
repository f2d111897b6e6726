import { RasterFailure } from '../failures.ts'
import type { Positions } from '../plan/positions.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import { readWindow } from '../tiff/read.ts'
import { checkBands, costOfWindow } from '../tiff/window.ts'
import type { Window } from '../tiff/window.ts'
import type { Level, PixelBlock, Raster } from '../types.ts'
import { drawAverage } from './average.ts'
import { createCanvas } from './canvas.ts'
import type { Canvas } from './canvas.ts'
import { drawNearest } from './nearest.ts'

const DEFAULT_BUDGET_BYTES = 268_435_456
/** Decoding more than this for one small picture takes longer than anybody waits. */
const MOST_DECODED_BYTES = 8_589_934_592
const MOST_SIDE = 4096
/** Memory that one strip of the source may take. */
const STRIP_BYTES = 33_554_432

export interface PreviewRequest {
  /** Size of the answer in pixels; the picture is stretched to it. */
  readonly width: number
  readonly height: number
  /** 0-based; default all. */
  readonly bands?: readonly number[]
  /** Bytes that may be held at once; beyond it a `budget` failure. Default 256 MiB. */
  readonly budget_bytes?: number
  readonly signal?: AbortSignal
}

/**
 * The whole raster in its own grid at a small size, each pixel the mean of what it covers (of a palette picture: the
 * nearest index), from the smallest overview that still has as many pixels. A large picture without overviews is read
 * strip by strip, never whole. Failures: `request`, `budget`, and those of readWindow.
 */
export async function drawPreview(raster: Raster, request: PreviewRequest): Promise<PixelBlock> {
  const { width, height } = request
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1 || side > MOST_SIDE) {
      throw new RasterFailure('request', `a preview is 1 to ${MOST_SIDE} pixels wide and high`)
    }
  }
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  checkBands(raster, bands)
  const level = smallestLevel(raster, width, height)
  const cost = costOfWindow(raster, level, [0, 0, level.width, level.height], bands.length)
  if (cost.decodedBytes > MOST_DECODED_BYTES) {
    throw new RasterFailure('budget', 'the picture is too large to be looked at without overviews')
  }
  const canvas = createCanvas(width, height, bands.length, SAMPLE_TYPES[raster.sampleType].allocate(0))
  const rows = Math.max(1, Math.floor(height * Math.min(1, STRIP_BYTES / cost.answerBytes)))
  for (let top = 0; top < height; top += rows) {
    await drawRows(raster, level, canvas, top, Math.min(height, top + rows), { ...request, bands })
  }
  return canvas
}

function smallestLevel(raster: Raster, width: number, height: number): Level {
  return raster.levels.findLast((level) => level.width >= width && level.height >= height) ?? raster.levels[0]!
}

async function drawRows(
  raster: Raster,
  level: Level,
  canvas: Canvas,
  top: number,
  bottom: number,
  { bands, budget_bytes = DEFAULT_BUDGET_BYTES, signal }: PreviewRequest,
): Promise<void> {
  const down = level.height / canvas.height
  const window: Window = [0, Math.floor(top * down), level.width, Math.min(level.height, Math.ceil(bottom * down))]
  const source = await readWindow(raster, { level: level.index, window, bands, budget_bytes, signal })
  const averages = raster.palette === null
  const drawing = {
    source,
    origin: [0, window[1]] as const,
    levelSize: [level.width, level.height] as const,
    part: { left: 0, top, right: canvas.width, bottom },
    positions: stretch(canvas, level, top, bottom, averages),
    canvas,
  }
  if (averages) drawAverage(drawing)
  else drawNearest(drawing)
}

// Averages look at corners, of which there is one more than pixels; the nearest pixel is the one under the centre.
function stretch(canvas: Canvas, level: Level, top: number, bottom: number, corners: boolean): Positions {
  const columns = canvas.width + (corners ? 1 : 0)
  const rows = bottom - top + (corners ? 1 : 0)
  const shift = corners ? 0 : 0.5
  const x = Float64Array.from(
    { length: columns * rows },
    (_, at) => ((at % columns) + shift) * (level.width / canvas.width),
  )
  const y = Float64Array.from(
    { length: columns * rows },
    (_, at) => (top + Math.floor(at / columns) + shift) * (level.height / canvas.height),
  )
  return { columns, rows, x, y }
}
