import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { PixelBlock, SampleArray, SampleType } from '../../types.ts'
import { parseRescale, rescaleBlock } from './rescale.ts'
import { rescaleSamples } from './stretch.ts'

function block(data: SampleArray, bands = 1): PixelBlock {
  const width = data.length / bands
  return { width, height: 1, bands, data, mask: new Uint8Array(width).fill(255) }
}

interface OracleCase {
  readonly type: SampleType
  readonly range: [number, number]
  readonly samples: string
  readonly bytes: string
}

const oracle = JSON.parse(
  readFileSync(new URL('../../../../../fixtures/rescale/rio-tiler.json', import.meta.url), 'utf8'),
) as { cases: OracleCase[] }

function readSamples(type: SampleType, text: string): SampleArray {
  const bytes = Buffer.from(text, 'base64')
  const samples = sampleTypeProperties[type].allocate((bytes.length * 8) / sampleTypeProperties[type].bits)
  new Uint8Array(samples.buffer).set(bytes)
  return samples
}

function repeat(samples: SampleArray, times: number): SampleArray {
  const many = sampleTypeProperties[getSampleTypeOfArray(samples)].allocate(samples.length * times)
  for (let i = 0; i < times; i++) many.set(samples, i * samples.length)
  return many
}

test('every sample type is stretched as rio-tiler does, with a table and without, to the last bit', () => {
  assert.equal(oracle.cases.length, 56)
  for (const { type, range, samples, bytes } of oracle.cases) {
    const read = readSamples(type, samples)
    const expected = Buffer.from(bytes, 'base64')
    const [few, many] = [rescaleBlock(block(read), [range]).data, rescaleBlock(block(repeat(read, 80)), [range]).data]
    assert.deepEqual(Buffer.from(few.buffer), expected, `${type} ${range}`)
    assert.deepEqual(Buffer.from(many.buffer).subarray(-expected.length), expected, `${type} ${range} in a table`)
  }
})

test('samples go to every third place, and no others are touched', () => {
  const out = new Uint8Array(9).fill(7)
  rescaleSamples(out, 1, 3, Uint8Array.of(1, 2, 3), [0, 255], {})
  assert.deepEqual([...out], [7, 1, 7, 7, 2, 7, 7, 3, 7])
})

test('tables of many stretches push each other out without harm', () => {
  const samples = Int16Array.from({ length: 5000 }, (_, i) => i * 13 - 32_768)
  const ranges = Array.from({ length: 100 }, (_, i) => [-i * 100, 1 + i * 300] as const)
  const first = ranges.map((range) => rescaleBlock(block(samples), [range], { gamma: 1.5 }).data)
  assert.deepEqual(
    ranges.map((range) => rescaleBlock(block(samples), [range], { gamma: 1.5 }).data),
    first,
  )
  for (const [i, range] of ranges.entries())
    assert.deepEqual(
      rescaleBlock(block(samples.slice(2500, 2600)), [range], { gamma: 1.5 }).data,
      first[i]!.slice(2500, 2600),
    )
})

test('a stretch clamps and cuts fractions off', () => {
  const { data } = rescaleBlock(block(Int16Array.of(-5, 0, 1, 2, 3, 9)), [[0, 3]])
  assert.deepEqual([...data], [0, 0, 85, 170, 255, 255])
  assert.deepEqual([...rescaleBlock(block(Float32Array.of(0.999, NaN, Infinity)), [[0, 1]]).data], [254, 0, 255])
})

test('bytes from 0 to 255 stay what they are', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  assert.deepEqual(rescaleBlock(block(bytes), [[0, 255]]).data, bytes)
})

test('large integer blocks go through a table with the same result', () => {
  const samples = Uint16Array.from({ length: 65_536 }, (_, i) => i)
  const ranges = [[300, 12_000]] as const
  const whole = rescaleBlock(block(samples), ranges).data
  for (const at of [0, 299, 300, 301, 5000, 11_999, 12_000, 65_535])
    assert.equal(whole[at], rescaleBlock(block(samples.slice(at, at + 1)), ranges).data[0])
})

test('each band has its own stretch, which may run backwards', () => {
  const { data } = rescaleBlock(block(Uint8Array.of(10, 20, 10, 20), 2), [
    [10, 20],
    [20, 10],
  ])
  assert.deepEqual([...data], [0, 255, 255, 0])
})

test('gamma bends the stretch', () => {
  assert.equal(rescaleBlock(block(Uint8Array.of(64)), [[0, 256]], { gamma: 2 }).data[0], 127)
})

test('stretches are read from text', () => {
  assert.deepEqual(parseRescale('0,3000'), [[0, 3000]])
  assert.deepEqual(parseRescale('-1, 1;0,2.5e3'), [
    [-1, 1],
    [0, 2500],
  ])
  for (const text of ['', '1', '1,1', '0,x', '0,1,2', '0,1;', 'Infinity,0', '0,1;'.repeat(100)])
    assert.throws(() => parseRescale(text), { kind: 'request' }, text)
  assert.throws(() => rescaleBlock(block(Uint8Array.of(1, 2, 3), 3), parseRescale('0,1;0,1')), { kind: 'request' })
})
