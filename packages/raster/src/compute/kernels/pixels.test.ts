import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noise, numbersFrom, runBoth } from '../../../test/kernel-pair.ts'
import { computeNodataRange, sampleTypeProperties, viewSamples } from '../../sample-types.ts'
import type { SampleType, SampleArray } from '../../types.ts'
import type { KernelAddress, KernelPixels } from './types.ts'

const types = Object.keys(sampleTypeProperties) as SampleType[]

type Layout = 'interleaved' | 'planes' | 'spaced'
const layouts: readonly Layout[] = ['interleaved', 'planes', 'spaced']

interface Shape {
  readonly type: SampleType
  readonly layout: Layout
  readonly width: number
  readonly height: number
  readonly bands: number
}

/** Pixels of a shape at an address; `spaced` ones have a sample and a half row that belong to nobody. */
function pixelsAt(shape: Shape, at: KernelAddress, mask: KernelAddress): KernelPixels {
  const { type, layout, width, height, bands } = shape
  const pixelStride = layout === 'planes' ? 1 : layout === 'interleaved' ? bands : bands + 1
  const rowStride = width * pixelStride + (layout === 'spaced' ? 3 : 0)
  const between = layout === 'planes' ? rowStride * height : 1
  const bandOffsets = Array.from({ length: bands }, (_, band) => band * between)
  return { type, at, width, height, pixelStride, rowStride, bandOffsets, mask }
}

const sampleBytesOf = (type: SampleType): number => sampleTypeProperties[type].bits / 8

/** Bytes that pixels take, a multiple of 16, so that something else can follow. */
function sizeOf(shape: Shape): number {
  const { rowStride, bandOffsets } = pixelsAt(shape, 0, 0)
  const samples = rowStride * shape.height + Math.max(...bandOffsets)
  return Math.ceil((samples * sampleBytesOf(shape.type)) / 16) * 16
}

/** The values that are hard to get right, the edges of the type first. */
function edges(type: SampleType): number[] {
  const { format, lowest, highest } = sampleTypeProperties[type]
  const around = [lowest, lowest + 1, highest, highest - 1, 0, 1, 7]
  const floats = [Number.NaN, -0, Infinity, -Infinity, 1e-40, -9999, 0.5, 3.4e38, -3.4e38]
  return format === 3 ? [...floats, 0, 1, 7] : around
}

/** Samples that are mostly small numbers, sometimes nodata and sometimes an edge; whole stretches are nodata. */
function fill(bytes: Uint8Array, type: SampleType, nodata: number | null, seed: number): void {
  const samples: SampleArray = viewSamples(type, bytes.buffer, 0, Math.floor(bytes.length / sampleBytesOf(type)))
  const next = numbersFrom(seed)
  const hard = edges(type)
  for (let i = 0; i < samples.length; i++) {
    const kind = next(100)
    const empty = nodata !== null && (kind < 10 || (i >> 6) % 3 === 1)
    if (empty) samples[i] = nodata
    else
      samples[i] = kind < 25 ? hard[next(hard.length)]! : next(120) / (sampleTypeProperties[type].format === 3 ? 7 : 1)
  }
}

function shapesOf(sizes: readonly (readonly [width: number, height: number])[]): Shape[] {
  return types.flatMap((type) =>
    layouts.flatMap((layout) =>
      [1, 3, 4, 17].flatMap((bands) => sizes.map(([width, height]) => ({ type, layout, width, height, bands }))),
    ),
  )
}

const nodatas = (type: SampleType): (number | null)[] => [null, 7, edges(type)[2]!]

test('pixels are missing where all bands are', () => {
  for (const shape of shapesOf([
    [1, 1],
    [17, 2],
    [70, 3],
  ]))
    for (const nodata of nodatas(shape.type)) {
      const size = sizeOf(shape)
      const maskBytes = shape.width * shape.height
      const bytes = new Uint8Array(size + maskBytes)
      fill(bytes.subarray(0), shape.type, nodata, shape.width)
      bytes.set(
        noise(maskBytes, 5).map((byte) => (byte < 40 ? 0 : 255)),
        size,
      )
      const run = runBoth(
        bytes,
        (k, at) => k.markMissingPixels(at + size, pixelsAt(shape, at, 0), computeNodataRange(nodata, shape.type)),
        `${JSON.stringify(shape)} nodata ${nodata}`,
      )
      assert.equal(run.answer, run.bytes.subarray(size).filter((byte) => byte === 0).length)
    }
})

test('halving takes the mean of what is valid', () => {
  for (const shape of shapesOf([
    [1, 1],
    [35, 3],
    [66, 2],
  ]))
    for (const nodata of nodatas(shape.type)) for (const masked of [false, true]) checkHalving(shape, nodata, masked)
})

function checkHalving(shape: Shape, nodata: number | null, masked: boolean): void {
  const half = { ...shape, width: Math.ceil(shape.width / 2), height: Math.ceil(shape.height / 2) }
  const [sourceSize, targetSize] = [sizeOf(shape), sizeOf(half)]
  const bytes = new Uint8Array(sourceSize + targetSize + shape.width * shape.height)
  fill(bytes, shape.type, nodata, shape.width * 3 + shape.bands)
  const next = numbersFrom(shape.bands)
  for (let i = sourceSize + targetSize; i < bytes.length; i++) bytes[i] = (i >> 5) % 2 === 1 && next(10) < 7 ? 0 : 255
  const say = `${JSON.stringify(shape)} nodata ${nodata}${masked ? ', masked' : ''}`
  runBoth(
    bytes,
    (k, at) => {
      const source = pixelsAt(shape, at, masked ? at + sourceSize + targetSize : 0)
      k.halveMean(pixelsAt(half, at + sourceSize, 0), source, computeNodataRange(nodata, shape.type))
      plainNaN(viewSamples(shape.type, k.memory.buffer, at + sourceSize, targetSize / sampleBytesOf(shape.type)))
    },
    say,
  )
}

/** There are many NaNs, and which one a sum of infinities gives is up to the machine. */
function plainNaN(samples: SampleArray): void {
  for (let i = 0; i < samples.length; i++) if (Number.isNaN(samples[i])) samples[i] = Number.NaN
}

test('a mean rounds half up, and moves off nodata', () => {
  const halve = (type: SampleType, values: number[], nodata: number | null): number => {
    const shape: Shape = { type, layout: 'interleaved', width: 2, height: 2, bands: 1 }
    const bytes = new Uint8Array(128)
    viewSamples(type, bytes.buffer, 0, 4).set(values as never)
    const work = (k: Parameters<Parameters<typeof runBoth>[1]>[0], at: KernelAddress): number => {
      k.halveMean(
        pixelsAt({ ...shape, width: 1, height: 1 }, at + 64, 0),
        pixelsAt(shape, at, 0),
        computeNodataRange(nodata, type),
      )
      return viewSamples(type, k.memory.buffer, at + 64, 1)[0]!
    }
    return runBoth(bytes, work, type).answer as number
  }
  assert.equal(halve('uint8', [1, 2, 1, 2], null), 2)
  assert.equal(halve('int16', [-1, -2, -1, -2], null), -1)
  assert.equal(halve('uint16', [0, 0, 5, 0], 0), 5)
  assert.equal(halve('uint8', [6, 8, 6, 8], 7), 8)
  assert.equal(halve('uint8', [254, 255, 255, 254], 255), 254)
  assert.equal(halve('uint32', [4_294_967_295, 4_294_967_295, 4_294_967_294, 4_294_967_294], null), 4_294_967_295)
  assert.equal(halve('int32', [-2_147_483_648, -2_147_483_648, -2_147_483_648, -2_147_483_647], null), -2_147_483_648)
  assert.equal(halve('uint8', [0, 0, 0, 0], 0), 0)
  assert.equal(halve('float64', [-1, 1, -1, 1], 0), Number.MIN_VALUE)
  assert.equal(halve('float32', [-9998, -10_000, -9999, -9999.5], null), Math.fround(-9999.125))
  assert.equal(halve('float32', [-9998, -10_000, -9998, -10_000], -9999), Math.fround(-9998.9942))
  assert.equal(halve('float32', [Number.NaN, 3, Number.NaN, 4], null), 3.5)
})
