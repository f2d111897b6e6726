import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersFrom } from '../../../test/kernel-pair.ts'
import { netOf, warpOn } from '../../../test/warp-case.ts'
import type { WarpedImage, SourceCase, Straight, WarpCase } from '../../../test/warp-case.ts'
import { RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Resampling, SampleType } from '../../types.ts'
import { createKernels } from './index.ts'
import { createReferenceKernels } from '../../../test/kernels/reference.ts'
import type { PositionGrid } from './types.ts'

const compiled = createKernels()
const reference = createReferenceKernels()

const types = Object.keys(sampleTypeProperties) as SampleType[]
const resamplings: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'average']

/** The whole range of the type, so that every rounding and every overshoot has to agree; NaN among floats. */
function sourceOf(type: SampleType, size: number, bands: number, planar: boolean, masked: boolean): SourceCase {
  const [width, height] = [size, size - 4]
  const next = numbersFrom(size * 31 + bands * 7 + types.indexOf(type))
  const { format, lowest, highest, allocate } = sampleTypeProperties[type]
  const [low, high] = format === 3 ? [-1e6, 1e6] : [lowest, highest]
  const samples = allocate(width * height * bands)
  for (let at = 0; at < samples.length; at++) {
    // Half of the pixels are alike: differences may be small or as large as can be.
    const part = next(2) === 0 ? next(65_536) / 65_535 : 0.4 + next(100) / 1000
    samples[at] = format === 3 && next(400) === 0 ? NaN : low + part * (high - low)
  }
  const mask = masked ? Uint8Array.from({ length: width * height }, () => (next(12) === 0 ? 0 : 255)) : null
  return { type, width, height, bands, planar, samples, mask }
}

const straights: Readonly<Record<string, Straight>> = {
  same: { from: [0.5, 0.5], step: [1, 1], turn: 0 },
  enlarged: { from: [2.1, 3.3], step: [0.37, 0.31], turn: 0 },
  'slightly shrunk and turned': { from: [1.6, 2.2], step: [1.04, 1.03], turn: 0.07 },
  'shrunk twice': { from: [1, 1], step: [2, 2], turn: 0 },
  'shrunk and turned over the edge': { from: [-4.2, 12.7], step: [2.2, 1.7], turn: 0.6 },
  'shrunk across only': { from: [0.3, 0.7], step: [3.1, 0.8], turn: 0 },
  'shrunk very much': { from: [-20.3, -11.7], step: [17.3, 13.1], turn: 0.2 },
  mirrored: { from: [30.5, 0.5], step: [-1.3, 0.9], turn: 0 },
}

/** Between which corners lies what an average covers, or which centres anything else looks at. */
function caseOf(
  source: SourceCase,
  straight: Straight,
  resampling: Resampling,
  spacing: number,
  [width, height]: readonly [number, number],
): WarpCase {
  const more = resampling === 'average' ? 1 : 0
  const bands = source.bands === 4 ? [2, 0, 1] : [0, 2, 1, 4, 2]
  const [across, down] = straight.step
  return {
    source,
    bands,
    width,
    height,
    resampling,
    scale: [1 / Math.abs(across), 1 / Math.abs(down)],
    net: netOf(straight, width + more, height + more, spacing),
    together: spacing === 2,
  }
}

function compareKinds(given: WarpCase, say: string): WarpedImage {
  const run = warpOn(compiled, given)
  const expected = warpOn(reference, given)
  assert.deepEqual(run.mask, expected.mask, say)
  // NaN has many bit patterns, so samples are compared and not bytes.
  const differs = run.samples.findIndex((sample, at) => !isSame(sample, expected.samples[at]!))
  assert.equal(differs, -1, `${say}: ${run.samples[differs]} is not ${expected.samples[differs]} at ${differs}`)
  return run
}

/** Two zeros are the same whatever their sign. */
function isSame(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b))
}

for (const type of types) {
  test(`${type}: compiled and reference agree on every sample`, () => {
    for (const resampling of resamplings)
      for (const [bands, planar, masked] of [
        [4, false, false],
        [4, false, true],
        [5, false, true],
        [5, true, false],
        [5, true, true],
      ] as const)
        for (const [at, [name, straight]] of Object.entries(straights).entries()) {
          const source = sourceOf(type, 33, bands, planar, masked)
          const spacing = [1, 2, 4, 8, 16][(at + bands + Number(masked)) % 5]!
          const size = [
            [19, 21],
            [33, 8],
            [1, 17],
          ][at % 3] as [number, number]
          const given = caseOf(source, straight, resampling, spacing, size)
          compareKinds(
            given,
            `${resampling}, ${bands} ${planar ? 'planes' : 'together'}, ${masked ? 'masked' : 'whole'}, ${name}, net of ${spacing}`,
          )
        }
  })
}

/** Positions that no source has, or only just. */
const extremeValues = [
  NaN,
  Infinity,
  -Infinity,
  1e300,
  -1e300,
  1e9,
  -1e9,
  524_288,
  524_287.9,
  -524_288,
  -1_572_864,
  2 ** 21,
  -1e-9,
]

test('wild positions are outside, and a node without position empties its cells', () => {
  for (const type of ['uint8', 'uint16', 'float32', 'float64'] as const)
    for (const resampling of resamplings)
      for (const spacing of [1, 4, 16]) {
        const source = sourceOf(type, 33, 4, false, true)
        const given = caseOf(source, straights['slightly shrunk and turned']!, resampling, spacing, [31, 29])
        const next = numbersFrom(spacing)
        const wild = (value: number): number => (next(8) === 0 ? extremeValues[next(extremeValues.length)]! : value)
        const net = { ...given.net, x: given.net.x.map(wild), y: given.net.y.map(wild) }
        const { mask } = compareKinds({ ...given, net }, `${type}, ${resampling}, net of ${spacing}`)
        assert.ok(mask.every((valid, at) => valid === 0 || !isEmptyCell(net, at % 31, Math.floor(at / 31), resampling)))
      }
})

/** True where the cell of a pixel has a node without position; with a net of 1 the pixel itself. */
function isEmptyCell({ spacing, across, x, y }: PositionGrid, column: number, row: number, kind: Resampling): boolean {
  const node = Math.floor(row / spacing) * across + Math.floor(column / spacing)
  const corners = [node, node + 1, node + across, node + across + 1]
  const cell = spacing > 1 ? corners : kind === 'average' ? [node, node + across + 1] : [node]
  return cell.some((at) => Number.isNaN(x[at]) || Number.isNaN(y[at]))
}

test('grids of any spacing put pixels at the same places where the mapping is straight', () => {
  for (const resampling of resamplings) {
    const source = sourceOf('int16', 33, 4, false, true)
    const straight: Straight = { from: [1.25, 2.5], step: [1.5, 1.25], turn: 0.125 }
    const warp = (spacing: number): WarpedImage =>
      warpOn(compiled, { ...caseOf(source, straight, resampling, spacing, [17, 17]), together: false })
    for (const spacing of [2, 4, 8, 16]) assert.deepEqual(warp(spacing), warp(1))
  }
})

/** One row of a source of bytes, resampled at some positions along it. */
function warpRow(
  samples: number[],
  positions: number[],
  given: Partial<WarpCase>,
  mask: number[] | null = null,
): WarpedImage {
  const more = given.resampling === 'average' ? 1 : 0
  const source: SourceCase = {
    type: 'uint8',
    width: samples.length,
    height: 1,
    bands: 1,
    planar: true,
    samples: Uint8Array.from(samples),
    mask: mask && Uint8Array.from(mask),
  }
  const x = Float64Array.from({ length: positions.length * (more + 1) }, (_, at) => positions[at % positions.length]!)
  const y = Float64Array.from(x, (_, at) => (more === 0 ? 0.5 : Math.floor(at / positions.length)))
  const net = { spacing: 1, across: positions.length, down: 1 + more, x, y }
  const whole: WarpCase = {
    source,
    bands: [0],
    width: positions.length - more,
    height: 1,
    resampling: 'bilinear',
    scale: [1, 1],
    net,
    ...given,
  }
  return compareKinds(whole, 'a row')
}

test('rules, by hand', () => {
  const row = [10, 20, 40, 80, 160]
  // The near edge is inside and the far one is not, as for gdalwarp.
  const nearest = warpRow(row, [0, 0.999, 1, 2 - 1e-11, 4.9, 5, 5.1, -0.1], { resampling: 'nearest' })
  assert.deepEqual([...nearest.samples], [10, 10, 20, 40, 160, 0, 0, 0])
  assert.deepEqual([...nearest.mask], [255, 255, 255, 255, 255, 0, 0, 0])
  // 12.5 is rounded up; over the edge the last pixel is all there is.
  assert.deepEqual([...warpRow(row, [0.75, 2, 0.2, 4.9], {}).samples], [13, 30, 10, 160])
  // A hole is left out of the sum, but its own pixel stays empty.
  const holed = warpRow(row, [1.9, 2.25, 2.75], {}, [255, 255, 0, 255, 255])
  assert.deepEqual([...holed.samples], [20, 0, 0])
  assert.deepEqual([...holed.mask], [255, 0, 0])
  // Half as many pixels: weights of a quarter, three quarters, three quarters and a quarter.
  assert.equal(warpRow(row, [2], { scale: [0.5, 1] }).samples[0], Math.round((10 + 3 * 20 + 3 * 40 + 80) / 8))
  // Keys' curve half way between is −1/16, 9/16, 9/16, −1/16; one line of pixels has too few neighbours for it, unless
  // the image shrinks. Its undershoot is clamped to the range of the type.
  assert.equal(warpRow(row, [2], { resampling: 'cubic' }).samples[0], 30)
  assert.equal(warpRow(row, [2], { resampling: 'cubic', scale: [1, 0.5] }).samples[0], 28)
  assert.equal(warpRow([200, 0, 0, 200, 0], [2], { resampling: 'cubic', scale: [1, 0.5] }).samples[0], 0)
  // One and a half pixels, of which the second is covered by half; a hole does not count.
  const average = { resampling: 'average' } as const
  assert.deepEqual([...warpRow(row, [0, 1.5, 3, 5], average).samples], [13, 33, 120])
  assert.deepEqual([...warpRow(row, [0, 1.5, 3, 5], average, [0, 255, 255, 0, 0]).mask], [255, 255, 0])
})

test('a source at the very end of what is reserved, whatever its strides', () => {
  for (const bands of [1, 4, 40]) {
    const source = sourceOf('uint8', 20, bands, false, false)
    const given = { ...caseOf(source, straights['shrunk twice']!, 'bilinear', 8, [12, 9]), bands: [bands - 1] }
    for (const scale of [1, 0.3] as const)
      compareKinds({ ...given, scale: [scale, scale] }, `${bands} bands at ${scale}`)
  }
})

test('what cannot be warped is refused, and the memory is given back', () => {
  const source = sourceOf('uint8', 20, 4, false, false)
  const given = caseOf(source, straights['same']!, 'bilinear', 4, [12, 9])
  for (const kernels of [compiled, reference]) {
    const mark = kernels.memory.mark()
    const refuses = (wrong: Partial<WarpCase>, how: RegExp): void => {
      assert.throws(() => warpOn(kernels, { ...given, ...wrong }), how)
      kernels.memory.release(mark)
    }
    refuses({ net: { ...given.net, spacing: 3 } }, /net/)
    refuses({ net: { ...given.net, down: 2 } }, /net/)
    refuses({ resampling: 'average', width: 13 }, /net/)
    refuses({ scale: [0, 1] }, /not a scale/)
    refuses({ scale: [1, NaN] }, /not a scale/)
    refuses({ source: { ...source, width: 0 } }, /without pixels/)
    const long: SourceCase = { ...source, width: 2 ** 20, height: 1, bands: 1, samples: new Uint8Array(2 ** 20) }
    assert.throws(
      () => warpOn(kernels, { ...given, source: long, bands: [0] }),
      (error) => error instanceof RasterFailure && error.kind === 'budget',
    )
    kernels.memory.release(mark)
    warpOn(kernels, given)
    assert.equal(kernels.memory.mark(), mark)
  }
})
