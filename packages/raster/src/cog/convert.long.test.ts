import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleTypeProperties } from '../sample-types.ts'
import { crsToLonLat } from '../formats/crs/crs.ts'
import { openFileSource } from '../io/source/file.ts'
import { openRaster } from '../formats/open-raster.ts'
import { readWindow } from '../compute/window/read-window.ts'
import type { PixelBlock, PixelRows, Raster, SampleType } from '../types.ts'
import { checkCogLayout } from '../../test/check-cog-layout.ts'
import type { CogInput } from './writer/cog-types.ts'
import { writeCog } from './writer/cog.ts'
import { copyToCog } from './convert.ts'
import { blockToPixelRows } from '../../test/pixel-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'copy-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const utm33 = { epsg: 32_633, proj4: '+proj=utm +zone=33 +datum=WGS84', name: 'UTM 33N', geographic: false }
const [WIDTH, HEIGHT] = [300, 700]

interface Making extends Partial<CogInput> {
  readonly type?: SampleType
  readonly colours?: readonly string[]
  /** Added to every sample, so that files differ. */
  readonly base?: number
}

async function openCopy(path: string): Promise<Raster> {
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

async function makeFile(name: string, making: Making = {}): Promise<Raster> {
  const { type = 'uint8', colours = ['gray'], base = 0 } = making
  const width = making.width ?? WIDTH
  const makeRows = async (top: number, rows: number): Promise<PixelRows> => {
    const count = width * rows
    const data = sampleTypeProperties[type].allocate(count * colours.length)
    for (let i = 0; i < data.length; i++) data[i] = base + (((i % count) + top * width) % 97) + Math.floor(i / count)
    const mask = Uint8Array.from({ length: count }, (_, i) => ((i + top * width) % (base + 5) === 0 ? 0 : 255))
    return blockToPixelRows({ width, height: rows, bands: colours.length, data, mask })
  }
  const path = join(folder, `${name}.tif`)
  await writeCog(
    {
      width,
      height: HEIGHT,
      sampleType: type,
      bands: colours.map((colour, i) => ({ name: `${name} ${i + 1}`, colour, scale: 1, offset: 0 })),
      nodata: null,
      masked: false,
      georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs: utm33, geoTags: null },
      readRows: makeRows,
      ...making,
    },
    path,
    // Blocks higher than those of the copy make the reader keep rows.
    { block: 512 },
  )
  return openCopy(path)
}

async function readAll(raster: Raster, bands?: number[]): Promise<PixelBlock> {
  return readWindow(raster, { window: [0, 0, raster.width, raster.height], bands })
}

test('one file becomes one file with the same samples, facts and a good layout', async () => {
  const source = await makeFile('whole', {
    type: 'int16',
    colours: ['gray', 'undefined'],
    nodata: 3,
    metadata: { SENSOR: 'test', STATISTICS_MEAN: 'stale' },
  })
  const result = await copyToCog([source], null, join(folder, 'whole-copy.tif'), { block: 128, compression: 'zstd' })
  const copy = await openCopy(result.path)
  assert.deepEqual((await checkCogLayout(copy.source)).problems, [])
  assert.deepEqual((await readAll(copy)).data, (await readAll(source)).data)
  assert.deepEqual(
    [copy.sampleType, copy.nodata, copy.affine, copy.geoTags, copy.metadata],
    [source.sampleType, source.nodata, source.affine, source.geoTags, { SENSOR: 'test' }],
  )
  assert.deepEqual(
    copy.bands.map((band) => [band.name, band.colour]),
    [
      ['whole 1', 'gray'],
      ['whole 2', 'undefined'],
    ],
  )
})

/** A raster whose reads are counted in bytes, as those of a remote file. */
function countBytes({ source, ...raster }: Raster): { readonly raster: Raster; readonly bytes: () => number } {
  let bytes = 0
  const read: Raster['source']['read'] = (offset, length, signal) => {
    bytes += length
    return source.read(offset, length, signal)
  }
  const { id, size, close } = source
  return { raster: { ...raster, source: { id, size, read, close: () => close() } }, bytes: () => bytes }
}

test('of a file inside an area, only the blocks around the area are read, and its pixels are kept', async () => {
  const source = await makeFile('wide', { width: 4000, nodata: 200 })
  const { raster, bytes } = countBytes(source)
  const window = [2100, 530, 2300, 660] as const
  const [left, top, right, bottom] = window
  const corner = (x: number, y: number) => crsToLonLat(utm33, 500_000 + 10 * x, 5_000_000 - 10 * y)
  const ring = [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom), corner(left, top)]
  const area = { type: 'Polygon' as const, coordinates: [ring.map(([x, y]) => [x, y] as [number, number])] }
  const copy = await openCopy((await copyToCog([raster], null, join(folder, 'inside.tif'), { area })).path)
  assert.deepEqual([copy.width, copy.height], [right - left, bottom - top])
  assert.deepEqual(copy.affine, [500_000 + 10 * left, 10, 0, 5_000_000 - 10 * top, 0, -10])
  assert.deepEqual((await readAll(copy)).data, (await readWindow(source, { window })).data)
  assert.ok(bytes() > 0 && bytes() < 0.3 * source.source.size!, `${bytes()} of ${source.source.size}`)
})

test('a copy keeps the fields that describe its source', async () => {
  const described = {
    TIFFTAG_DATETIME: '2024:06:01 10:20:30',
    TIFFTAG_IMAGEDESCRIPTION: 'Ortho of the "north" field, Größe 5 < 6',
    TIFFTAG_ARTIST: 'A Surveyor',
    TIFFTAG_COPYRIGHT: 'CC-BY-4.0',
    TIFFTAG_XRESOLUTION: '300',
    TIFFTAG_YRESOLUTION: '118.11',
    TIFFTAG_RESOLUTIONUNIT: '3 (pixels/cm)',
  }
  const source = await makeFile('described', { metadata: described })
  const { path } = await copyToCog([source], null, join(folder, 'described-copy.tif'))
  const copy = await openCopy(path)
  assert.deepEqual({ ...copy.metadata }, described)
  assert.deepEqual((await checkCogLayout(copy.source)).problems, [])
  // Of several files that are joined, what all of them say.
  const other = await makeFile('other', { metadata: { ...described, TIFFTAG_ARTIST: 'Another' } })
  const plan = [0, 1].map((raster) => ({ raster, band: 0, name: `b${raster}`, colour: 'gray' }))
  const joined = await openCopy((await copyToCog([source, other], plan, join(folder, 'both.tif'))).path)
  const { TIFFTAG_ARTIST: _, ...common } = described
  assert.deepEqual({ ...joined.metadata }, common)
})

test('a description of any kind does no harm', async () => {
  const described = {
    TIFFTAG_XRESOLUTION: 'wide',
    TIFFTAG_YRESOLUTION: '-3',
    TIFFTAG_RESOLUTIONUNIT: '9 (parsecs)',
    TIFFTAG_ARTIST: '',
  }
  const source = await makeFile('odd', { metadata: described })
  assert.deepEqual({ ...source.metadata }, {})
})

test('chosen bands of several files become one file, named and coloured as requested', async () => {
  const first = await makeFile('first', { colours: ['gray', 'undefined'] })
  const second = await makeFile('second', { base: 20 })
  const plan = [
    { raster: 1, band: 0, name: 'B04', colour: 'red' },
    { raster: 0, band: 1, name: 'B03', colour: 'green' },
    { raster: 0, band: 0, name: 'B02', colour: 'blue' },
  ]
  const result = await copyToCog([first, second], plan, join(folder, 'joined.tif'))
  const copy = await openCopy(result.path)
  assert.deepEqual(
    copy.bands.map((band) => [band.name, band.colour]),
    [
      ['B04', 'red'],
      ['B03', 'green'],
      ['B02', 'blue'],
    ],
  )
  const found = await readAll(copy)
  const expected = [await readAll(second, [0]), await readAll(first, [1]), await readAll(first, [0])]
  const count = WIDTH * HEIGHT
  for (const [band, block] of expected.entries())
    assert.deepEqual(found.data.slice(band * count, (band + 1) * count), block.data)
})

test('files of different sample types meet in one that holds all values', async () => {
  const bytes = await makeFile('bytes')
  const words = await makeFile('words', { type: 'int16', base: -500 })
  const copy = await openCopy((await copyToCog([bytes, words], null, join(folder, 'widened.tif'))).path)
  assert.equal(copy.sampleType, 'int16')
  const count = WIDTH * HEIGHT
  const { data } = await readAll(copy)
  assert.deepEqual(data.slice(0, count), Int16Array.from((await readAll(bytes)).data))
  assert.deepEqual(data.slice(count), (await readAll(words)).data)
  const floats = await makeFile('floats', { type: 'float32' })
  const whole = await makeFile('whole-numbers', { type: 'uint32', base: 4e9 })
  const both = await openCopy((await copyToCog([floats, whole], null, join(folder, 'float64.tif'))).path)
  assert.equal(both.sampleType, 'float64')
})

test('masks are copied, those of several files united', async () => {
  const one = await makeFile('mask-one', { masked: true })
  const two = await makeFile('mask-two', { masked: true, base: 2 })
  const copy = await openCopy((await copyToCog([one], null, join(folder, 'masked.tif'))).path)
  assert.deepEqual((await readAll(copy)).mask, (await readAll(one)).mask)
  const joined = await openCopy((await copyToCog([one, two], null, join(folder, 'masks.tif'))).path)
  const [a, b] = [(await readAll(one)).mask, (await readAll(two)).mask]
  assert.deepEqual(
    (await readAll(joined)).mask,
    a.map((value, i) => value | b[i]!),
  )
})

test('an alpha band that is left out lives on as a mask', async () => {
  const source = await makeFile('alpha', { colours: ['gray', 'alpha'] })
  const copy = await openCopy((await copyToCog([source], [{ raster: 0, band: 0 }], join(folder, 'no-alpha.tif'))).path)
  assert.ok(copy.levels[0]!.mask !== null)
  assert.deepEqual((await readAll(copy)).mask, (await readAll(source)).mask)
})

test('averaging of classes can be turned off band by band', async () => {
  const source = await makeFile('classes', { colours: ['gray', 'undefined'] })
  const plan = [
    { raster: 0, band: 0 },
    { raster: 0, band: 1, overview: 'nearest' as const },
  ]
  const copy = await openCopy((await copyToCog([source], plan, join(folder, 'classes-copy.tif'), { block: 256 })).path)
  const half = await readWindow(copy, { level: 1, window: [0, 0, 150, 350], bands: [1] })
  const { data } = await readAll(source, [1])
  assert.equal(half.data[150 * 7 + 11], data[WIDTH * 14 + 22])
})

test('files on different grids, and impossible plans, are refused by name', async () => {
  const base = await makeFile('base')
  const out = join(folder, 'refused.tif')
  const placed = (affine: readonly [number, number, number, number, number, number], crs = utm33): Making => ({
    georeferencing: { affine, crs, geoTags: null },
  })
  const narrow = await makeFile('narrow', { width: 299 })
  const shifted = await makeFile('shifted', placed([500_005, 10, 0, 5_000_000, 0, -10]))
  const coarse = await makeFile('coarse', placed([500_000, 10.001, 0, 5_000_000, 0, -10]))
  const elsewhere = await makeFile('elsewhere', placed([500_000, 10, 0, 5_000_000, 0, -10], { ...utm33, epsg: 32_634 }))
  const nowhere = await makeFile('nowhere', { georeferencing: { affine: null, crs: null, geoTags: null } })
  for (const [other, message] of [
    [narrow, /file 2 .* 299×700 pixels, not 300×700/],
    [shifted, /0\.5 pixels away/],
    [coarse, /pixels away/],
    [elsewhere, /it is in /],
    [nowhere, /only one of them/],
  ] as const)
    await assert.rejects(copyToCog([base, other], null, out), { name: 'RasterFailure', kind: 'grids_differ', message })
  const close = await makeFile('close', placed([500_000.000_001, 10, 0, 5_000_000, 0, -10]))
  assert.equal((await copyToCog([base, close], null, out)).statistics.length, 2)

  const [five, six] = [await makeFile('five', { nodata: 5 }), await makeFile('six', { nodata: 6 })]
  await assert.rejects(copyToCog([five, six], null, out), { kind: 'request', message: /nodata values: 5, 6/ })
  await assert.rejects(copyToCog([], null, out), { kind: 'request' })
  await assert.rejects(copyToCog([base], [], out), { kind: 'request' })
  await assert.rejects(copyToCog([base], [{ raster: 0, band: 1 }], out), { kind: 'request', message: /no band 2/ })
})
