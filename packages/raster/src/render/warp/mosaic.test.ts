import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'
import { addToMosaic, toMosaicBlock, isMosaicComplete, createMosaicAccumulator } from './mosaic.ts'
import type { PixelSelection } from './mosaic.ts'

const typeNames = Object.keys(sampleTypeProperties) as SampleType[]
const pixelSelections: PixelSelection[] = ['first', 'last', 'highest', 'lowest', 'mean']

function makeBlock(type: SampleType, seed: number): PixelBlock {
  const [width, height, bands] = [13, 7, 2]
  const data = sampleTypeProperties[type].allocate(width * height * bands)
  for (let i = 0; i < data.length; i++)
    data[i] = ((i * (seed * 2 + 17)) % 120) - (sampleTypeProperties[type].lowest < 0 ? 60 : 0)
  if (type.startsWith('float')) for (let i = 0; i < data.length; i += 9) data[i] = NaN
  const mask = Uint8Array.from({ length: width * height }, (_, i) => ((i * 7 + seed * 3) % 5 < 2 ? 255 : 0))
  return { width, height, bands, data, mask }
}

/** The rules in the plainest words, for one sample. */
function pick(rule: PixelSelection, values: readonly number[], isWhole: boolean): number {
  const numbers = values.filter((value) => !Number.isNaN(value))
  if (rule === 'first') return values[0]!
  if (rule === 'last') return values.at(-1)!
  if (numbers.length === 0) return NaN
  if (rule === 'highest') return Math.max(...numbers)
  if (rule === 'lowest') return Math.min(...numbers)
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  return isWhole ? Math.floor(mean + 0.5) : mean
}

test('every rule, on every sample type and on mixed ones', () => {
  const mixes = [
    ...typeNames.map((type) => [type, type, type]),
    ['uint8', 'int16', 'uint8'],
    ['int16', 'uint16', 'float32'],
  ]
  for (const types of mixes as SampleType[][])
    for (const rule of pixelSelections) {
      const blocks = types.map((type, seed) => makeBlock(type, seed)) as [PixelBlock, ...PixelBlock[]]
      const before = structuredClone(blocks)
      const mosaic = mergeBlocks(blocks, rule)
      assert.deepEqual(blocks, before, 'blocks stay what they are')
      const isWhole = sampleTypeProperties[getSampleTypeOfArray(mosaic.data)].format !== 3
      const count = mosaic.width * mosaic.height
      for (let i = 0; i < mosaic.data.length; i++) {
        const valid = blocks.filter((block) => block.mask[i % count] !== 0)
        assert.equal(mosaic.mask[i % count], valid.length > 0 ? 255 : 0)
        if (valid.length === 0) continue
        const wanted = pick(
          rule,
          valid.map((block) => block.data[i]!),
          isWhole,
        )
        const stored = sampleTypeProperties[getSampleTypeOfArray(mosaic.data)].allocate(1)
        stored[0] = wanted
        assert.equal(mosaic.data[i], stored[0], `${types} ${rule} ${i}`)
      }
    }
})

test('the type of a mosaic is the smallest that holds all', () => {
  const typeOf = (...types: [SampleType, ...SampleType[]]): SampleType =>
    getSampleTypeOfArray(
      mergeBlocks(types.map((type) => makeBlock(type, 1)) as [PixelBlock, ...PixelBlock[]], 'last').data,
    )
  assert.equal(typeOf('uint8', 'uint8'), 'uint8')
  assert.equal(typeOf('uint8', 'int8'), 'int16')
  assert.equal(typeOf('uint16', 'int16', 'uint8'), 'int32')
  assert.equal(typeOf('uint16', 'float32'), 'float32')
  assert.equal(typeOf('uint32', 'float32'), 'float64')
})

test('a mosaic is full when the first rule has found every pixel, and then the rest is not looked at', () => {
  const [first, second] = [makeBlock('uint8', 0), makeBlock('uint8', 1)]
  const rest = { ...makeBlock('uint8', 2), mask: new Uint8Array(first.mask.length).fill(255) }
  const mosaic = createMosaicAccumulator(13, 7, 2)
  for (const block of [first, second]) {
    addToMosaic(mosaic, block)
    assert.equal(isMosaicComplete(mosaic), false)
  }
  assert.equal(mosaic.uncoveredPixels, first.mask.filter((value, i) => value === 0 && second.mask[i] === 0).length)
  addToMosaic(mosaic, rest)
  assert.equal(isMosaicComplete(mosaic), true)
  const trap = {
    ...rest,
    get data(): Uint8Array {
      throw new Error('was read')
    },
  }
  assert.deepEqual(mergeBlocks([first, second, rest, trap]), toMosaicBlock(mosaic))
  for (const rule of pixelSelections.slice(1)) {
    const other = createMosaicAccumulator(13, 7, 2, rule)
    addToMosaic(other, rest)
    assert.equal(isMosaicComplete(other), false, rule)
  }
})

test('an empty mosaic is empty, and blocks of another shape are refused', () => {
  for (const rule of pixelSelections) {
    const empty = toMosaicBlock(createMosaicAccumulator(4, 3, 2, rule))
    assert.deepEqual(
      [empty.data.length, getSampleTypeOfArray(empty.data), empty.mask.includes(255)],
      [24, 'uint8', false],
    )
  }
  const mosaic = createMosaicAccumulator(13, 7, 2)
  for (const change of [{ width: 12 }, { height: 8 }, { bands: 1 }])
    assert.throws(() => addToMosaic(mosaic, { ...makeBlock('uint8', 0), ...change }), { kind: 'request' })
})

/** Combines blocks in order, and stops when nothing can change any more. */
function mergeBlocks(
  blocks: readonly [PixelBlock, ...PixelBlock[]],
  pixelSelection: PixelSelection = 'first',
): PixelBlock {
  const { width, height, bands } = blocks[0]
  const mosaic = createMosaicAccumulator(width, height, bands, pixelSelection)
  for (const block of blocks) {
    if (isMosaicComplete(mosaic)) break
    addToMosaic(mosaic, block)
  }
  return toMosaicBlock(mosaic)
}
