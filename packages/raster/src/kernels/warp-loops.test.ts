import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersFrom } from '../../test/kernel-pair.ts'
import { netOf, warpOn } from '../../test/warp-case.ts'
import type { SourceCase, Straight, WarpCase } from '../../test/warp-case.ts'
import { drawAverage } from '../draw/average.ts'
import { createCanvas } from '../draw/canvas.ts'
import type { Canvas } from '../draw/canvas.ts'
import { drawNearest } from '../draw/nearest.ts'
import { BILINEAR, CUBIC, drawWeighted } from '../draw/weighted.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import type { Resampling, SampleType } from '../types.ts'
import { createKernels } from './index.ts'

const compiled = createKernels()
const [width, height, bands] = [60, 50, 3]

/** Something like imagery: hills, parcels and noise over an eighth of the range of the type, with a hole and single gaps. */
function imagery(type: SampleType): SourceCase {
  const next = numbersFrom(5)
  const { format, lowest, highest, allocate } = SAMPLE_TYPES[type]
  const reach = format === 3 ? 3000 : (highest - lowest) / 8
  const low = format === 3 ? -200 : lowest + reach
  const samples = allocate(width * height * bands)
  const mask = new Uint8Array(width * height).fill(255)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    if ((x - 20) ** 2 + (y - 30) ** 2 < 40 || next(90) === 0) mask[at] = 0
    for (let band = 0; band < bands; band++) {
      const hills = (Math.sin(x / 9 + band) + Math.cos(y / 7)) / 4 + 0.5
      const parcel = ((x >> 4) * 7 + (y >> 3) * 3) % 5
      samples[band * width * height + at] = low + reach * (0.6 * hills + 0.06 * parcel + next(1000) / 10_000)
    }
  }
  return { type, width, height, bands, planar: true, samples, mask }
}

/** The loops that kernels took the place of, which equal gdalwarp. */
function drawByLoops({ source, net, resampling, scale, ...given }: WarpCase): Canvas {
  const canvas = createCanvas(given.width, given.height, bands, source.samples)
  const drawing = {
    source: { width, height, bands, data: source.samples, mask: source.mask! },
    origin: [0, 0] as const,
    levelSize: [width, height] as const,
    part: { left: 0, top: 0, right: given.width, bottom: given.height },
    positions: { columns: net.across, rows: net.down, x: net.x, y: net.y },
    canvas,
  }
  if (resampling === 'nearest') drawNearest(drawing)
  else if (resampling === 'average') drawAverage(drawing)
  else drawWeighted(drawing, resampling === 'cubic' ? CUBIC : BILINEAR, scale)
  return canvas
}

const straights: readonly Straight[] = [
  { from: [0.5, 0.5], step: [1, 1], turn: 0 },
  { from: [-3.1, 4.2], step: [0.41, 0.37], turn: 0.03 },
  { from: [1.7, 2.3], step: [1.03, 1.02], turn: 0.08 },
  { from: [-2.2, 9.8], step: [1.93, 2.11], turn: -0.2 },
  { from: [5.3, -6.4], step: [4.6, 1.3], turn: 0.4 },
]

/** Samples in a thousand that may be rounded to the other of two integers that they lie between. */
const OTHERS = { nearest: 0, bilinear: 1, cubic: 1, average: 2 }
/** Samples in a thousand that may be farther away: where positive and negative weights nearly cancel, no digit is sure. */
const FAR = { nearest: 0, bilinear: 0, cubic: 1, average: 0 }

// The sums have another order of operations than the loops had, for 8 and 16 bits they are in f32, and positions are
// rounded to 2^-32 of a pixel, which differences of billions between neighbours make seen. A value that lies within such
// an error of the middle between two integers may be rounded to the other one.
for (const type of Object.keys(SAMPLE_TYPES) as SampleType[])
  test(`${type}: kernels draw what the loops drew`, () => {
    const source = imagery(type)
    for (const resampling of ['nearest', 'bilinear', 'cubic', 'average'] as const) {
      let [drawn, others, far] = [0, 0, 0]
      for (const straight of straights) {
        const given = caseOf(source, resampling, straight)
        const expected = drawByLoops(given)
        const run = warpOn(compiled, given)
        assert.deepEqual(run.mask, expected.mask, resampling)
        for (const [at, sample] of run.samples.entries()) {
          const other = expected.data[at]!
          if (Math.abs(sample - other) > toleranceOf(type, resampling, other)) far++
          drawn += run.mask[at % run.mask.length]! > 0 ? 1 : 0
          others += sample !== other && SAMPLE_TYPES[type].format !== 3 ? 1 : 0
        }
      }
      const more = SAMPLE_TYPES[type].bits === 32 ? 3 : 1
      assert.ok(others * 1000 <= drawn * OTHERS[resampling] * more, `${resampling}: ${others} of ${drawn} differ`)
      assert.ok(far * 1000 <= drawn * FAR[resampling], `${resampling}: ${far} of ${drawn} are far away`)
    }
  })

function caseOf(source: SourceCase, resampling: Resampling, straight: Straight): WarpCase {
  const more = resampling === 'average' ? 1 : 0
  const scale = [1 / straight.step[0], 1 / straight.step[1]] as const
  const net = netOf(straight, 40 + more, 36 + more, 1)
  return { source, bands: [0, 1, 2], width: 40, height: 36, resampling, scale, net }
}

function toleranceOf(type: SampleType, resampling: Resampling, value: number): number {
  if (resampling === 'nearest') return 0
  if (type === 'float32') return 2 ** -23 * Math.abs(value)
  return type === 'float64' ? 1e-6 : 1
}
