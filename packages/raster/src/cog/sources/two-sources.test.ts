import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Affine } from '@swath/geo/affine.ts'
import { readWindow } from '../../compute/window/read-window.ts'
import { computeNodataRange, isNodataSample } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import { openRasterFolder } from '../../../test/make-raster.ts'
import type { BandInfo, Raster, SampleType } from '../../types.ts'
import { createProcessInput, runProcessToCog, type RasterProcess } from '../process.ts'
import type { CogInput } from '../writer/cog-types.ts'
import type { MosaicPixelSelection } from './mosaic.ts'

const files = openRasterFolder()
after(() => files.close())

const [columns, rows] = [12, 6]
/** Each file has eight of the twelve columns; four are in both. */
const [file_columns, second_left] = [8, 4]

interface Side {
  readonly type: SampleType
  readonly nodata: number | null
  readonly scale: number
  readonly offset: number
  readonly bands: readonly (Partial<BandInfo> & { readonly name: string | null })[]
}

const plain: Side = {
  type: 'uint16',
  nodata: 0,
  scale: 1e-4,
  offset: 0,
  bands: [{ name: 'red' }, { name: 'nir' }],
}

/** The sample of a file at a column of the result; the same for all files of a side. */
const rawSample = (side: 0 | 1, x: number, y: number, band: number): number =>
  1 + (((side === 0 ? 7 * x + 13 * y : 150 + 5 * x + 11 * y) + 60 * band) % 120)

/** Pixels without a value. */
const isEmpty = (side: 0 | 1, x: number, y: number): boolean => (side === 0 ? x === 5 && y === 1 : x === 6 && y === 2)

/** The band of the result that a band of the second file is, by its name. */
function resultBand(first: Side, other: Side, band: number): number {
  const at = first.bands.findIndex(({ name }) => name !== null && name === other.bands[band]!.name)
  return at < 0 ? band : at
}

function makeSide(side: 0 | 1, description: Side, first: Side, affine?: Affine): Promise<Raster> {
  const left = side === 0 ? 0 : second_left
  const { type, nodata, scale, offset, bands } = description
  return files.make({
    width: file_columns,
    height: rows,
    type,
    nodata,
    bands: bands.map((band) => ({ scale, offset, ...band })),
    affine: affine ?? [500_000 + left * 10, 10, 0, 6_000_000, 0, -10],
    value: (x, y, band) =>
      nodata !== null && isEmpty(side, x + left, y)
        ? nodata
        : rawSample(side, x + left, y, resultBand(first, description, band)),
  })
}

const selections: readonly MosaicPixelSelection[] = ['first', 'last', 'lowest', 'highest', 'mean', 'median']

function combine(selection: MosaicPixelSelection, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  if (selection === 'first') return values[0]!
  if (selection === 'last') return values.at(-1)!
  if (selection === 'lowest') return sorted[0]!
  if (selection === 'highest') return sorted.at(-1)!
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function expectedValue(sides: readonly [Side, Side], selection: MosaicPixelSelection, [x, y, band]: readonly number[]) {
  const values = sides.flatMap((description, index) => {
    const side = index as 0 | 1
    const covered = side === 0 ? x! < file_columns : x! >= second_left
    if (!covered || (description.nodata !== null && isEmpty(side, x!, y!))) return []
    return rawSample(side, x!, y!, band!) * description.scale + description.offset
  })
  return values.length === 0 ? null : combine(selection, values)
}

async function compute(rasters: readonly Raster[], process: RasterProcess): Promise<Raster> {
  const path = files.nextPath()
  await runProcessToCog(rasters, { path, process, block: 128 })
  return files.open(path)
}

/** The values that the samples stand for, null where there is none. */
async function readValues(raster: Raster): Promise<(number | null)[]> {
  const { width, height } = raster
  const { data, mask } = await readWindow(raster, { window: [0, 0, width, height] })
  const range = findNodataRange(raster)
  return Array.from(data, (sample, at) => {
    const { scale, offset } = raster.bands[Math.floor(at / (width * height))]!
    if (mask[at % (width * height)] === 0 || isNodataSample(sample, range) || Number.isNaN(sample)) return null
    return sample * scale + offset
  })
}

/** The same of an image that is not written: pixel by pixel, with the bands of each together. */
async function readInputValues(input: CogInput): Promise<(number | null)[]> {
  const { width, height, bands, nodata, sampleType } = input
  const { data, mask } = await input.readRows(0, height)
  const range = computeNodataRange(nodata, sampleType)
  const size = width * height
  return Array.from({ length: size * bands.length }, (_, at) => {
    const [band, pixel] = [Math.floor(at / size), at % size]
    const sample = data[pixel * bands.length + band]!
    const { scale, offset } = bands[band]!
    const isMissing = (input.masked && mask?.[pixel] === 0) || isNodataSample(sample, range) || Number.isNaN(sample)
    return isMissing ? null : sample * scale + offset
  })
}

async function assertJoined(label: string, sides: readonly [Side, Side], type: SampleType): Promise<void> {
  const rasters = [await makeSide(0, sides[0], sides[0]), await makeSide(1, sides[1], sides[0])]
  for (const pixelSelection of selections) {
    const name = `${label}, ${pixelSelection}`
    const process = { name: 'mosaic', pixelSelection } as const
    const written = pixelSelection === 'first' ? await compute(rasters, process) : null
    const result = written ?? (await createProcessInput(rasters, process))
    assert.equal(result.sampleType, type, name)
    assert.deepEqual([result.width, result.height, result.bands.length], [columns, rows, sides[0].bands.length], name)
    const values = written ? await readValues(written) : await readInputValues(result as CogInput)
    const isExact = type.startsWith('float') || !['mean', 'median'].includes(pixelSelection)
    for (const [at, found] of values.entries()) {
      const place = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / columns / rows)]
      const wanted = expectedValue(sides, pixelSelection, place)
      const step = isExact ? 0 : result.bands[0]!.scale / 2
      const tolerance = step + (type === 'float32' ? 1e-6 : 1e-9) * Math.max(1e-3, Math.abs(wanted ?? 0))
      const isEqual = wanted === null || found === null ? wanted === found : Math.abs(found - wanted) <= tolerance
      assert.ok(isEqual, `${name} at ${place.join()}: ${found}, not ${wanted}`)
    }
  }
}

const scales: readonly (readonly [string, Partial<Side>, Partial<Side>, SampleType])[] = [
  ['equal', {}, {}, 'uint16'],
  ['Sentinel-2 before and after baseline 04.00', {}, { offset: -0.1 }, 'uint32'],
  ['the same the other way round', { offset: -0.1 }, {}, 'uint32'],
  ['twice the scale', {}, { scale: 2e-4 }, 'uint32'],
  ['scale and offset in whole steps', {}, { scale: 3e-4, offset: 0.05 }, 'uint32'],
  ['scales without a common step', {}, { scale: 1.7e-4, offset: 0.0131 }, 'float32'],
  ['an offset between steps', {}, { offset: 0.00005 }, 'float32'],
  ['a negative scale', {}, { scale: -1e-4, offset: 1 }, 'float32'],
  ['an offset that float32 does not hold', {}, { scale: 1e-4, offset: 1.7e5 + 0.00005 }, 'float64'],
  ['small samples', { type: 'uint8' }, { type: 'uint8', offset: -0.01 }, 'uint16'],
  ['signed samples', { type: 'int16', nodata: -32_768 }, { type: 'int16', nodata: -32_768, offset: -0.1 }, 'int32'],
  ['fractions', { type: 'float32', nodata: NaN }, { type: 'float32', nodata: NaN, offset: -0.1 }, 'float32'],
  ['fractions and whole numbers', { type: 'float32', nodata: -9999, scale: 1 }, { offset: -0.1 }, 'float32'],
  ['doubles', { type: 'float64', nodata: -1, scale: 1 }, { offset: -0.1 }, 'float64'],
  ['32-bit samples', { type: 'int32', nodata: -1 }, { offset: -0.1 }, 'float64'],
]

test('files of different scales and offsets are joined by the values that their samples stand for', async () => {
  for (const [label, first, second, type] of scales)
    await assertJoined(
      label,
      [
        { ...plain, ...first },
        { ...plain, ...second },
      ],
      type,
    )
})

const others: readonly (readonly [string, Partial<Side>, Partial<Side>, SampleType])[] = [
  ['8 and 16 bits', { type: 'uint8' }, {}, 'uint16'],
  ['signed and unsigned', { type: 'int16' }, {}, 'int32'],
  ['whole numbers and fractions', {}, { type: 'float32' }, 'float32'],
  ['32 bits and fractions', { type: 'uint32' }, { type: 'float32' }, 'float64'],
  ['other nodata', {}, { nodata: 65_535 }, 'uint16'],
  ['no nodata in the first', { nodata: null }, {}, 'uint16'],
  ['no nodata in the second', {}, { nodata: null }, 'uint16'],
  ['other nodata and another offset', {}, { nodata: 65_535, offset: -0.1 }, 'uint32'],
  ['no nodata and another offset', { nodata: null }, { nodata: null, offset: -0.1 }, 'uint32'],
  ['bands in another order', {}, { bands: [{ name: 'nir' }, { name: 'red' }] }, 'uint16'],
  [
    'bands in another order with another offset',
    {},
    { bands: [{ name: 'nir' }, { name: 'red' }], offset: -0.1 },
    'uint32',
  ],
  ['bands of other names', {}, { bands: [{ name: 'B04' }, { name: 'B08' }] }, 'uint16'],
  ['bands without names', {}, { bands: [{ name: null }, { name: null }] }, 'uint16'],
  [
    'one unit in two spellings',
    { bands: [{ name: 'h', unit: 'm' }] },
    { bands: [{ name: 'h', unit: 'metre' }] },
    'uint16',
  ],
  ['a unit of one file', { bands: [{ name: 'h' }] }, { bands: [{ name: 'h', unit: 'K' }] }, 'uint16'],
]

test('files of different types, nodata, band orders and spellings are joined', async () => {
  for (const [label, first, second, type] of others)
    await assertJoined(
      label,
      [
        { ...plain, ...first },
        { ...plain, ...second },
      ],
      type,
    )
})

test('files that cannot be joined are refused with the difference', async () => {
  const cases: readonly (readonly [Partial<Side>, Partial<Side>, RegExp])[] = [
    [{}, { bands: [{ name: 'red' }] }, /file 2 has 1 bands, not 2/],
    [{}, { bands: [{ name: 'red' }, { name: 'swir' }] }, /file 2 has the bands red, swir and file 1 has red, nir/],
    [
      { bands: [{ name: 't', unit: 'K' }] },
      { bands: [{ name: 't', unit: '°C' }] },
      /band 1 of file 2 is in °C and that of file 1 in K: values of different units/,
    ],
  ]
  for (const [first, second, message] of cases) {
    const sides = [
      { ...plain, ...first },
      { ...plain, ...second },
    ] as const
    const rasters = [await makeSide(0, sides[0], sides[0]), await makeSide(1, sides[1], sides[0])]
    await assert.rejects(compute(rasters, { name: 'mosaic', pixelSelection: 'mean' }), { kind: 'request', message })
  }
})

test('a band that has no value beside one that has stays empty, with one nodata or with several', async () => {
  const make = (left: number, nodata: number, offset: number) =>
    files.make({
      width: 4,
      height: 2,
      nodata,
      bands: [
        { name: 'a', scale: 1e-4, offset },
        { name: 'b', scale: 1e-4, offset },
      ],
      affine: [500_000 + left * 10, 10, 0, 6_000_000, 0, -10],
      value: (x, _, band) => (x === 1 && band === 1 ? nodata : 2000),
    })
  const joined = [await make(0, 0, 0), await make(4, 7, -0.1)]
  const values = await readValues(await compute(joined, { name: 'mosaic', pixelSelection: 'first' }))
  assert.deepEqual(
    values.slice(0, 8).map((value) => value !== null),
    Array.from({ length: 8 }, () => true),
  )
  assert.deepEqual(
    values.slice(16, 24).map((value) => (value === null ? null : Math.round(value * 1e4))),
    [2000, null, 2000, 2000, 1000, null, 1000, 1000],
  )
  const alike = [await make(0, 0, 0), await make(4, 7, 0)]
  const masked = await readValues(await compute(alike, { name: 'mosaic', pixelSelection: 'first' }))
  assert.deepEqual([masked[17], masked[21], masked[1], masked[5]], [null, null, null, null])
})

test('an alpha equal to the nodata of its file is opacity, with one nodata or with several', async () => {
  const make = (left: number, nodata: number, offset: number) =>
    files.make({
      width: 4,
      height: 2,
      type: 'uint8',
      nodata,
      bands: [
        { name: 'a', scale: 1, offset },
        { name: 'alpha', colour: 'alpha' },
      ],
      affine: [500_000 + left * 10, 10, 0, 6_000_000, 0, -10],
      value: (x, _, band) => (band === 1 ? 255 : x === 1 ? nodata : 20),
    })
  for (const offset of [0, 5]) {
    const joined = [await make(0, 255, 0), await make(4, 0, offset)]
    const values = await readValues(await compute(joined, { name: 'mosaic', pixelSelection: 'first' }))
    assert.deepEqual(values.slice(0, 8), [20, null, 20, 20, 20 + offset, null, 20 + offset, 20 + offset])
  }
})

test('pixels of another size and place are resampled to those of the first file, as values', async () => {
  for (const [step, shift] of [
    [20, 0],
    [5, 0],
    [10, 3],
  ] as const) {
    const first = await makeSide(0, plain, plain)
    const other = await files.make({
      width: 16,
      height: 16,
      nodata: 0,
      bands: plain.bands.map((band) => ({ ...band, scale: 1e-4, offset: -0.1 })),
      affine: [500_080 + shift, step, 0, 6_000_000, 0, -step],
      value: () => 3000,
    })
    for (const resampling of ['nearest', 'bilinear', 'average'] as const) {
      const result = await compute([first, other], { name: 'mosaic', pixelSelection: 'first', resampling })
      const values = await readValues(result)
      const found = values.filter((_, at) => at % result.width > file_columns && at < 6 * result.width)
      const known = found.filter((value) => value !== null)
      assert.ok(known.length > 0)
      for (const value of known) assert.ok(Math.abs(value - 0.2) < 1e-9, `${step} ${shift} ${resampling}: ${value}`)
    }
  }
})

test('images that lie far apart are refused with the sizes, unless gaps are allowed', async () => {
  const make = (left: number, top: number) =>
    files.make({ width: 32, height: 32, affine: [left, 10, 0, top, 0, -10], value: () => 1 })
  const apart = [await make(500_000, 6_000_000), await make(6_500_000, 6_000_000)]
  await assert.rejects(compute(apart, { name: 'mosaic', pixelSelection: 'first' }), {
    kind: 'request',
    message: /600,032 × 32 pixels around them would be empty but for 2,048 of 19,201,024 pixels.*allow gaps/,
  })
  const allowed = await createProcessInput(apart, { name: 'mosaic', pixelSelection: 'first', allowGaps: true })
  assert.deepEqual([allowed.width, allowed.height], [600_032, 32])
  const near = [await make(500_000, 6_000_000), await make(520_000, 6_000_000)]
  assert.equal((await createProcessInput(near, { name: 'mosaic', pixelSelection: 'first' })).width, 2032)
})

test('band math over two files takes the scale, offset and nodata of each', async () => {
  const sides = [plain, { ...plain, type: 'int16', nodata: -1, offset: -0.1 }] as const
  const place: Affine = [500_000, 10, 0, 6_000_000, 0, -10]
  const rasters = [await makeSide(0, sides[0], plain, place), await makeSide(1, sides[1], plain, place)]
  const bands = { a: { raster: 0, band: 0 }, b: { raster: 1, band: 1 } }
  const process = { name: 'expression', expression: 'a + 2 * b', bands, label: 'sum', scaled: true } as const
  const values = await readValues(await compute(rasters, process))
  for (const [at, found] of values.entries()) {
    const [x, y] = [at % file_columns, Math.floor(at / file_columns)]
    if (isEmpty(0, x, y) || isEmpty(1, x + second_left, y)) assert.equal(found, null)
    else {
      const wanted = rawSample(0, x, y, 0) * 1e-4 + 2 * (rawSample(1, x + second_left, y, 1) * 1e-4 - 0.1)
      assert.ok(Math.abs(found! - wanted) < 1e-7, `${x} ${y}: ${found}, not ${wanted}`)
    }
  }
})

/** Scale, offset and the first sample of a band. */
type Scaled = readonly [scale: number, offset: number, sample: number]

test('pan-sharpening takes the values of bands with different scales and offsets', async () => {
  const place: Affine = [500_000, 10, 0, 6_000_000, 0, -10]
  const make = (scale: number, offset: number, sample: number) =>
    files.make({ width: 6, height: 6, affine: place, bands: [{ scale, offset }], value: (x) => sample + 10 * x })
  const value = (scale: number, offset: number, sample: number, x: number): number => (sample + 10 * x) * scale + offset
  const cases: readonly (readonly Scaled[])[] = [
    [
      [1e-4, 0, 3000],
      [1e-4, 0, 2000],
      [1e-4, 0, 4000],
    ],
    [
      [1e-4, -0.1, 4000],
      [1e-4, 0, 2000],
      [1e-4, -0.1, 5000],
    ],
    [
      [2e-4, 0, 1500],
      [1e-4, 0, 2000],
      [1e-4, -0.1, 5000],
    ],
    [
      [1e-4, -0.1, 4000],
      [1e-4, -0.1, 3000],
      [1e-4, -0.1, 5000],
    ],
  ]
  for (const [pan, red, nir] of cases as readonly (readonly [Scaled, Scaled, Scaled])[]) {
    const rasters = await Promise.all([pan, red, nir].map(([scale, offset, sample]) => make(scale, offset, sample)))
    const spectral = [1, 2].map((raster) => ({ raster, band: 0 }))
    const values = await readValues(
      await compute(rasters, { name: 'pansharpen', pan: { raster: 0, band: 0 }, spectral, resampling: 'nearest' }),
    )
    for (let x = 0; x < 6; x++)
      for (const [band, source] of [red, nir].entries()) {
        const factor = value(...pan, x) / ((value(...red, x) + value(...nir, x)) / 2)
        const wanted = value(...source, x) * factor
        assert.ok(Math.abs(values[band * 36 + x]! - wanted) <= 0.50001e-4, `${values[band * 36 + x]} ${wanted}`)
      }
  }
})
