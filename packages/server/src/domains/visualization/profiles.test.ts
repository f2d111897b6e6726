import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { VisualizationProfile } from '@swath/contract/shapes/profile.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { scene, sceneBands, storeRaster } from '../../../test/rasters.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { describeItemTiles } from '../items/items.tile.tilejson.ts'
import { copyProfiles } from './profile.ts'
import { createProfile } from './visualization.profile.create.ts'
import { removeProfile } from './visualization.profile.delete.ts'
import { getProfile } from './visualization.profile.get.ts'
import { setDefaultProfile } from './visualization.profile.set_default.ts'
import { changeProfile } from './visualization.profile.update.ts'
import { listItemProfiles } from './visualization.profiles.list.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
const tile = tileAt(10.45, 50.52, 14)

before(async () => {
  house = await openHoldings()
  world = await house.organize()
})
after(() => house.close())

type Input = Record<string, unknown>

async function ask<T>(handler: Handler, input: Input, call: Call = world.owner): Promise<T> {
  const answer = await handler.answer(call, readInput(handler.operation, structuredClone(input)) as never)
  if (handler.operation.answer === 'json') checkOutput(handler.operation, answer)
  return answer as T
}

async function newItem(): Promise<string> {
  const asset = await storeRaster(house.blobs, scene, sceneBands)
  return (await deliver(world.owner, world.project, { assets: [asset] })).item_id
}

const ndvi = { type: 'expression', config: { expression: '(nir-red)/(nir+red)', rescale: '-1,1', colormap: 'viridis' } }
const create = (item_id: string, name: string, more: Input = ndvi) =>
  ask<VisualizationProfile>(createProfile, { item_id, name, ...more })
const list = async (item_id: string) =>
  (await ask<{ profiles: VisualizationProfile[] }>(listItemProfiles, { item_id })).profiles
const draw = async (item_id: string, more: Input = {}) =>
  await ask<BytesAnswer>(renderItemTile, { item_id, ...tile, format: 'png', ...more })

const refused = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path) assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), error.message)
  return true
}

test('a profile applies its parameters by id, by name in any case, and as the default', async () => {
  const item_id = await newItem()
  const usual = await draw(item_id)
  const made = await create(item_id, 'Green plants', { ...ndvi, is_default: true })
  assert.deepEqual(
    [made.layer, made.version, made.is_default, made.created_by],
    ['user', 1, true, world.owner.principal.id],
  )
  const words = await draw(item_id, ndvi.config)
  for (const profile of [made.id, made.id.toUpperCase(), 'Green plants', 'GREEN PLANTS', undefined]) {
    assert.deepEqual((await draw(item_id, profile === undefined ? {} : { profile })).body, words.body, profile)
  }
  const stretched = await draw(item_id, { ...ndvi.config, rescale: '0,1' })
  assert.deepEqual((await draw(item_id, { rescale: '0,1' })).body, stretched.body, 'parameters override the profile')
  assert.deepEqual(
    (await draw(item_id, { bands: 'red,green,blue' })).body,
    usual.body,
    'other bands ignore the profile',
  )
  assert.notEqual((await draw(item_id)).headers['etag'], usual.headers['etag'])
  await assert.rejects(draw(item_id, { profile: 'other' }), refused('not-found'))
})

test('a spectral index can be used as a profile without being stored', async () => {
  const item_id = await newItem()
  const drawn = await draw(item_id, { profile: 'NDWI' })
  const words = { expression: '(b2 - b4) / (b2 + b4)', rescale: '-0.8,0.8', colormap: 'RdBu' }
  assert.deepEqual(drawn.body, (await draw(item_id, words)).body)
  assert.deepEqual((await draw(item_id, { profile: 'true-color' })).body, (await draw(item_id)).body)
  await assert.rejects(draw(item_id, { profile: 'ndsi' }), refused('not-found'), 'there is no short-wave infrared band')
  const own = await create(item_id, 'ndwi', { type: 'singleband', config: { bands: [1] } })
  assert.deepEqual((await draw(item_id, { profile: 'ndwi' })).body, (await draw(item_id, { profile: own.id })).body)
})

test('a config accepts lists and objects, and keeps unknown members', async () => {
  const item_id = await newItem()
  const config = {
    bands: [4, 'B04', 2],
    rescale: [
      [0, 3000],
      [0, 4000],
      [0, 5000],
    ],
    title: 'mine',
    stops: [1, 2],
  }
  const made = await create(item_id, 'lists', { type: 'rgb', config })
  const { profile } = await ask<{ profile: VisualizationProfile }>(getProfile, { item_id, profile_id: made.id })
  assert.deepEqual(profile, made)
  assert.deepEqual(profile.config, config)
  const drawn = await draw(item_id, { profile: 'lists' })
  assert.deepEqual(drawn.body, (await draw(item_id, { bands: '4,3,2', rescale: '0,3000;0,4000;0,5000' })).body)
  const classes = { type: 'singleband', config: { bands: '1', colormap: { 300: '#ff0000' } } }
  await create(item_id, 'classes', classes)
  assert.deepEqual(
    (await draw(item_id, { profile: 'classes' })).body,
    (await draw(item_id, { bands: '1', colormap: '{"300":"#ff0000"}' })).body,
  )
})

test('a profile that cannot be rendered is rejected by field', async () => {
  const item_id = await newItem()
  const faulty: [Input, string][] = [
    [{ type: 'rgb', config: { bands: '1,2' } }, 'config.bands'],
    [{ type: 'rgb', config: { bands: '1' } }, 'config.bands'],
    [{ type: 'singleband', config: {} }, 'config.bands'],
    [{ type: 'singleband', config: { bands: [[1]] } }, 'config.bands'],
    [{ type: 'multiband', config: { bands: 'nothing' } }, 'config.bands'],
    [{ type: 'expression', config: { bands: '1' } }, 'config.expression'],
    [{ type: 'expression', config: { expression: 'b1 +' } }, 'config.expression'],
    [{ type: 'expression', config: { expression: 'b9' } }, 'config.expression'],
    [{ type: 'expression', config: { expression: ['b1'] } }, 'config.expression'],
    [{ type: 'rgb', config: { expression: 'b1' } }, 'config.expression'],
    [{ type: 'singleband', config: { bands: '1', colormap: 'dreams' } }, 'config.colormap'],
    [{ type: 'singleband', config: { bands: '1', rescale: [[1, 2, 3]] } }, 'config.rescale'],
    [{ type: 'singleband', config: { bands: '1', padding: 'x'.repeat(100_000) } }, 'config'],
    [{ type: 'singleband', config: { bands: '1' }, asset_key: 'other' }, 'asset_key'],
  ]
  for (const [input, path] of faulty) {
    await assert.rejects(
      create(item_id, 'faulty', input),
      refused('validation', path),
      JSON.stringify(input).slice(0, 99),
    )
  }
  assert.deepEqual(await list(item_id), [])
  const { item_id: bare } = await deliver(world.owner, world.project)
  await create(bare, 'later', { type: 'rgb', config: { bands: '3,2,1' } })
  await assert.rejects(
    create(bare, 'never', { type: 'expression', config: { expression: '(' } }),
    refused('validation'),
  )
})

test('one profile is the default; when it is deleted the next in order becomes the default', async () => {
  const item_id = await newItem()
  const gray = (band: number, more: Input) => ({ type: 'singleband', config: { bands: [band] }, ...more })
  const first = await create(item_id, 'first', gray(1, { sort_order: 5, is_default: true }))
  const second = await create(item_id, 'second', gray(2, { sort_order: 1, is_default: true }))
  const third = await create(item_id, 'third', gray(3, { sort_order: 3 }))
  const order = async () => (await list(item_id)).map(({ name, is_default }) => (is_default ? `${name}!` : name))
  assert.deepEqual(await order(), ['second!', 'third', 'first'])

  const chosen = await ask<VisualizationProfile>(setDefaultProfile, { item_id, profile_id: first.id })
  assert.deepEqual([chosen.is_default, chosen.version], [true, 1])
  assert.deepEqual(await order(), ['second', 'third', 'first!'])
  assert.deepEqual(await ask(removeProfile, { item_id, profile_id: first.id }), { ok: true, id: first.id })
  assert.deepEqual(await order(), ['second!', 'third'])
  assert.deepEqual((await draw(item_id)).body, (await draw(item_id, { bands: '2' })).body)

  house.clock.advance(1000)
  const changed = await ask<VisualizationProfile>(changeProfile, {
    item_id,
    profile_id: third.id,
    name: 'Third',
    is_default: true,
    sort_order: 0,
    config: { bands: [4] },
  })
  assert.deepEqual([changed.version, changed.name, changed.config], [2, 'Third', { bands: [4] }])
  assert.ok(changed.updated_at > changed.created_at)
  assert.deepEqual(await order(), ['Third!', 'second'])
  await ask(removeProfile, { item_id, profile_id: second.id })
  await ask(removeProfile, { item_id, profile_id: third.id })
  assert.deepEqual(await order(), [])
})

test('profile names are unique per item ignoring case, and profiles require access to their item', async () => {
  const [item_id, other] = [await newItem(), await newItem()]
  const made = await create(item_id, 'Mine')
  await create(other, 'Mine')
  await assert.rejects(create(item_id, 'mine'), refused('name-taken'))
  const second = await create(item_id, 'second')
  await assert.rejects(ask(changeProfile, { item_id, profile_id: second.id, name: 'MINE' }), refused('name-taken'))
  const invalid = { item_id, profile_id: second.id, type: 'rgb' }
  await assert.rejects(ask(changeProfile, invalid), refused('validation', 'config.expression'))
  assert.equal((await list(item_id))[1]!.version, 1, 'a rejected update changes nothing')

  const stranger = await house.organize()
  const viewer = await world.person('member')
  const one = { item_id, profile_id: made.id }
  for (const handler of [getProfile, changeProfile, removeProfile, setDefaultProfile]) {
    await assert.rejects(ask(handler, one, stranger.owner), refused('not-found'))
    await assert.rejects(ask(handler, one, viewer), refused('not-a-member'))
    await assert.rejects(ask(handler, { item_id: other, profile_id: made.id }), refused('not-found'))
  }
  assert.equal((await list(item_id)).length, 2)
})

test('a default profile of a missing or another asset is not applied', async () => {
  const asset = await storeRaster(house.blobs, scene, sceneBands)
  const extra = { ...(await storeRaster(house.blobs, scene, sceneBands)), key: 'data_2' }
  const { item_id } = await deliver(world.owner, world.project, { assets: [asset, extra] })
  await create(item_id, 'of the second', { ...ndvi, asset_key: 'data_2', is_default: true })
  const index = await draw(item_id, ndvi.config)
  assert.deepEqual((await draw(item_id)).body, index.body)
  assert.deepEqual((await draw(item_id, { asset_key: 'data_2' })).body, index.body)
  assert.deepEqual((await draw(item_id, { asset_key: 'data' })).body, (await draw(item_id, { bands: '3,2,1' })).body)
})

test('TileJSON has the profile in its tile URLs', async () => {
  const item_id = await newItem()
  await create(item_id, 'a & b')
  const { tiles } = await ask<TileJson>(describeItemTiles, { item_id, profile: 'a & b', asset_key: 'data' })
  assert.match(tiles[0]!, /\{y\}\.webp\?profile=a%20%26%20b&asset_key=data$/)
  await assert.rejects(ask(describeItemTiles, { item_id, profile: 'none' }), refused('not-found'))
})

test('copyProfiles copies the profiles of an item with new ids', async () => {
  const [from, to] = [await newItem(), await newItem()]
  await create(from, 'one', { ...ndvi, is_default: true, sort_order: 2 })
  const two = await create(from, 'two')
  await ask(changeProfile, { item_id: from, profile_id: two.id, sort_order: 1 })
  await world.owner.transaction((tx) => copyProfiles(tx, world.owner, from, to))
  const copies = await list(to)
  assert.deepEqual(
    copies.map(({ name, is_default, version, config }) => [name, is_default, version, config]),
    [
      ['two', false, 1, ndvi.config],
      ['one', true, 1, ndvi.config],
    ],
  )
  assert.ok(copies.every(({ id, item_id }) => id !== two.id && item_id === to))
  assert.deepEqual((await draw(to)).body, (await draw(from)).body)
})
