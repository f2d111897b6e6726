import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { applyAffine } from '@swath/geo/affine.ts'
import type { Affine } from '@swath/geo/affine.ts'
import { lonLatToCrs, crsToLonLat } from '../../formats/crs/crs.ts'
import { createCrsFromEpsg } from '../../formats/crs/from-code.ts'
import { isNodataSample, computeNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import { openFileSource } from '../../io/source/file.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readPixelInterleavedWindow } from '../../compute/window/read-window.ts'
import type { Crs, PixelRows, Raster, SampleType } from '../../types.ts'
import { checkCogLayout } from '../../../test/check-cog-layout.ts'
import type { CogInput, CogOptions } from '../writer/cog-types.ts'
import { writeCog } from '../writer/cog.ts'
import { createClipInputOnGrid, createClipInput } from './clip.ts'
import { createCopyInput } from './copy.ts'
import { createExpressionInput } from './expression.ts'
import { createMosaicInput } from './mosaic.ts'
import { createReprojectInput } from './reproject.ts'
import { createRowReader } from './row-reader.ts'
import { suggestWarpGrid } from './suggest-warp-grid.ts'

const folder = mkdtempSync(join(tmpdir(), 'sources-'))
const opened: Raster[] = []
after(async () => {
  for (const raster of opened) await raster.source.close()
  rmSync(folder, { recursive: true })
})

const utm33 = await createCrsFromEpsg(32_633)
const [WIDTH, HEIGHT] = [260, 210]
const sceneGrid: Affine = [500_000, 10, 0, 5_000_000, 0, -10]

interface Scene {
  readonly type?: SampleType
  readonly nodata?: number | null
  readonly masked?: boolean
  readonly affine?: Affine
  readonly crs?: Crs
  readonly names?: readonly string[]
  readonly palette?: Uint8Array
  /** Sample of a band; a pixel is not valid where that of the first band is nodata, or 0 in a masked file. */
  readonly value?: (x: number, y: number, band: number) => number
}

const ramp = (x: number, y: number, band: number): number => 100 + x + 2 * y + 1000 * band

async function make(scene: Scene = {}, options: CogOptions = {}): Promise<Raster> {
  const { type = 'uint16', nodata = null, value = ramp, names = ['red', 'nir'] } = scene
  const missing = computeNodataRange(nodata, type)
  const input: CogInput = {
    width: WIDTH,
    height: HEIGHT,
    sampleType: type,
    bands: names.map((name) => ({ name, colour: 'undefined', scale: 0.5, offset: 1 })),
    nodata,
    masked: scene.masked ?? false,
    palette: scene.palette ?? null,
    georeferencing: { affine: scene.affine ?? sceneGrid, crs: scene.crs ?? utm33, geoTags: null },
    readRows: async (top, rows) => {
      const data = sampleTypeProperties[type].allocate(WIDTH * rows * names.length)
      const mask = new Uint8Array(WIDTH * rows)
      for (let pixel = 0; pixel < mask.length; pixel++) {
        const [x, y] = [pixel % WIDTH, top + Math.floor(pixel / WIDTH)]
        for (let band = 0; band < names.length; band++) data[pixel * names.length + band] = value(x, y, band)
        mask[pixel] = (scene.masked ? value(x, y, 0) === 0 : isNodataSample(value(x, y, 0), missing)) ? 0 : 255
      }
      return { width: WIDTH, rows, bands: names.length, data, mask }
    },
  }
  return open((await writeCog(input, join(folder, `source-${opened.length}.tif`), { block: 128, ...options })).path)
}

async function open(path: string): Promise<Raster> {
  const raster = await openRaster(await openFileSource(path))
  opened.push(raster)
  return raster
}

/** Writes an image and reads it back. */
async function written(input: CogInput): Promise<{ readonly raster: Raster; readonly pixels: PixelRows }> {
  const { path } = await writeCog(input, join(folder, `written-${opened.length}.tif`), { block: 128 })
  const raster = await open(path)
  assert.deepEqual((await checkCogLayout(raster.source)).problems, [])
  return { raster, pixels: await readPixelInterleavedWindow(raster, { window: [0, 0, raster.width, raster.height] }) }
}

test('rows are the same whatever lies across the blocks', async () => {
  const raster = await make({ type: 'int16', nodata: 300 }, { block: 128 })
  const whole = await readPixelInterleavedWindow(raster, { window: [10, 7, 250, 207], bands: [1, 0] })
  for (const step of [1, 13, 100, 128, 200]) {
    const read = createRowReader(raster, [1, 0], [10, 7, 250, 207], undefined)
    for (let top = 0; top < 200; top += step) {
      const rows = Math.min(step, 200 - top)
      const { data, mask } = await read(top, rows)
      assert.deepEqual(data, whole.data.slice(top * 480, (top + rows) * 480))
      const expected = whole.mask?.slice(top * 240, (top + rows) * 240) ?? null
      assert.deepEqual(mask ?? new Uint8Array(240 * rows).fill(255), expected ?? new Uint8Array(240 * rows).fill(255))
    }
  }
})

/** A triangle in pixels of the grid, as an area in its own coordinates. */
const corners = [
  [20.3, 30.2],
  [200.7, 60.1],
  [90.2, 180.9],
] as const

function areaOf(place: (x: number, y: number) => readonly [number, number]): Parameters<typeof createClipInput>[1] {
  const ring = [...corners, corners[0]].map(([x, y]) => place(x, y))
  return { type: 'Polygon', coordinates: [ring] }
}

/** Distance of a place from the edge of the triangle, in pixels; negative outside. */
function depthOf(x: number, y: number): number {
  const depths = corners.map(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % 3]!
    return ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / Math.hypot(x1 - x0, y1 - y0)
  })
  return Math.min(...depths)
}

test('a clip of files that are copied together equals the clips of each', async () => {
  const area = areaOf((x, y) => crsToLonLat(utm33, ...applyAffine(sceneGrid, x, y)))
  for (const scene of [{ nodata: 7 }, { nodata: null, masked: true, value: (x: number) => x % 5 }, {}]) {
    const [first, second] = [await make({ ...scene, names: ['red'] }), await make({ ...scene, names: ['nir'] })]
    const joined = await written(createClipInputOnGrid(createCopyInput([first, second], null), first, area))
    const alone = await written(createClipInput(second, area))
    assert.deepEqual(joined.raster.affine, alone.raster.affine)
    assert.deepEqual(
      joined.pixels.data.filter((_, index) => index % 2 === 1),
      alone.pixels.data,
    )
    assert.deepEqual(joined.pixels.mask, alone.pixels.mask)
  }
})

test('a clip to an area without a pixel centre keeps the pixels that it touches', async () => {
  const raster = await make()
  const ring = [
    [10.1, 20.1],
    [10.3, 20.1],
    [10.3, 20.3],
    [10.1, 20.1],
  ].map(([x, y]) => crsToLonLat(utm33, ...applyAffine(sceneGrid, x!, y!)))
  const input = createClipInputOnGrid(createCopyInput([raster], null), raster, { type: 'Polygon', coordinates: [ring] })
  assert.deepEqual([input.width, input.height], [1, 1])
  const { data } = await input.readRows(0, 1)
  assert.deepEqual([...data], [ramp(10, 20, 0), ramp(10, 20, 1)])
})

test('a clip keeps the pixels whose centre lies inside, in either kind of coordinates', async () => {
  for (const [scene, nodata, masked] of [
    [{ nodata: 7 }, 7, false],
    [{}, null, true],
    [{ masked: true, value: (x: number, y: number, b: number) => (x % 9 === 0 ? 0 : ramp(x, y, b)) }, null, true],
  ] as const) {
    const raster = await make(scene)
    const inUnits = createClipInput(
      raster,
      areaOf((x, y) => applyAffine(sceneGrid, x, y)),
      { coordinates: 'raster' },
    )
    const inDegrees = createClipInput(
      raster,
      areaOf((x, y) => crsToLonLat(utm33, ...applyAffine(sceneGrid, x, y))),
    )
    for (const input of [inUnits, inDegrees]) {
      const { raster: clip, pixels } = await written(input)
      assert.deepEqual([clip.width, clip.height], [201 - 20, 181 - 30])
      assert.deepEqual(clip.affine, [500_200, 10, 0, 4_999_700, 0, -10])
      assert.deepEqual([clip.nodata, clip.levels[0]!.mask !== null], [nodata, masked])
      assert.deepEqual([clip.crs.epsg, clip.bands[1]!.name, clip.bands[1]!.scale], [32_633, 'nir', 0.5])
      for (let pixel = 0; pixel < clip.width * clip.height; pixel++) {
        const [x, y] = [20 + (pixel % clip.width), 30 + Math.floor(pixel / clip.width)]
        const depth = depthOf(x + 0.5, y + 0.5)
        // A line that is straight in degrees bends a little on the grid.
        if (input === inDegrees && Math.abs(depth) < 0.05) continue
        const kept = depth > 0
        const valid = kept && !('value' in scene && scene.value(x, y, 0) === 0)
        assert.equal(pixels.mask![pixel], valid ? 255 : 0, `${x} ${y}`)
        const expected = kept ? ('value' in scene ? scene.value(x, y, 1) : ramp(x, y, 1)) : (nodata ?? 0)
        assert.equal(pixels.data[pixel * 2 + 1], expected)
      }
    }
  }
})

test('an area beside the image is refused by name', async () => {
  const raster = await make()
  const far = areaOf((x, y) => applyAffine(sceneGrid, x + 300, y))
  assert.throws(() => createClipInput(raster, far, { coordinates: 'raster' }), { kind: 'outside' })
})

test('a formula finds its bands by name in several files; where one is missing there is no value', async () => {
  const value = (x: number, y: number, band: number): number => (x === y && band === 1 ? 9 : ramp(x, y, band))
  const first = await make({ nodata: 9, value })
  const second = await make({ type: 'float32', names: ['swir16'], value: (x) => (x < 5 ? NaN : x / 2) })
  const { raster, pixels } = await written(createExpressionInput([first, second], '(NIR - red) / (nir + b3)'))
  assert.deepEqual(
    [raster.sampleType, raster.bands.length, raster.bands[0]!.name],
    ['float32', 1, '(NIR - red) / (nir + b3)'],
  )
  assert.ok(Number.isNaN(raster.nodata))
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)]
    const [red, nir] = [ramp(x, y, 0), ramp(x, y, 1)]
    if (x < 5 || x === y) assert.ok(Number.isNaN(pixels.data[pixel]!))
    else assert.equal(pixels.data[pixel], Math.fround((nir - red) / (nir + x / 2)))
  }
})

test('an index of the registry is computed from scaled values', async () => {
  const raster = await make()
  const { raster: index, pixels } = await written(createExpressionInput([raster], 'ndvi', { scaled: true }))
  assert.deepEqual([index.sampleType, index.nodata, index.bands[0]!.name], ['float32', Number.NaN, 'ndvi'])
  for (const pixel of [0, 777, 40_000]) {
    const [red, nir] = [0, 1].map((band) => ramp(pixel % WIDTH, Math.floor(pixel / WIDTH), band) * 0.5 + 1)
    assert.ok(Math.abs(pixels.data[pixel]! - (nir! - red!) / (nir! + red!)) <= 1e-7)
  }
})

test('invalid formulas are refused by name', async () => {
  const raster = await make()
  for (const formula of ['swir22 + 1', 'b3', '3 * 4', 'red +'])
    assert.throws(() => createExpressionInput([raster], formula), { kind: 'expression' }, formula)
})

test('on another grid every pixel is the one that lies there', async () => {
  for (const [scene, expectMask] of [
    [{ nodata: 0 }, false],
    [{}, true],
  ] as const) {
    const raster = await make(scene)
    for (const epsg of [3857, 4326]) {
      const crs = await createCrsFromEpsg(epsg)
      const grid = suggestWarpGrid(raster, crs)
      const { raster: reprojected, pixels } = await written(createReprojectInput(raster, grid))
      assert.deepEqual([reprojected.crs.epsg, reprojected.width, reprojected.height], [epsg, grid.width, grid.height])
      assert.equal(reprojected.levels[0]!.mask !== null, expectMask)
      let [validPixels, wrong] = [0, 0]
      for (let pixel = 0; pixel < grid.width * grid.height; pixel++) {
        const place = applyAffine(grid.affine, (pixel % grid.width) + 0.5, Math.floor(pixel / grid.width) + 0.5)
        const [east, north] = lonLatToCrs(utm33, ...crsToLonLat(crs, ...place))
        const [x, y] = [Math.floor((east - 500_000) / 10), Math.floor((5_000_000 - north) / 10)]
        const inside = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT
        const expected = inside ? ramp(x, y, 1) : 0
        if (inside) validPixels++
        if (pixels.data[pixel * 2 + 1] !== expected || (pixels.mask?.[pixel] ?? 255) !== (inside ? 255 : 0)) wrong++
      }
      assert.ok(validPixels > 0.5 * WIDTH * HEIGHT)
      assert.ok(wrong <= validPixels / 1000, `${wrong} of ${validPixels}`)
    }
  }
})

test('mixed samples stay off nodata, and palettes are not mixed', async () => {
  const raster = await make({ nodata: 500, names: ['gray'], value: (x) => (x < 130 ? 400 : 600) })
  const crs = await createCrsFromEpsg(3857)
  const { pixels } = await written(
    createReprojectInput(raster, suggestWarpGrid(raster, crs), { resampling: 'bilinear' }),
  )
  const samples = new Set(Array.from(pixels.data).filter((_, pixel) => pixels.mask?.[pixel] !== 0))
  assert.ok(samples.size > 3 && !samples.has(500))
  const palette = new Uint8Array(768)
  const indices = await make({ type: 'uint8', names: ['class'], value: (x) => x % 5, palette })
  assert.throws(() => createReprojectInput(indices, suggestWarpGrid(indices, crs), { resampling: 'cubic' }), {
    kind: 'request',
  })
  const kept = await written(createReprojectInput(indices, suggestWarpGrid(indices, crs)))
  assert.deepEqual(kept.raster.palette, palette)
})

test('a mosaic lays files beside and over each other', async () => {
  const hole = (x: number, y: number): boolean => x > 100 && y < 50
  const west = await make({ nodata: 0, value: (x, y, band) => (hole(x, y) ? 0 : ramp(x, y, band)) })
  const east = await make({
    nodata: 0,
    affine: [501_000, 10, 0, 5_000_300, 0, -10],
    value: (_x, _y, band) => 50 + band,
  })
  const sampleAt = ({ data, width }: PixelRows, x: number, y: number): number => data[(y * width + x) * 2]!
  const cases = { first: ramp(150, 100, 0), last: 50, lowest: 50, highest: ramp(150, 100, 0) } as const
  for (const [order, both] of Object.entries(cases)) {
    const { raster, pixels } = await written(
      createMosaicInput([west, east], { pixelSelection: order as keyof typeof cases }),
    )
    assert.deepEqual(raster.affine, [500_000, 10, 0, 5_000_300, 0, -10])
    assert.deepEqual([raster.width, raster.height, raster.nodata], [100 + WIDTH, 30 + HEIGHT, 0])
    assert.equal(sampleAt(pixels, 150, 130), both)
    // Only one of them reaches there, or has something there.
    assert.deepEqual([sampleAt(pixels, 50, 100), sampleAt(pixels, 300, 100)], [ramp(50, 70, 0), 50])
    assert.deepEqual([sampleAt(pixels, 150, 40), sampleAt(pixels, 10, 10)], [50, 0])
  }
  const { pixels } = await written(createMosaicInput([west, east], { pixelSelection: 'mean' }))
  assert.equal(sampleAt(pixels, 150, 130), Math.floor((ramp(150, 100, 0) + 50) / 2 + 0.5))
})

test('a mosaic combines each band of the files that have a value there, and results stay off nodata', async () => {
  const orders = ['mean', 'median', 'lowest', 'highest'] as const
  // Pixels in column 0: the second band of the first file has no value; column 1: no second band has one; else both do.
  const scene = (other: number, missing: number) => ({
    value: (x: number, _y: number, band: number) =>
      band === 1 && (x === 1 || (x === 0 && other === -1)) ? missing : band === 0 ? 40 : other,
  })
  for (const [type, nodata, missing] of [
    ['int16', 0, 0],
    ['float32', 0, 0],
    ['float32', -9999, Number.NaN],
  ] as const) {
    const files = [
      await make({ type, nodata, ...scene(-1, missing) }),
      await make({ type, nodata, ...scene(1, missing) }),
    ]
    for (const pixelSelection of orders) {
      const { pixels } = await written(createMosaicInput(files, { pixelSelection }))
      const [alone, none, both] = [1, 3, 5].map((at) => pixels.data[at]!)
      assert.deepEqual([pixels.data[0], alone, none], [40, 1, nodata], `${type} ${pixelSelection}`)
      if (pixelSelection === 'lowest' || pixelSelection === 'highest')
        assert.equal(both, pixelSelection === 'lowest' ? -1 : 1)
      else {
        assert.ok(Math.abs(both!) <= 1)
        assert.ok(!isNodataSample(both!, computeNodataRange(nodata, type)), `${type} ${pixelSelection}`)
      }
    }
  }
})

test('where only a mask can say so, pixels whose bands do not all have a value are left out', async () => {
  const value = (missing: number) => (x: number, _y: number, band: number) => (band === 1 && x < 2 ? missing : 40)
  const files = [
    await make({ type: 'int16', nodata: 0, value: value(0) }),
    await make({ type: 'int16', nodata: -1, value: value(-1) }),
  ]
  for (const pixelSelection of ['mean', 'median'] as const) {
    const { raster, pixels } = await written(createMosaicInput(files, { pixelSelection }))
    assert.ok(raster.levels[0]!.mask !== null)
    assert.deepEqual([...pixels.mask!.subarray(0, 3)], [0, 0, 255])
    assert.deepEqual([...pixels.data.subarray(4, 6)], [40, 40])
  }
})

test('files that do not share nodata or sample type meet in a masked mosaic', async () => {
  const bytes = await make({ type: 'uint8', nodata: 0, value: (x) => x % 100 })
  const words = await make({
    type: 'int16',
    nodata: -1,
    affine: [501_000, 10, 0, 5_000_000, 0, -10],
    value: () => -500,
  })
  const { raster, pixels } = await written(createMosaicInput([bytes, words]))
  assert.deepEqual([raster.sampleType, raster.nodata, raster.levels[0]!.mask !== null], ['int16', null, true])
  assert.deepEqual([pixels.data[99 * 2], pixels.data[100 * 2], pixels.mask![0]], [99, -500, 0])
  const single = await make({ names: ['red'] })
  assert.throws(() => createMosaicInput([bytes, single]), { kind: 'request', message: /file 2 has 1 bands, not 2/ })
  assert.throws(() => createMosaicInput([]), { kind: 'request' })
})
