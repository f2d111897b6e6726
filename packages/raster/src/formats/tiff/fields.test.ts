import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRanges } from '../../io/source/coalesce.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { createRangedSource } from '../../io/source/ranged.ts'
import { RasterFailure } from '../../failures.ts'
import { chooseOverviewLevel } from '../../render/plan/overview.ts'
import { parseGeoKeyDirectory } from '../crs/parse-geo-keys.ts'
import type { Raster } from '../../types.ts'
import { parseGdalMetadata, readGdalBandStatistics } from './gdal-metadata.ts'
import { parseNodata } from './open-tiff.ts'

test('nodata is what the samples can hold', () => {
  assert.equal(parseNodata('0', 'uint8'), 0)
  assert.equal(parseNodata(' -9999.0 ', 'int16'), -9999)
  assert.equal(parseNodata('-9999', 'uint16'), null)
  assert.equal(parseNodata('0.5', 'uint8'), null)
  assert.equal(parseNodata('-3.4028234663852886e+38', 'float32'), Math.fround(-3.4028234663852886e38))
  assert.equal(parseNodata('0.1', 'float32'), Math.fround(0.1))
  assert.ok(Number.isNaN(parseNodata('nan', 'float32')))
  assert.equal(parseNodata('nan', 'int16'), null)
  assert.equal(parseNodata('-inf', 'float64'), Number.NEGATIVE_INFINITY)
  for (const text of [undefined, '', '  ', 'none', '1 2']) assert.equal(parseNodata(text, 'float64'), null)
})

test("GDAL's little XML is read for the file and for its bands, and anything else is passed over", () => {
  const metadata = parseGdalMetadata(
    `<GDALMetadata>
      <Item name="TIME">12:00 &lt;UTC&gt; &amp; later</Item>
      <Item name="DESCRIPTION" sample="1" role="description">near &quot;infrared&quot;</Item>
      <Item name="SCALE" sample="0" role="scale">0.0001</Item>
      <Item name="OFFSET" sample="0" role="offset">-0.1</Item>
      <Item name="COLORINTERP" sample="1" role="colorinterp">Alpha</Item>
      <Item name="STATISTICS_MINIMUM" sample="0">1</Item><Item name="STATISTICS_MAXIMUM" sample="0">9</Item>
      <Item name="STATISTICS_MEAN" sample="0">5</Item><Item name="STATISTICS_STDDEV" sample="0">2</Item>
      <Item name="LOST" sample="7">x</Item><Item broken`,
    2,
  )
  assert.deepEqual({ ...metadata.file }, { TIME: '12:00 <UTC> & later' })
  assert.deepEqual([metadata.bands[1]?.description, metadata.bands[1]?.colour], ['near "infrared"', 'alpha'])
  assert.deepEqual([metadata.bands[0]?.scale, metadata.bands[0]?.offset], [0.0001, -0.1])
  assert.deepEqual(readGdalBandStatistics(metadata.bands[0]!.items), {
    minimum: 1,
    maximum: 9,
    mean: 5,
    stddev: 2,
    valid_percent: 100,
    p2: null,
    p98: null,
  })
  assert.equal(readGdalBandStatistics(metadata.bands[1]!.items), null)
})

test('geo keys come from three places, and those that point nowhere are left out', () => {
  const keys = parseGeoKeyDirectory({
    keyDirectory: [
      1, 1, 0, 5, 1024, 0, 1, 1, 1026, 34737, 6, 0, 2057, 34736, 1, 0, 2062, 34736, 3, 1, 2059, 34736, 1, 9,
    ],
    doubles: [6_378_137, 1, 2, 3],
    ascii: 'World|',
  })
  assert.deepEqual(
    [...keys],
    [
      [1024, 1],
      [1026, 'World'],
      [2057, 6_378_137],
      [2062, [1, 2, 3]],
    ],
  )
  assert.equal(parseGeoKeyDirectory({ keyDirectory: [1, 1, 0, 900], doubles: null, ascii: null }).size, 0)
  assert.equal(parseGeoKeyDirectory({ keyDirectory: null, doubles: null, ascii: null }).size, 0)
})

test('ranges near each other are read at once, in any order, and returned in the requested order', async () => {
  const bytes = Uint8Array.from({ length: 400_000 }, (_, at) => at % 251)
  let reads = 0
  const inner = createMemorySource(bytes, 'bytes')
  const source = { ...inner, read: (offset: number, length: number) => (reads++, inner.read(offset, length)) }
  const ranges = [
    { offset: 1000, length: 10 },
    { offset: 0, length: 5 },
    { offset: 300_000, length: 7 },
    { offset: 1005, length: 3 },
    { offset: 399_999, length: 9 },
  ]
  const answers = await readRanges(source, ranges)
  assert.equal(reads, 3)
  for (const [at, { offset, length }] of ranges.entries()) {
    assert.deepEqual([...answers[at]!], [...bytes.subarray(offset, offset + length)])
  }
})

test('a source that fails, and a read that is cancelled, are reported', async () => {
  const broken = createRangedSource('broken', 100, () => Promise.reject(new Error('connection reset')))
  await assert.rejects(broken.read(0, 10), (error) => error instanceof RasterFailure && error.kind === 'source')
  const generous = createRangedSource('generous', 8, async () => new Uint8Array(20))
  assert.equal((await generous.read(4, 20)).byteLength, 4)
  await assert.rejects(
    generous.read(0, 4, AbortSignal.abort()),
    (error) => error instanceof RasterFailure && error.kind === 'cancelled',
  )
})

test('the level is chosen as gdalwarp chooses it', () => {
  const raster = {
    width: 10_980,
    levels: [10_980, 5490, 2745, 1372, 686].map((width) => ({ width })),
  } as unknown as Raster
  const choices = [
    [0.5, 0],
    [1, 0],
    [1.5, 0],
    [1.95, 0],
    [2, 1],
    [3.9, 1],
    [3.95, 1],
    [4.2, 2],
    [7.9, 2],
    [8.05, 3],
    [100, 4],
  ] as const
  for (const [ratio, level] of choices) assert.equal(chooseOverviewLevel(raster, ratio), level, `ratio ${ratio}`)
  assert.equal(chooseOverviewLevel(raster, Number.NaN), 0)
})
