import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync, inflateSync } from 'node:zlib'
import { openFileSource } from '../../io/source/file.ts'
import { openRaster } from '../../formats/open-raster.ts'
import type { Raster, SampleType } from '../../types.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import { writeCog } from '../writer/cog.ts'
import { exportRaster } from './export-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'exports-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const [width, height] = [600, 520]
const valueOf = (band: number, x: number, y: number): number => (x < 40 ? 0 : 1 + ((x + 7 * y + 31 * band) % 250))

let files = 0
async function makeRaster(sampleType: SampleType, colours: readonly string[], nodata: number | null): Promise<Raster> {
  const { path } = await writeCog(
    {
      width,
      height,
      sampleType,
      bands: colours.map((colour, at) => ({ name: `B${at + 1}`, colour, scale: 1, offset: 0 })),
      nodata,
      masked: false,
      georeferencing: {
        affine: [600_000, 10, 0, 5_600_000, 0, -10],
        crs: { epsg: 32632, proj4: '+proj=utm +zone=32 +datum=WGS84 +units=m', name: 'UTM 32N', geographic: false },
        geoTags: null,
      },
      readRows: async (top, rows) => {
        const data = sampleTypeProperties[sampleType].allocate(width * rows * colours.length)
        for (let at = 0; at < data.length; at++) {
          const pixel = Math.floor(at / colours.length)
          data[at] = valueOf(at % colours.length, pixel % width, top + Math.floor(pixel / width))
        }
        return { width, rows, bands: colours.length, data, mask: null }
      },
    },
    join(folder, `${files++}.tif`),
  )
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

/** The unfiltered samples of a PNG whose rows have the filters Sub and Up. */
function readPng(path: string) {
  const bytes = readFileSync(path)
  const packed: Buffer[] = []
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  const [bits, colourType] = [bytes[24]!, bytes[25]!]
  const pixelBytes = ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType]! * bits) / 8
  const raw = inflateSync(Buffer.concat(packed))
  const rowBytes = width * pixelBytes
  const pixels = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++)
    for (let i = 0; i < rowBytes; i++) {
      const isUp = raw[y * (rowBytes + 1)] === 2
      const before = isUp
        ? pixels[(y - 1) * rowBytes + i]!
        : i < pixelBytes
          ? 0
          : pixels[y * rowBytes + i - pixelBytes]!
      pixels[y * rowBytes + i] = raw[y * (rowBytes + 1) + 1 + i]! + before
    }
  return { bits, colourType, pixels, pixelBytes }
}

test('three bands of 16 bits become colours of 16 bits, transparent where there is no value', async () => {
  const raster = await makeRaster('uint16', ['undefined', 'undefined', 'undefined', 'undefined'], 0)
  const path = join(folder, 'colours.png')
  const progress = new Int32Array(new SharedArrayBuffer(4))
  await exportRaster([raster], { path, process: { name: 'png', bands: [2, 1, 0], range: null }, progress })
  const { bits, colourType, pixels, pixelBytes } = readPng(path)
  assert.deepEqual([bits, colourType, Atomics.load(progress, 0)], [16, 6, 1000])
  for (const [x, y] of [
    [39, 3],
    [40, 3],
    [599, 519],
  ] as const) {
    const at = (y * width + x) * pixelBytes
    const found = [0, 2, 4, 6].map((step) => pixels.readUInt16BE(at + step))
    assert.deepEqual(found, [...[2, 1, 0].map((band) => valueOf(band, x, y)), x < 40 ? 0 : 65_535])
  }
})

test('a range maps fractions to bytes, and what is beyond to its ends', async () => {
  const raster = await makeRaster('float32', ['gray'], null)
  const path = join(folder, 'range.png')
  await exportRaster([raster], { path, process: { name: 'png', bands: [0], range: [50, 150] } })
  const { bits, colourType, pixels } = readPng(path)
  assert.deepEqual([bits, colourType], [8, 4])
  for (let x = 0; x < width; x++) {
    const expected = Math.round(255 * Math.min(1, Math.max(0, (valueOf(0, x, 9) - 50) / 100)))
    assert.deepEqual([...pixels.subarray((9 * width + x) * 2, (9 * width + x) * 2 + 2)], [expected, 255])
  }
})

test('bytes without nodata are gray without transparency, and fractions need a range', async () => {
  const bytes = await makeRaster('uint8', ['gray'], null)
  const path = join(folder, 'gray.png')
  await exportRaster([bytes], { path, process: { name: 'png', bands: [0], range: null } })
  const { colourType, pixels } = readPng(path)
  assert.deepEqual([colourType, pixels[5 * width + 77]], [0, valueOf(0, 77, 5)])
  const fractions = await makeRaster('float32', ['gray'], null)
  for (const process of [
    { name: 'png', bands: [0], range: null },
    { name: 'png', bands: [0, 1], range: [0, 1] },
    { name: 'png', bands: [4], range: [0, 1] },
    { name: 'png', bands: [0], range: [1, 1] },
  ] as const)
    await assert.rejects(exportRaster([fractions], { path, process }), { kind: 'request' })
})

test('a Zarr store has chunks of one band, its nodata, and the centres of its pixels', async () => {
  const raster = await makeRaster('uint16', ['undefined', 'undefined'], 0)
  const path = join(folder, 'scene.zarr')
  await exportRaster([raster], { path, process: { name: 'zarr' } })
  const read = (key: string): Buffer => readFileSync(join(path, key))
  const { shape, fill_value, dimension_names } = JSON.parse(read('data/zarr.json').toString()) as Record<
    string,
    unknown
  >
  assert.deepEqual([shape, fill_value, dimension_names], [[2, height, width], 0, ['band', 'y', 'x']])
  const chunk = gunzipSync(read('data/c/1/1/1'))
  assert.equal(chunk.length, 512 * 512 * 2)
  assert.equal(chunk.readUInt16LE((5 * 512 + 20) * 2), valueOf(1, 532, 517))
  // Below the last row.
  assert.equal(chunk.readUInt16LE((8 * 512 + 20) * 2), 0)
  assert.equal(read('x/c/0').readDoubleLE(8), 600_015)
  assert.equal(read('y/c/0').readDoubleLE(8), 5_599_985)
  assert.ok(!existsSync(join(path, 'mask')))
})

test('an image of more samples than allowed is refused before it is read', async () => {
  const raster = await makeRaster('uint8', ['gray'], null)
  const request = { path: join(folder, 'none'), process: { name: 'zarr' } as const, max_samples: 10 }
  await assert.rejects(exportRaster([raster], request), { kind: 'budget' })
  assert.ok(!existsSync(request.path))
})
