import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import { tileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { readPoint } from '@swath/raster'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { newId } from '../../platform/ids.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { readPng, scene, sceneBands, storeRaster, type Picture } from '../../../test/rasters.ts'
import { stacFaults } from '../../../test/stac-schemas.ts'
import { rasterOf } from '../items/asset-source.ts'
import { openBudget } from '../items/read-limits.ts'
import { getStacItem } from '../items/items.get_stac.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { describeItemTiles } from '../items/items.tile.tilejson.ts'
import { assetsOf } from '../items/store.assets.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let item_id: string
/** In the center of the scene. */
const tile = tileAt(10.45, 50.52, 14)

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  const asset = await storeRaster(house.blobs, scene, sceneBands)
  item_id = (await deliver(world.owner, world.project, { assets: [asset] })).item_id
})
after(() => house.close())

async function draw(input: Record<string, unknown> = {}, call: Call = world.owner): Promise<BytesAnswer> {
  const read = readInput(renderItemTile.operation, { item_id, ...tile, format: 'png', ...input })
  return (await renderItemTile.answer(call, read as never)) as BytesAnswer
}
const drawn = async (input: Record<string, unknown> = {}): Promise<Picture> => readPng((await draw(input)).body)

const refused = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path)
    assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), JSON.stringify(error.extra['errors']))
  return true
}

/** The coordinates of the center of a tile pixel. */
function degreesOf(x: number, y: number): [number, number] {
  const [west, , east, north] = tileBoundsMetres(tile)
  const step = (east - west) / 256
  return metresToDegrees(west + (x + 0.5) * step, north - (y + 0.5) * step)
}

const stretch = (value: number, low: number, high: number): number =>
  Math.trunc(((Math.min(Math.max(value, low), high) - low) / (high - low)) * 255)

const opened = async () => {
  const [asset] = await assetsOf(world.owner.db, world.organization, item_id)
  return { asset: asset!, raster: await rasterOf(world.owner, asset!, openBudget('measurement')) }
}

test('a tile has the stretched samples of the file at the same positions', async () => {
  const picture = await drawn({ bands: '4,3,2', rescale: '0,5000' })
  assert.equal(picture.width, 256)
  assert.equal(picture.channels, 3)
  const { raster } = await opened()
  for (const [x, y] of [
    [10, 10],
    [128, 128],
    [200, 40],
    [60, 250],
  ] as const) {
    const samples = await readPoint(raster, ...degreesOf(x, y), { bands: [3, 2, 1] })
    const expected = samples.map((value) => stretch(value!, 0, 5000))
    picture.at(x, y).forEach((value, band) => {
      assert.ok(Math.abs(value - expected[band]!) <= 1, `${x},${y} band ${band}: ${value} for ${expected[band]}`)
    })
  }
})

test('without parameters a tile is true color by common names, stretched by the stored percentiles 2 to 98', async () => {
  const { asset } = await opened()
  const [, , red] = asset.raster!.bands
  assert.ok(red!.statistics!.p2 !== null && red!.statistics!.p98 !== null)
  const ranges = [2, 1, 0].map((index) => {
    const { p2, p98 } = asset.raster!.bands[index]!.statistics!
    return `${p2},${p98}`
  })
  const named = await draw({ bands: 'red,green,blue', rescale: ranges.join(';') })
  assert.deepEqual((await draw()).body, named.body)
  assert.deepEqual((await draw({ bands: 'B04,B03,B02' })).body, named.body)
})

test('expressions accept band names, common names and numbers, with an optional colormap', async () => {
  const words = ['(B08-B04)/(B08+B04)', '(nir-red)/(nir+red)', '(b4-b3)/(b4+b3)']
  const pictures = await Promise.all(words.map((expression) => draw({ expression, rescale: '-1,1' })))
  assert.deepEqual(pictures[1]!.body, pictures[0]!.body)
  assert.deepEqual(pictures[2]!.body, pictures[0]!.body)
  const gray = readPng(pictures[0]!.body)
  const { raster } = await opened()
  const [red, nir] = await readPoint(raster, ...degreesOf(128, 128), { bands: [2, 3] })
  assert.ok(Math.abs(gray.at(128, 128)[0]! - stretch((nir! - red!) / (nir! + red!), -1, 1)) <= 1)
  const coloured = await drawn({ expression: words[0], rescale: '-1,1', colormap: 'viridis' })
  assert.ok(coloured.channels >= 3)
  assert.notEqual(coloured.at(128, 128)[0], coloured.at(128, 128)[2])
  const unstretched = await drawn({ expression: words[0] })
  assert.ok(new Set(unstretched.data).size > 10, 'an expression without rescale is stretched by its results')
  await draw({ bands: '1', colormap: '{"1": "#ff0000"}' })
})

test('pixels outside the image and without data are transparent, in JPEG white', async () => {
  const empty = readPng((await draw({ z: 14, x: 0, y: 0 })).body)
  assert.ok([2, 4].includes(empty.channels))
  for (let pixel = 0; pixel < 256 * 256; pixel++)
    assert.equal(empty.data[pixel * empty.channels + empty.channels - 1], 0)
  const white = await draw({ z: 14, x: 0, y: 0, format: 'jpg' })
  assert.equal(white.media_type, 'image/jpeg')
  const whole = await drawn({ ...tileAt(10.45, 50.52, 10) })
  assert.equal(whole.channels, 4, 'the scene does not cover this tile')
  assert.equal((await draw({ format: 'webp' })).media_type, 'image/webp')
})

test('tiles outside the grid and invalid parameters are rejected by field', async () => {
  await assert.rejects(draw({ z: 2, x: 4, y: 0 }), refused('validation', 'x'))
  await assert.rejects(draw({ z: 2, x: 0, y: 4 }), refused('validation', 'y'))
  await assert.rejects(draw({ z: 31, x: 0, y: 0 }), refused('validation', 'z'))
  await assert.rejects(draw({ bands: '5' }), refused('validation', 'bands'))
  await assert.rejects(draw({ bands: '1,2' }), refused('validation', 'bands'))
  await assert.rejects(draw({ bands: 'infrared' }), refused('validation', 'bands'))
  await assert.rejects(draw({ rescale: '1' }), refused('validation', 'rescale'))
  await assert.rejects(draw({ rescale: '0,1;0,1' }), refused('validation', 'rescale'))
  await assert.rejects(draw({ colormap: 'rainbow-of-dreams', bands: '1' }), refused('validation', 'colormap'))
  await assert.rejects(draw({ colormap: 'viridis' }), refused('validation', 'colormap'))
  await assert.rejects(draw({ expression: 'b9-b1' }), refused('validation', 'expression'))
  await assert.rejects(draw({ expression: 'constructor("x")' }), refused('validation', 'expression'))
  await assert.rejects(draw({ expression: '1+1' }), refused('validation', 'expression'))
  await assert.rejects(draw({ expression: 'b1', bands: '1' }), refused('validation', 'bands'))
  await assert.rejects(draw({ quality: 0 }), refused('validation', 'quality'))
  await assert.rejects(draw({ asset_key: 'nothing' }), refused('not-found'))
  await assert.rejects(draw({ profile: 'mine' }), refused('not-found'))
  await assert.rejects(draw({ item_id: newId() }), refused('not-found'))
  const other = await house.organize()
  await assert.rejects(draw({}, other.owner), refused('not-found'))
})

test('the ETag changes with the file and the style only', async () => {
  const tag = async (input: Record<string, unknown>) => (await draw(input)).headers['etag']
  assert.equal(await tag({}), await tag({}))
  assert.notEqual(await tag({}), await tag({ rescale: '0,1' }))
  assert.notEqual(await tag({}), await tag({ x: tile.x + 1 }))
  assert.match((await draw()).headers['cache-control'] ?? '', /^private, max-age=/)
})

test('an item without a raster answers unsupported-raster', async () => {
  const { item_id } = await deliver(world.owner, world.project)
  await assert.rejects(draw({ item_id }), refused('unsupported-raster'))
})

test('TileJSON has the bounds and zoom levels of the image', async () => {
  const answer = (await describeItemTiles.answer(
    world.owner,
    readInput(describeItemTiles.operation, { item_id }) as never,
  )) as TileJson
  checkOutput(describeItemTiles.operation, answer)
  const [west, south, east, north] = answer.bounds
  assert.ok(west! < 10.45 && 10.45 < east! && south! < 50.52 && 50.52 < north!)
  assert.ok(Math.abs(east! - west! - 0.073) < 0.003, `${east! - west!}`)
  // 10 m at 50.5° are 15.7 Web Mercator metres: a pixel of level 13 has 19.1, one of level 14 has 9.6.
  // 5 km are 8.1 Web Mercator kilometres: a tile of level 12 has 9.8.
  assert.equal(answer.maxzoom, 14)
  assert.equal(answer.minzoom, 12)
  const [address] = answer.tiles
  assert.equal(address, `http://localhost:8080/api/v1/items/${item_id}/tiles/{z}/{x}/{y}.webp`)
})

test('the STAC Item of a stored raster is valid and has its statistics', async () => {
  const feature = (await getStacItem.answer(world.owner, { item_id } as never)) as never as {
    stac_extensions: string[]
    assets: Record<string, Record<string, unknown>>
  }
  assert.deepEqual(await stacFaults(feature), [])
  const data = feature.assets['data']!
  assert.equal(data['proj:epsg'], 32632)
  assert.deepEqual(data['proj:shape'], [512, 512])
  assert.deepEqual(data['proj:transform'], [10, 0, 600000, 0, -10, 5600000])
  assert.deepEqual(data['proj:bbox'], [600000, 5594880, 605120, 5600000])
  const bands = data['raster:bands'] as { nodata: number; statistics: { maximum: number } }[]
  assert.equal(bands[3]!.nodata, 0)
  assert.equal(bands[3]!.statistics.maximum, 100 + 3000 + 511)
})
