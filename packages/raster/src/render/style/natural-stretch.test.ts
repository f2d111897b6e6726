import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PixelBlock, SampleArray } from '../../types.ts'
import { applyStyle } from './apply-style.ts'
import { chooseNaturalStretch, type NaturalBand } from './natural-stretch.ts'
import { rescaleBlock } from './rescale.ts'
import type { RescaleRange } from './stretch.ts'

const undefinedColours = ['undefined', 'undefined', 'undefined']
const bandsOf = (
  percentiles: readonly RescaleRange[],
  { scale = 1, offset = 0, colours = undefinedColours }: { scale?: number; offset?: number; colours?: string[] } = {},
): NaturalBand[] => percentiles.map((range, at) => ({ colour: colours[at]!, scale, offset, percentiles: range }))

const rounded = (ranges: readonly RescaleRange[]): number[][] =>
  ranges.map((range) => range.map((end) => Number(end.toFixed(6))))

test('reflectances have the same range in every scene, in the samples of the file', () => {
  const exeter: RescaleRange[] = [
    [1224, 3111],
    [1447, 2836],
    [1241, 2597],
  ]
  const sentinel = chooseNaturalStretch(bandsOf(exeter, { scale: 0.0001, offset: -0.1 }), 'uint16')
  assert.deepEqual(rounded(sentinel.ranges), [
    [1000, 16_000],
    [1000, 16_000],
    [1000, 16_000],
  ])
  assert.equal(sentinel.curve, 'natural')
  const landsat = chooseNaturalStretch(
    bandsOf(
      [
        [7500, 9000],
        [8000, 9500],
        [7800, 9000],
      ],
      { scale: 0.0000275, offset: -0.2 },
    ),
    'uint16',
  )
  assert.deepEqual(rounded(landsat.ranges)[0], [7272.727273, 61_818.181818])
  const float = chooseNaturalStretch(
    bandsOf([
      [0.02, 0.3],
      [0.03, 0.25],
      [0.02, 0.2],
    ]),
    'float32',
  )
  assert.deepEqual(float, {
    ranges: [
      [0, 1.5],
      [0, 1.5],
      [0, 1.5],
    ],
    curve: 'natural',
  })
})

test('an image of bytes is shown as it is; raw counts in bytes are not', () => {
  const dark: RescaleRange[] = [
    [13, 31],
    [21, 33],
    [18, 30],
  ]
  const asStored = { ranges: [[0, 255]], curve: 'linear' }
  const tagged = bandsOf(dark, { colours: ['red', 'green', 'blue'] })
  assert.deepEqual(chooseNaturalStretch(tagged, 'uint8'), asStored, 'an image of the night stays dark')
  assert.deepEqual(
    chooseNaturalStretch(
      bandsOf([
        [39, 172],
        [56, 162],
        [63, 138],
      ]),
      'uint8',
    ),
    asStored,
  )
  assert.equal(chooseNaturalStretch(bandsOf(dark), 'uint8').curve, 'natural')
  assert.equal(chooseNaturalStretch(tagged, 'uint16').curve, 'natural')
})

test('samples of unknown meaning share one range that keeps the hue', () => {
  const { ranges, curve } = chooseNaturalStretch(
    bandsOf([
      [16, 537],
      [25, 455],
      [11, 388],
    ]),
    'float64',
  )
  assert.equal(curve, 'natural')
  // 11 is shown as a reflectance of 0.02 and 537 as 0.4: 1,384.2 for each 1, up to 1.5.
  const shared = [-16.684211, 2059.631579]
  assert.deepEqual(rounded(ranges), [shared, shared, shared])
})

test('where blue has the light of the air in it, each band begins at its own darkest pixels', () => {
  const { ranges } = chooseNaturalStretch(
    bandsOf([
      [6497, 10_601],
      [7597, 10_707],
      [8352, 11_057],
    ]),
    'uint16',
  )
  const [red, green, blue] = ranges
  assert.equal(green![0] - red![0], 7597 - 6497)
  assert.equal(blue![0] - red![0], 8352 - 6497)
  for (const [low, high] of ranges) assert.ok(Math.abs(high - low - (4104 / 0.38) * 1.5) < 1e-6)
})

test('values that cannot be reflectances are not taken for them', () => {
  const scaled = { scale: 0.01, offset: 0 }
  const { ranges } = chooseNaturalStretch(
    bandsOf(
      [
        [3000, 9000],
        [3100, 9500],
        [3000, 9000],
      ],
      scaled,
    ),
    'uint16',
  )
  assert.ok(ranges[0]![0] > 2000, 'radiances from 30 to 95')
  const constant = chooseNaturalStretch(
    bandsOf(
      Array.from({ length: 3 }, (): RescaleRange => [1, 2]),
      { scale: 0, offset: 0.5 },
    ),
    'float32',
  )
  assert.ok(constant.ranges.flat().every(Number.isFinite), 'samples without a scale')
  const kelvin = chooseNaturalStretch(
    bandsOf([
      [280, 300],
      [281, 301],
      [282, 302],
    ]),
    'float32',
  )
  assert.ok(kelvin.ranges[0]![0] > 200)
})

const block = (data: SampleArray): PixelBlock => {
  const mask = new Uint8Array(data.length).fill(255)
  return { width: data.length, height: 1, bands: 1, data, mask }
}

test('the natural curve lifts the shadows and rolls off the highlights, for every sample type alike', () => {
  // share * 1.1 / (share + 0.1), by hand: forest 0.03, field 0.11, roof 0.4, cloud 0.9 of 1.5.
  const reflectances = [0, 0.03, 0.11, 0.4, 0.9, 1.5, 3]
  const shades = [0, 46, 118, 203, 240, 255, 255]
  const floats = rescaleBlock(block(Float32Array.from(reflectances)), [[0, 1.5]], { curve: 'natural' })
  const counts = Uint16Array.from(reflectances, (value) => value * 10_000)
  const integers = rescaleBlock(block(counts), [[0, 15_000]], { curve: 'natural' })
  const many = rescaleBlock(block(Uint16Array.from({ length: 7000 }, (_, at) => counts[at % 7]!)), [[0, 15_000]], {
    curve: 'natural',
  })
  shades.forEach((shade, at) => {
    assert.ok(Math.abs(floats.data[at]! - shade) <= 1, `${reflectances[at]}: ${floats.data[at]}`)
    assert.ok(Math.abs(integers.data[at]! - shade) <= 1, `${reflectances[at]}: ${integers.data[at]}`)
    assert.equal(many.data[at + 70], integers.data[at], 'a table has the same')
  })
  const brighter = rescaleBlock(block(Float32Array.of(0.11, NaN)), [[0, 1.5]], { curve: 'natural', gamma: 2 })
  assert.deepEqual([...brighter.data], [Math.trunc(Math.sqrt(((0.11 / 1.5) * 1.1) / (0.11 / 1.5 + 0.1)) * 255), 0])
})

test('a style has the curve and the formula on every kind of image', () => {
  const rgb: PixelBlock = {
    ...block(Uint8Array.of(10, 200, 60, 120, 200, 30)),
    width: 2,
    bands: 3,
    mask: Uint8Array.of(255, 0),
  }
  const plain = applyStyle(rgb, { kind: 'bands' })
  const styled = applyStyle(rgb, { kind: 'bands', colourOperations: [{ name: 'saturation', proportion: 0 }] })
  assert.deepEqual([plain.kind, [...plain.data]], ['rgba', [10, 60, 200, 255, 0, 0, 0, 0]])
  const [red, green, blue, alpha] = styled.data
  assert.ok(red === green && Math.abs(green! - blue!) <= 1 && alpha === 255, String([...styled.data]))
  const gray = applyStyle(block(Uint8Array.of(64)), {
    kind: 'bands',
    colourOperations: [{ name: 'gamma', channels: [0], gamma: 2 }],
  })
  assert.deepEqual([...gray.data], [127])
})
