import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { SampleArray, SampleType } from '../../types.ts'
import { decodeTerrainHeight, encodeHeights } from './terrain.ts'
import type { TerrainRgbOptions, TerrainEncoding } from './terrain.ts'

const halfStep: Readonly<Record<TerrainEncoding, number>> = { mapbox: 0.05, terrarium: 1 / 512 }

function heightsOf(samples: SampleArray, terrain: TerrainRgbOptions, stride: 3 | 4 = 3): number[] {
  const out = new Uint8Array(samples.length * stride)
  encodeHeights(out, stride, samples, terrain)
  return Array.from({ length: samples.length }, (_, i) => {
    const [red, green, blue] = out.subarray(i * stride)
    return decodeTerrainHeight(terrain.encoding, red!, green!, blue!)
  })
}

test('the colours are those that the two encodings are described by', () => {
  const colours = (encoding: TerrainEncoding, height: number): number[] => {
    const out = new Uint8Array(3)
    encodeHeights(out, 3, Float64Array.of(height), { encoding })
    return [...out]
  }
  assert.deepEqual(colours('mapbox', 0), [1, 134, 160])
  assert.deepEqual(colours('mapbox', -10_000), [0, 0, 0])
  assert.deepEqual(colours('mapbox', 8848.8), [2, 224, 72])
  assert.deepEqual(colours('terrarium', 0), [128, 0, 0])
  assert.deepEqual(colours('terrarium', -32_768), [0, 0, 0])
  assert.deepEqual(colours('terrarium', 1000.5), [131, 232, 128])
})

test('heights of every sample type come back within half a step', () => {
  const values = [-433.7, -10.04, -1, 0, 0.05, 0.3, 1, 7.25, 42.42, 100, 127, 2512.349, 8848.86]
  for (const type of Object.keys(sampleTypeProperties) as SampleType[]) {
    const samples = sampleTypeProperties[type].allocate(values.length)
    samples.set(
      values.map((value) =>
        Math.min(Math.max(value, sampleTypeProperties[type].lowest), sampleTypeProperties[type].highest),
      ),
    )
    for (const encoding of ['mapbox', 'terrarium'] as const)
      for (const stride of [3, 4] as const)
        for (const [i, height] of heightsOf(samples, { encoding }, stride).entries()) {
          const wanted = Math.max(samples[i]!, encoding === 'mapbox' ? -10_000 : -32_768)
          assert.ok(Math.abs(height - wanted) <= halfStep[encoding] + 1e-9, `${type} ${encoding} ${height} ${wanted}`)
        }
  }
})

test('a fine ramp of heights comes back within half a step', () => {
  const samples = Float64Array.from({ length: 20_000 }, (_, i) => -500 + i * 0.4703)
  for (const encoding of ['mapbox', 'terrarium'] as const)
    for (const [i, height] of heightsOf(samples, { encoding }).entries())
      assert.ok(Math.abs(height - samples[i]!) <= halfStep[encoding] + 1e-9)
})

test('scale, offset and z factor are applied, and inverting negates', () => {
  const samples = Int16Array.of(100, -20)
  const terrain: TerrainRgbOptions = { encoding: 'mapbox', scale: 0.5, offset: 10, z_factor: 2 }
  assert.deepEqual(
    heightsOf(samples, terrain).map((height) => Math.round(height * 10) / 10),
    [120, 0],
  )
  assert.deepEqual(
    heightsOf(samples, { ...terrain, invert: true }).map((height) => Math.round(height * 10) / 10),
    [-120, 0],
  )
})

test('what the encoding cannot hold becomes its end', () => {
  const heights = heightsOf(Float64Array.of(-1e9, 1e9, -Infinity, Infinity, NaN), { encoding: 'mapbox' })
  const top = -10_000 + (2 ** 24 - 1) * 0.1
  assert.deepEqual(
    heights.map((height) => Math.round(height * 10)),
    [-100_000, Math.round(top * 10), -100_000, Math.round(top * 10), -100_000],
  )
  assert.throws(() => encodeHeights(new Uint8Array(3), 3, Uint8Array.of(1), { encoding: 'mapbox', scale: NaN }), {
    kind: 'request',
  })
})
