import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import { findTileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { readPoint } from '@swath/raster'
import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { decodePng, sceneInput, sceneBands, storeRasterAsset, type DecodedPng } from '../../../test/rasters.ts'
import { validateStacItem } from '../../../test/stac-schemas.ts'
import { openAssetRaster } from './asset-source.ts'
import { createRasterReadBudget } from '../items/search/read-limits.ts'
import { handler as itemsGetStac } from '../items/operations/items.get_stac.ts'
import { handler as itemsTileRender } from './operations/items.tile.render.ts'
import { handler as itemsTileTilejson } from './operations/items.tile.tilejson.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let item_id: string
/** A tile in the center of the scene. */
const tile = findTileAt(10.45, 50.52, 14)

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  item_id = (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
})
after(() => app.close())

async function renderTestTile(input: Record<string, unknown> = {}, call: Call = fixture.owner): Promise<BytesResponse> {
  const read = readCallInput(itemsTileRender.operation, { item_id, ...tile, format: 'png', ...input })
  return (await itemsTileRender.handle(call, read as never)) as BytesResponse
}
const readTestTile = async (input: Record<string, unknown> = {}): Promise<DecodedPng> =>
  decodePng((await renderTestTile(input)).body)

const getEtag = async (input: Record<string, unknown>) => (await renderTestTile(input)).headers['etag']

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path)
    assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), JSON.stringify(error.extra['errors']))
  return true
}

/** The coordinates of the center of a tile pixel. */
function pixelCenter(x: number, y: number): [number, number] {
  const [west, , east, north] = tileBoundsMetres(tile)
  const step = (east - west) / 256
  return metresToDegrees(west + (x + 0.5) * step, north - (y + 0.5) * step)
}

const stretch = (value: number, low: number, high: number): number =>
  Math.trunc(((Math.min(Math.max(value, low), high) - low) / (high - low)) * 255)

const openItemRaster = async () => {
  const [asset] = await findAssetsOfItem(fixture.owner.db, fixture.organization, item_id)
  return { asset: asset!, raster: await openAssetRaster(fixture.owner, asset!, createRasterReadBudget('measurement')) }
}

test('a tile has the stretched samples of the file at the same positions', async () => {
  const image = await readTestTile({ bands: '4,3,2', rescale: '0,5000' })
  assert.equal(image.width, 256)
  assert.equal(image.channels, 3)
  const { raster } = await openItemRaster()
  for (const [x, y] of [
    [10, 10],
    [128, 128],
    [200, 40],
    [60, 250],
  ] as const) {
    const samples = await readPoint(raster, ...pixelCenter(x, y), { bands: [3, 2, 1] })
    const expected = samples.map((value) => stretch(value!, 0, 5000))
    image.pixelAt(x, y).forEach((value, band) => {
      assert.ok(Math.abs(value - expected[band]!) <= 1, `${x},${y} band ${band}: ${value} for ${expected[band]}`)
    })
  }
})

test('gamma raises the part of the range of each sample to its inverse', async () => {
  const parameters = { bands: '4,3,2', rescale: '0,5000' }
  const [bent, { raster }] = [await readTestTile({ ...parameters, gamma: 2 }), await openItemRaster()]
  for (const [x, y] of [
    [10, 10],
    [200, 40],
  ] as const) {
    const samples = await readPoint(raster, ...pixelCenter(x, y), { bands: [3, 2, 1] })
    bent.pixelAt(x, y).forEach((value, band) => {
      const expected = Math.sqrt(Math.min(samples[band]!, 5000) / 5000) * 255
      assert.ok(Math.abs(value - expected) <= 2, `${x},${y} band ${band}: ${value} for ${expected}`)
    })
  }
  assert.notEqual(await getEtag(parameters), await getEtag({ ...parameters, gamma: 2 }))
})

test('linear true color is stretched by the stored percentiles 2 to 98, and the bands are those of common names', async () => {
  const { asset } = await openItemRaster()
  const [, , red] = asset.raster!.bands
  assert.ok(red!.statistics!.p2 !== null && red!.statistics!.p98 !== null)
  const ranges = [2, 1, 0].map((index) => {
    const { p2, p98 } = asset.raster!.bands[index]!.statistics!
    return `${p2},${p98}`
  })
  const named = await renderTestTile({ bands: 'red,green,blue', rescale: ranges.join(';') })
  assert.deepEqual((await renderTestTile({ stretch: 'linear' })).body, named.body)
  assert.deepEqual((await renderTestTile({ bands: 'B04,B03,B02', stretch: 'linear' })).body, named.body)
})

test('expressions accept band names, common names and numbers, with an optional colormap', async () => {
  const expressions = ['(B08-B04)/(B08+B04)', '(nir-red)/(nir+red)', '(b4-b3)/(b4+b3)']
  const images = await Promise.all(expressions.map((expression) => renderTestTile({ expression, rescale: '-1,1' })))
  assert.deepEqual(images[1]!.body, images[0]!.body)
  assert.deepEqual(images[2]!.body, images[0]!.body)
  const gray = decodePng(images[0]!.body)
  const { raster } = await openItemRaster()
  const [red, nir] = await readPoint(raster, ...pixelCenter(128, 128), { bands: [2, 3] })
  assert.ok(Math.abs(gray.pixelAt(128, 128)[0]! - stretch((nir! - red!) / (nir! + red!), -1, 1)) <= 1)
  const coloured = await readTestTile({ expression: expressions[0], rescale: '-1,1', colormap: 'viridis' })
  assert.ok(coloured.channels >= 3)
  assert.notEqual(coloured.pixelAt(128, 128)[0], coloured.pixelAt(128, 128)[2])
  const unstretched = await readTestTile({ expression: expressions[0] })
  assert.ok(new Set(unstretched.data).size > 10, 'an expression without rescale is stretched by its results')
  await renderTestTile({ bands: '1', colormap: '{"1": "#ff0000"}' })
})

test('pixels outside the image and without data are transparent, in JPEG white', async () => {
  const empty = decodePng((await renderTestTile({ z: 14, x: 0, y: 0 })).body)
  assert.ok([2, 4].includes(empty.channels))
  for (let pixel = 0; pixel < 256 * 256; pixel++)
    assert.equal(empty.data[pixel * empty.channels + empty.channels - 1], 0)
  const white = await renderTestTile({ z: 14, x: 0, y: 0, format: 'jpg' })
  assert.equal(white.media_type, 'image/jpeg')
  const overviewTile = await readTestTile({ ...findTileAt(10.45, 50.52, 10) })
  assert.equal(overviewTile.channels, 4, 'the scene does not cover this tile')
  assert.equal((await renderTestTile({ format: 'webp' })).media_type, 'image/webp')
})

test('tiles outside the grid and invalid parameters are rejected by field', async () => {
  await assert.rejects(renderTestTile({ z: 2, x: 4, y: 0 }), hasProblem('validation', 'x'))
  await assert.rejects(renderTestTile({ z: 2, x: 0, y: 4 }), hasProblem('validation', 'y'))
  await assert.rejects(renderTestTile({ z: 31, x: 0, y: 0 }), hasProblem('validation', 'z'))
  await assert.rejects(renderTestTile({ bands: '5' }), hasProblem('validation', 'bands'))
  await assert.rejects(renderTestTile({ bands: '1,2' }), hasProblem('validation', 'bands'))
  await assert.rejects(renderTestTile({ bands: 'infrared' }), hasProblem('validation', 'bands'))
  await assert.rejects(renderTestTile({ rescale: '1' }), hasProblem('validation', 'rescale'))
  await assert.rejects(renderTestTile({ rescale: '0,1;0,1' }), hasProblem('validation', 'rescale'))
  await assert.rejects(
    renderTestTile({ colormap: 'rainbow-of-dreams', bands: '1' }),
    hasProblem('validation', 'colormap'),
  )
  await assert.rejects(renderTestTile({ colormap: 'viridis' }), hasProblem('validation', 'colormap'))
  await assert.rejects(renderTestTile({ expression: 'b9-b1' }), hasProblem('validation', 'expression'))
  await assert.rejects(renderTestTile({ expression: 'constructor("x")' }), hasProblem('validation', 'expression'))
  await assert.rejects(renderTestTile({ expression: '1+1' }), hasProblem('validation', 'expression'))
  await assert.rejects(renderTestTile({ expression: 'b1', bands: '1' }), hasProblem('validation', 'bands'))
  await assert.rejects(renderTestTile({ quality: 0 }), hasProblem('validation', 'quality'))
  await assert.rejects(renderTestTile({ asset_key: 'nothing' }), hasProblem('not-found'))
  await assert.rejects(renderTestTile({ profile: 'mine' }), hasProblem('not-found'))
  await assert.rejects(renderTestTile({ item_id: newId() }), hasProblem('not-found'))
  const other = await app.createOrganization()
  await assert.rejects(renderTestTile({}, other.owner), hasProblem('not-found'))
})

test('the ETag changes with the file and the style only', async () => {
  assert.equal(await getEtag({}), await getEtag({}))
  assert.notEqual(await getEtag({}), await getEtag({ rescale: '0,1' }))
  assert.notEqual(await getEtag({}), await getEtag({ x: tile.x + 1 }))
  assert.match((await renderTestTile()).headers['cache-control'] ?? '', /^private, max-age=/)
})

test('an item without a raster answers unsupported-raster', async () => {
  const { item_id } = await deliverItem(fixture.owner, fixture.project)
  await assert.rejects(renderTestTile({ item_id }), hasProblem('unsupported-raster'))
})

test('TileJSON has the bounds and zoom levels of the image', async () => {
  const response = (await itemsTileTilejson.handle(
    fixture.owner,
    readCallInput(itemsTileTilejson.operation, { item_id }) as never,
  )) as TileJson
  requireValidOutput(itemsTileTilejson.operation, response)
  const [west, south, east, north] = response.bounds
  assert.ok(west! < 10.45 && 10.45 < east! && south! < 50.52 && 50.52 < north!)
  assert.ok(Math.abs(east! - west! - 0.073) < 0.003, `${east! - west!}`)
  // 10 m at 50.5° are 15.7 Web Mercator metres: a pixel of level 13 has 19.1, one of level 14 has 9.6.
  // 5 km are 8.1 Web Mercator kilometres: a tile of level 12 has 9.8.
  assert.equal(response.maxzoom, 14)
  assert.equal(response.minzoom, 12)
  const [tileUrl] = response.tiles
  assert.equal(tileUrl, `http://localhost:8080/api/v1/items/${item_id}/tiles/{z}/{x}/{y}.webp`)
})

test('the STAC Item of a stored raster is valid and has its statistics', async () => {
  const feature = (await itemsGetStac.handle(fixture.owner, { item_id } as never)) as never as {
    stac_extensions: string[]
    assets: Record<string, Record<string, unknown>>
  }
  assert.deepEqual(await validateStacItem(feature), [])
  const data = feature.assets['data']!
  assert.equal(data['proj:epsg'], 32632)
  assert.deepEqual(data['proj:shape'], [512, 512])
  assert.deepEqual(data['proj:transform'], [10, 0, 600000, 0, -10, 5600000])
  assert.deepEqual(data['proj:bbox'], [600000, 5594880, 605120, 5600000])
  const bands = data['raster:bands'] as { nodata: number; statistics: { maximum: number } }[]
  assert.equal(bands[3]!.nodata, 0)
  assert.equal(bands[3]!.statistics.maximum, 100 + 3000 + 511)
})
