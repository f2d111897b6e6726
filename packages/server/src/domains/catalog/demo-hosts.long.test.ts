import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { openFileSource, lonLatToCrs, openRaster, readWindow, crsToLonLat, type Raster } from '@swath/raster'
import { HostRefusal, type HostSearch, type ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { createDemoHosts } from '../../platform/integrations/hosts/demo/demo-hosts.ts'
import { readDemoScenes, type DemoScene } from '../../platform/integrations/hosts/demo/demo-scenes.ts'
import { renderQuicklook } from './scene-quicklook.ts'

const demoDir = new URL('../../../demo/', import.meta.url)
const folder = fileURLToPath(demoDir)
const scenes = await readDemoScenes(folder)
const [open, commercial] = (await createDemoHosts(demoDir, renderQuicklook)) as [ImageryHost, ImageryHost]

const searchIds = async (host: ImageryHost, search: Partial<HostSearch>): Promise<string[]> =>
  (await host.search({ limit: 100, ...search })).map((scene) => scene.id)

async function withRaster<T>(path: string, work: (raster: Raster) => Promise<T>): Promise<T> {
  const source = await openFileSource(join(folder, 'scenes', path))
  try {
    return await work(await openRaster(source))
  } finally {
    await source.close()
  }
}

/** The file from which the footprint of a scene was derived. */
const mainFile = (scene: DemoScene) => {
  const files = scene.assets[0]!.files
  return files.find(({ bands }) => bands.some(({ common_name }) => common_name === 'red')) ?? files[0]!
}

test('the scenes folder contains exactly the listed files, with their size and checksum', async () => {
  const listed = scenes.flatMap(({ assets }) => assets.flatMap(({ files }) => files))
  assert.equal(new Set(listed.map(({ path }) => path)).size, listed.length)
  for (const { path, bytes, sha256 } of listed) {
    const content = await readFile(join(folder, 'scenes', path))
    assert.equal(content.length, bytes, path)
    assert.equal(createHash('sha256').update(content).digest('hex'), sha256, path)
  }
  const present = await readdir(join(folder, 'scenes'), { recursive: true, withFileTypes: true })
  assert.equal(present.filter((entry) => entry.isFile()).length, listed.length)
})

test('every scene belongs to a collection of its host, and scene ids are unique', () => {
  assert.equal(scenes.length, 23)
  assert.equal(new Set(scenes.map(({ id }) => id)).size, scenes.length)
  for (const scene of scenes) {
    const host = [open, commercial].find(({ name }) => name === scene.host)
    assert.ok(
      host?.collections.some(({ id }) => id === scene.collection),
      scene.id,
    )
    assert.ok(!scene.start_datetime || scene.start_datetime <= scene.datetime, scene.id)
    assert.ok(!scene.end_datetime || scene.datetime <= scene.end_datetime, scene.id)
  }
})

test('listed bands match the bands of the files, and the files of an asset share a grid', async () => {
  for (const { id, assets } of scenes) {
    for (const { files } of assets) {
      const grids = new Set<string>()
      for (const { path, bands } of files) {
        await withRaster(path, async (raster) => {
          assert.equal(raster.bands.length, bands.length, path)
          grids.add(JSON.stringify([raster.width, raster.height, raster.affine]))
        })
      }
      assert.equal(grids.size, 1, id)
    }
  }
})

test('footprints match the area of valid pixels within 4 per cent', async () => {
  for (const scene of scenes) {
    const { nodata } = scene.assets[0]!
    await withRaster(mainFile(scene).path, async (raster) => {
      const { width, height, affine } = raster
      const block = await readWindow(raster, { window: [0, 0, width, height], bands: [0] })
      let valid = 0
      for (let at = 0; at < width * height; at += 1) {
        if (block.mask[at] !== 0 && block.data[at] !== nodata) valid += 1
      }
      // The geodesic area of a pixel, from the corners of the centre pixel.
      const [a, b, c, d, e, f] = affine
      const toLonLatAt = (column: number, row: number) =>
        crsToLonLat(raster.crs, a + b * column + c * row, d + e * column + f * row)
      const [x, y] = [Math.floor(width / 2), Math.floor(height / 2)]
      const corners = [
        toLonLatAt(x, y),
        toLonLatAt(x, y + 1),
        toLonLatAt(x + 1, y + 1),
        toLonLatAt(x + 1, y),
        toLonLatAt(x, y),
      ]
      const pixel_km2 = geometryArea_km2({ type: 'Polygon', coordinates: [corners] })
      const ratio = geometryArea_km2(scene.geometry) / (valid * pixel_km2)
      assert.ok(ratio > 0.99 && ratio < 1.04, `${scene.id}: ${ratio}`)

      for (const [longitude, latitude] of scene.geometry.coordinates[0]!) {
        const [east, north] = lonLatToCrs(raster.crs, longitude, latitude)
        const determinant = b * f - c * e
        const column = (f * (east - a) - c * (north - d)) / determinant
        const row = (b * (north - d) - e * (east - a)) / determinant
        assert.ok(
          column > -0.6 && column < width + 0.6 && row > -0.6 && row < height + 0.6,
          `${scene.id}: ${column}, ${row}`,
        )
      }
    })
  }
})

test('a search without filters returns all scenes newest first, and paging neither repeats nor skips any', async () => {
  const all = await open.search({ limit: 100 })
  assert.equal(all.length, 19)
  const times = all.map((scene) => Date.parse(scene.datetime))
  assert.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  )
  const paged: string[] = []
  for (let after: HostSearch['after']; ;) {
    const page = await open.search({ limit: 5, ...(after ? { after } : {}) })
    paged.push(...page.map((scene) => scene.id))
    if (page.length < 5) break
    after = { datetime: page.at(-1)!.datetime, id: page.at(-1)!.id }
  }
  assert.deepEqual(
    paged,
    all.map((scene) => scene.id),
  )
  assert.equal((await commercial.search({ limit: 100 })).length, 4)
})

test('the free host has a series of one place from 1985 to 2020, and scenes in true colour down to 5 m', async () => {
  const series = (await open.search({ limit: 100, collections: ['landsat-annual'] })).map(({ datetime }) =>
    new Date(datetime).getUTCFullYear(),
  )
  assert.deepEqual(series, [2020, 2010, 1995, 1985])
  const finest = await open.search({ limit: 100, query: { gsd: { LTE: 5 } } })
  assert.deepEqual(
    finest.map(({ id }) => id),
    ['naip-nd-20140720'],
  )
  assert.ok(open.collections.every(({ price }) => price === null))
})

test('a search by geometry, time, collection, id and property returns the matching scenes', async () => {
  const exeter = [-3.53, 50.71, -3.5, 50.73]
  assert.deepEqual(await searchIds(open, { bbox: exeter, collections: ['sentinel-2-l2a'] }), [
    's2-exe-20240826',
    's2-exe-20240801',
    's2-exe-20240602',
  ])
  assert.deepEqual(
    await searchIds(open, { bbox: [-3.53, 50.71, -3.5, 50.73], query: { 'eo:cloud_cover': { LT: 5 } } }),
    ['s2-exe-20240801', 's2-exe-20240602'],
  )
  assert.deepEqual(await searchIds(open, { bbox: [100, 0, 101, 1] }), [])
  assert.equal((await searchIds(open, { bbox: [170, -90, -60, 90] })).length, 13)
  assert.deepEqual(
    await searchIds(open, {
      bbox: exeter,
      from: new Date('2024-08-01T11:21:19Z'),
      to: new Date('2024-08-02T00:00:00Z'),
    }),
    ['s2-exe-20240801'],
  )
  assert.deepEqual(
    await searchIds(open, { from: new Date('1985-06-01T00:00:00Z'), to: new Date('1985-06-02T00:00:00Z') }),
    ['pucallpa-1985'],
  )
  assert.deepEqual(await searchIds(open, { ids: ['l8-elkton', 'nothing'] }), ['l8-elkton'])
  assert.deepEqual(await searchIds(commercial, { query: { gsd: { LTE: 1 } } }), ['naip-va-17n', 'naip-va-18n'])
  assert.deepEqual(await searchIds(open, { query: { platform: { EQ: 'landsat' } } }), [
    'pucallpa-2020',
    'pucallpa-2010',
    'pucallpa-1995',
    'pucallpa-1985',
  ])
  assert.deepEqual(await searchIds(open, { query: { platform: { GT: 5 } } }), [])
  assert.deepEqual(await searchIds(open, { query: { toString: { EQ: 'x' } } }), [])
  const triangle = {
    type: 'Polygon',
    coordinates: [
      [
        [11.3, 46.48],
        [11.35, 46.48],
        [11.3, 46.5],
        [11.3, 46.48],
      ],
    ],
  }
  assert.deepEqual(await searchIds(open, { intersects: triangle }), ['s2-bolzano-20220612'])
  // A corner of the scene's bbox that lies outside its rotated footprint.
  const corner = {
    type: 'Polygon',
    coordinates: [
      [
        [-76.2, 39.3],
        [-76.15, 39.3],
        [-76.15, 39.35],
        [-76.2, 39.3],
      ],
    ],
  }
  assert.deepEqual(await searchIds(open, { intersects: corner }), [])
})

test('every scene has a non-empty PNG quicklook, which is rendered once', async () => {
  for (const scene of scenes) {
    const host = scene.host === 'open' ? open : commercial
    const image = await host.quicklook(scene.id)
    assert.equal(image?.media_type, 'image/png')
    assert.deepEqual([...image!.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47], scene.id)
    assert.ok(image!.bytes.length > 5000, `${scene.id}: ${image!.bytes.length}`)
    assert.equal((await host.quicklook(scene.id))?.bytes, image!.bytes)
  }
  assert.equal(await open.quicklook('naip-va-17n'), null)
})

test('an order is ready immediately, and its files download with their size and checksum', async () => {
  const { reference } = await open.place({ id: 'order-1', scenes: ['l8-elkton', 's2-exe-20240801'] })
  const delivery = await open.deliveries(reference)
  assert.equal(delivery.state, 'ready')
  if (delivery.state !== 'ready') return
  const assets = new Map(Map.groupBy(delivery.files, (file) => `${file.scene}/${file.asset}`))
  assert.deepEqual([...assets.keys()], ['l8-elkton/data', 'l8-elkton/data_2', 's2-exe-20240801/data'])
  assert.equal(assets.get('l8-elkton/data')?.length, 11)
  assert.deepEqual(
    assets.get('l8-elkton/data_2')?.map((file) => file.bands),
    [[{ name: 'B8', common_name: 'pan' }]],
  )

  const target = await mkdtemp(join(tmpdir(), 'swath-demo-'))
  for (const file of delivery.files) {
    const path = join(target, file.file_name)
    await file.download(path, AbortSignal.timeout(5000))
    const content = await readFile(path)
    assert.equal(content.length, file.size)
    assert.equal(createHash('sha256').update(content).digest('hex'), file.sha256)
  }
  await assert.rejects(
    delivery.files[0]!.download(join(target, 'x'), AbortSignal.abort(new Error('stopped'))),
    /stopped/,
  )
  await rm(target, { recursive: true })
})

test('a host rejects unknown scenes, and a reference stays valid after the host is recreated', async () => {
  await assert.rejects(open.place({ id: 'order-2', scenes: ['naip-va-17n'] }), HostRefusal)
  const { reference } = await commercial.place({ id: 'order-3', scenes: ['naip-va-17n'] })
  const [, reopened] = await createDemoHosts(demoDir, renderQuicklook)
  assert.equal((await reopened!.deliveries(reference)).state, 'ready')
  assert.equal((await open.deliveries(reference)).state, 'refused')
})

test('the open host is free; the commercial host has prices and licences', () => {
  assert.ok(open.collections.every(({ price }) => price === null))
  for (const { price } of commercial.collections) {
    assert.ok(price && price.rate_credits > 0 && price.minimum_km2 > 0)
    assert.deepEqual(price.licences, ['standard', 'extended'])
  }
})
