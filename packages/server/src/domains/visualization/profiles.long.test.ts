import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { VisualizationProfile } from '@swath/contract/schemas/profile.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { sceneInput, sceneBands, storeRasterAsset } from '../../../test/rasters.ts'
import { handler as itemsTileRender } from '../tiles/operations/items.tile.render.ts'
import { handler as itemsTileTilejson } from '../tiles/operations/items.tile.tilejson.ts'
import { copyVisualizationProfiles } from './profile.ts'
import { handler as visualizationProfileCreate } from './operations/visualization.profile.create.ts'
import { handler as visualizationProfileDelete } from './operations/visualization.profile.delete.ts'
import { handler as visualizationProfileGet } from './operations/visualization.profile.get.ts'
import { handler as visualizationProfileSetDefault } from './operations/visualization.profile.set_default.ts'
import { handler as visualizationProfileUpdate } from './operations/visualization.profile.update.ts'
import { handler as visualizationProfilesList } from './operations/visualization.profiles.list.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
const tile = findTileAt(10.45, 50.52, 14)

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
})
after(() => app.close())

type Input = Record<string, unknown>

async function invoke<T>(handler: OperationHandler, input: Input, call: Call = fixture.owner): Promise<T> {
  const response = await handler.handle(call, readCallInput(handler.operation, structuredClone(input)) as never)
  if (handler.operation.response_kind === 'json') requireValidOutput(handler.operation, response)
  return response as T
}

async function newItem(): Promise<string> {
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  return (await deliverItem(fixture.owner, fixture.project, { assets: [asset] })).item_id
}

const ndvi = { type: 'expression', config: { expression: '(nir-red)/(nir+red)', rescale: '-1,1', colormap: 'viridis' } }
const create = (item_id: string, name: string, more: Input = ndvi) =>
  invoke<VisualizationProfile>(visualizationProfileCreate, { item_id, name, ...more })
const list = async (item_id: string) =>
  (await invoke<{ profiles: VisualizationProfile[] }>(visualizationProfilesList, { item_id })).profiles
const renderTestTile = async (item_id: string, more: Input = {}) =>
  await invoke<BytesResponse>(itemsTileRender, { item_id, ...tile, format: 'png', ...more })

const hasProblem = (problem: string, path?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  if (path) assert.ok(JSON.stringify(error.extra['errors']).includes(`"${path}"`), error.message)
  return true
}

test('a profile applies its parameters by id, by name in any case, and as the default', async () => {
  const item_id = await newItem()
  const defaultTile = await renderTestTile(item_id)
  const created = await create(item_id, 'Green plants', { ...ndvi, is_default: true })
  assert.deepEqual(
    [created.layer, created.version, created.is_default, created.created_by],
    ['user', 1, true, fixture.owner.principal.id],
  )
  const explicitTile = await renderTestTile(item_id, ndvi.config)
  for (const profile of [created.id, created.id.toUpperCase(), 'Green plants', 'GREEN PLANTS', undefined]) {
    assert.deepEqual(
      (await renderTestTile(item_id, profile === undefined ? {} : { profile })).body,
      explicitTile.body,
      profile,
    )
  }
  const rescaledTile = await renderTestTile(item_id, { ...ndvi.config, rescale: '0,1' })
  assert.deepEqual(
    (await renderTestTile(item_id, { rescale: '0,1' })).body,
    rescaledTile.body,
    'parameters override the profile',
  )
  assert.deepEqual(
    (await renderTestTile(item_id, { bands: 'red,green,blue' })).body,
    defaultTile.body,
    'other bands ignore the profile',
  )
  assert.notEqual((await renderTestTile(item_id)).headers['etag'], defaultTile.headers['etag'])
  await assert.rejects(renderTestTile(item_id, { profile: 'other' }), hasProblem('not-found'))
})

test('a spectral index can be used as a profile without being stored', async () => {
  const item_id = await newItem()
  const profileTile = await renderTestTile(item_id, { profile: 'NDWI' })
  const explicitTile = { expression: '(b2 - b4) / (b2 + b4)', rescale: '-0.8,0.8', colormap: 'RdBu' }
  assert.deepEqual(profileTile.body, (await renderTestTile(item_id, explicitTile)).body)
  assert.deepEqual(
    (await renderTestTile(item_id, { profile: 'true-color' })).body,
    (await renderTestTile(item_id)).body,
  )
  await assert.rejects(
    renderTestTile(item_id, { profile: 'ndsi' }),
    hasProblem('not-found'),
    'there is no short-wave infrared band',
  )
  const storedProfile = await create(item_id, 'ndwi', { type: 'singleband', config: { bands: [1] } })
  assert.deepEqual(
    (await renderTestTile(item_id, { profile: 'ndwi' })).body,
    (await renderTestTile(item_id, { profile: storedProfile.id })).body,
  )
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
    gamma: 1.4,
    title: 'mine',
    stops: [1, 2],
  }
  const created = await create(item_id, 'lists', { type: 'rgb', config })
  const { profile } = await invoke<{ profile: VisualizationProfile }>(visualizationProfileGet, {
    item_id,
    profile_id: created.id,
  })
  assert.deepEqual(profile, created)
  assert.deepEqual(profile.config, config)
  const profileTile = await renderTestTile(item_id, { profile: 'lists' })
  assert.deepEqual(
    profileTile.body,
    (await renderTestTile(item_id, { bands: '4,3,2', rescale: '0,3000;0,4000;0,5000', gamma: 1.4 })).body,
  )
  const classes = { type: 'singleband', config: { bands: '1', colormap: { 300: '#ff0000' } } }
  await create(item_id, 'classes', classes)
  assert.deepEqual(
    (await renderTestTile(item_id, { profile: 'classes' })).body,
    (await renderTestTile(item_id, { bands: '1', colormap: '{"300":"#ff0000"}' })).body,
  )
})

test('a profile that cannot be rendered is rejected by field', async () => {
  const item_id = await newItem()
  const invalidInputs: [Input, string][] = [
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
    [{ type: 'singleband', config: { bands: '1', gamma: 0 } }, 'config.gamma'],
    [{ type: 'singleband', config: { bands: '1', gamma: '2' } }, 'config.gamma'],
    [{ type: 'singleband', config: { bands: '1', padding: 'x'.repeat(100_000) } }, 'config'],
    [{ type: 'singleband', config: { bands: '1' }, asset_key: 'other' }, 'asset_key'],
  ]
  for (const [input, path] of invalidInputs) {
    await assert.rejects(
      create(item_id, 'faulty', input),
      hasProblem('validation', path),
      JSON.stringify(input).slice(0, 99),
    )
  }
  assert.deepEqual(await list(item_id), [])
  const { item_id: itemWithoutRaster } = await deliverItem(fixture.owner, fixture.project)
  await create(itemWithoutRaster, 'later', { type: 'rgb', config: { bands: '3,2,1' } })
  await assert.rejects(
    create(itemWithoutRaster, 'never', { type: 'expression', config: { expression: '(' } }),
    hasProblem('validation'),
  )
})

test('one profile is the default; when it is deleted the next in order becomes the default', async () => {
  const item_id = await newItem()
  const gray = (band: number, more: Input) => ({ type: 'singleband', config: { bands: [band] }, ...more })
  const first = await create(item_id, 'first', gray(1, { sort_order: 5, is_default: true }))
  const second = await create(item_id, 'second', gray(2, { sort_order: 1, is_default: true }))
  const third = await create(item_id, 'third', gray(3, { sort_order: 3 }))
  const listNames = async () => (await list(item_id)).map(({ name, is_default }) => (is_default ? `${name}!` : name))
  assert.deepEqual(await listNames(), ['second!', 'third', 'first'])

  const newDefault = await invoke<VisualizationProfile>(visualizationProfileSetDefault, {
    item_id,
    profile_id: first.id,
  })
  assert.deepEqual([newDefault.is_default, newDefault.version], [true, 1])
  assert.deepEqual(await listNames(), ['second', 'third', 'first!'])
  assert.deepEqual(await invoke(visualizationProfileDelete, { item_id, profile_id: first.id }), {
    ok: true,
    id: first.id,
  })
  assert.deepEqual(await listNames(), ['second!', 'third'])
  assert.deepEqual((await renderTestTile(item_id)).body, (await renderTestTile(item_id, { bands: '2' })).body)

  app.clock.advance(1000)
  const changed = await invoke<VisualizationProfile>(visualizationProfileUpdate, {
    item_id,
    profile_id: third.id,
    name: 'Third',
    is_default: true,
    sort_order: 0,
    config: { bands: [4] },
  })
  assert.deepEqual([changed.version, changed.name, changed.config], [2, 'Third', { bands: [4] }])
  assert.ok(changed.updated_at > changed.created_at)
  assert.deepEqual(await listNames(), ['Third!', 'second'])
  await invoke(visualizationProfileDelete, { item_id, profile_id: second.id })
  await invoke(visualizationProfileDelete, { item_id, profile_id: third.id })
  assert.deepEqual(await listNames(), [])
})

test('profile names are unique per item ignoring case, and profiles require access to their item', async () => {
  const [item_id, other] = [await newItem(), await newItem()]
  const created = await create(item_id, 'Mine')
  await create(other, 'Mine')
  await assert.rejects(create(item_id, 'mine'), hasProblem('name-taken'))
  const second = await create(item_id, 'second')
  await assert.rejects(
    invoke(visualizationProfileUpdate, { item_id, profile_id: second.id, name: 'MINE' }),
    hasProblem('name-taken'),
  )
  const invalid = { item_id, profile_id: second.id, type: 'rgb' }
  await assert.rejects(invoke(visualizationProfileUpdate, invalid), hasProblem('validation', 'config.expression'))
  assert.equal((await list(item_id))[1]!.version, 1, 'a rejected update changes nothing')

  const otherOrganization = await app.createOrganization()
  const viewer = await fixture.createMemberCall('member')
  const one = { item_id, profile_id: created.id }
  for (const handler of [
    visualizationProfileGet,
    visualizationProfileUpdate,
    visualizationProfileDelete,
    visualizationProfileSetDefault,
  ]) {
    await assert.rejects(invoke(handler, one, otherOrganization.owner), hasProblem('not-found'))
    await assert.rejects(invoke(handler, one, viewer), hasProblem('not-a-member'))
    await assert.rejects(invoke(handler, { item_id: other, profile_id: created.id }), hasProblem('not-found'))
  }
  assert.equal((await list(item_id)).length, 2)
})

test('a default profile of a missing or another asset is not applied', async () => {
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  const extra = { ...(await storeRasterAsset(app.blobs, sceneInput, sceneBands)), key: 'data_2' }
  const { item_id } = await deliverItem(fixture.owner, fixture.project, { assets: [asset, extra] })
  await create(item_id, 'of the second', { ...ndvi, asset_key: 'data_2', is_default: true })
  const index = await renderTestTile(item_id, ndvi.config)
  assert.deepEqual((await renderTestTile(item_id)).body, index.body)
  assert.deepEqual((await renderTestTile(item_id, { asset_key: 'data_2' })).body, index.body)
  assert.deepEqual(
    (await renderTestTile(item_id, { asset_key: 'data' })).body,
    (await renderTestTile(item_id, { bands: '3,2,1' })).body,
  )
})

test('TileJSON has the profile in its tile URLs', async () => {
  const item_id = await newItem()
  await create(item_id, 'a & b')
  const { tiles } = await invoke<TileJson>(itemsTileTilejson, { item_id, profile: 'a & b', asset_key: 'data' })
  assert.match(tiles[0]!, /\{y\}\.webp\?profile=a%20%26%20b&asset_key=data$/)
  await assert.rejects(invoke(itemsTileTilejson, { item_id, profile: 'none' }), hasProblem('not-found'))
})

test('copyVisualizationProfiles copies the profiles of an item with new ids', async () => {
  const [from, to] = [await newItem(), await newItem()]
  await create(from, 'one', { ...ndvi, is_default: true, sort_order: 2 })
  const two = await create(from, 'two')
  await invoke(visualizationProfileUpdate, { item_id: from, profile_id: two.id, sort_order: 1 })
  await fixture.owner.transaction((tx) => copyVisualizationProfiles(tx, fixture.owner, from, to))
  const copies = await list(to)
  assert.deepEqual(
    copies.map(({ name, is_default, version, config }) => [name, is_default, version, config]),
    [
      ['two', false, 1, ndvi.config],
      ['one', true, 1, ndvi.config],
    ],
  )
  assert.ok(copies.every(({ id, item_id }) => id !== two.id && item_id === to))
  assert.deepEqual((await renderTestTile(to)).body, (await renderTestTile(from)).body)
})
