import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  StacAggregations,
  StacCatalog,
  StacCollection,
  StacItem,
  StacQueryables,
  StacSearchResult,
} from '@swath/contract/schemas/stac.ts'
import { isOperationResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { operationHandlers } from '../handlers.ts'
import { callOperation } from '../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { square } from '../../../test/geometries.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let tenant: Awaited<ReturnType<typeof app.createOrganization>>
let owner: Call
let delivered: Awaited<ReturnType<typeof deliverItem>>

before(async () => {
  app = await openTestServices()
  tenant = await app.createOrganization()
  owner = tenant.owner
  const add = (at: string, cloud_cover: number | null, more: object) =>
    deliverItem(owner, tenant.project, { datetime: new Date(at), cloud_cover, ...more })
  delivered = await add('2024-01-31T23:59:59.999Z', 0, {
    properties: { rank: 1, tags: ['a'] },
    geometry: square(10, 50, 1),
  })
  const more = { collection_id: delivered.collection_id, properties: { rank: 'a' } }
  await add('2024-02-01T00:00:00Z', 10, more)
  await add('2023-12-05T00:00:00Z', 99.5, more)
  await add('2023-12-06T00:00:00Z', 100, { geometry: square(-20, -30, 2) })
  await add('2023-12-07T00:00:00Z', null, { geometry: null })
})
after(() => app.close())

async function ask<T>(id: string, input: object = {}, call = owner): Promise<T> {
  const { operation, handle } = operationHandlers.get(id)!
  const output = await handle(call, readCallInput(operation, input) as never)
  const document =
    isOperationResponse(output) && output.kind === 'serialized-json' ? JSON.parse([...output.chunks].join('')) : output
  requireValidOutput(operation, document)
  return document as T
}

const isNotFound = (error: unknown): boolean => error instanceof Problem && error.problem === 'not-found'

test('items are counted by month, by cloud cover and by collection', async () => {
  const { aggregations } = await ask<StacAggregations>('stac.aggregate')
  const named = (name: string) => aggregations.find((row) => row.name === name)!
  const counts = (name: string) => named(name).buckets!.map(({ key, frequency }) => [key, frequency])
  assert.equal(named('total_count').value, 5)
  assert.equal(named('datetime_min').value, '2023-12-05T00:00:00.000Z')
  assert.equal(named('datetime_max').value, '2024-02-01T00:00:00.000Z')
  assert.deepEqual(counts('datetime_frequency'), [
    ['2023-12-01T00:00:00.000Z', 3],
    ['2024-01-01T00:00:00.000Z', 1],
    ['2024-02-01T00:00:00.000Z', 1],
  ])
  assert.equal(named('datetime_frequency').buckets![0]!.to, '2024-01-01T00:00:00.000Z')
  assert.deepEqual(counts('cloud_cover_frequency'), [
    ['0-10', 1],
    ['10-20', 1],
    ['90-100', 2],
  ])
  assert.equal(named('cloud_cover_frequency').overflow, 1)
  assert.deepEqual(counts('collection_frequency')[0], [delivered.collection_id, 3])
})

test('aggregations apply the search conditions and return only the requested ones', async () => {
  const { aggregations } = await ask<StacAggregations>('stac.aggregate', {
    bbox: [-30, -40, -10, -20],
    aggregations: ['total_count'],
  })
  assert.deepEqual(aggregations, [{ name: 'total_count', data_type: 'integer', value: 1 }])
  const filter = { op: '=', args: [{ property: 'rank' }, 'a'] }
  assert.equal((await ask<StacAggregations>('stac.aggregate', { filter })).aggregations[0]?.value, 2)
  assert.equal((await ask<StacAggregations>('stac.aggregate', { ids: [] })).aggregations[0]?.value, 0)
})

test('collections have the extent of their items', async () => {
  const { collections } = await ask<{ collections: StacCollection[] }>('stac.collections.list')
  assert.equal(collections.length, 3)
  const own = collections.find(({ id }) => id === delivered.collection_id)!
  assert.deepEqual(own.extent, {
    spatial: { bbox: [[10, 50, 11, 51]] },
    temporal: { interval: [['2023-12-05T00:00:00.000Z', '2024-02-01T00:00:00.000Z']] },
  })
  assert.deepEqual(await ask('stac.collections.get', { collection_id: own.id }), own)
  assert.ok(collections.some(({ extent }) => extent.spatial.bbox[0]!.join() === '-180,-90,180,90'))
})

test('invisible collections and items appear in no response', async () => {
  const member = await tenant.createMemberCall('member')
  const other = await app.createOrganization()
  for (const call of [member, other.owner]) {
    assert.deepEqual((await ask<{ collections: unknown[] }>('stac.collections.list', {}, call)).collections, [])
    assert.equal((await ask<StacAggregations>('stac.aggregate', {}, call)).aggregations[0]?.value, 0)
    const { links } = await ask<StacCatalog>('stac.landing', {}, call)
    assert.deepEqual(
      links.filter(({ rel }) => rel === 'child'),
      [],
    )
    assert.ok(!('rank' in (await ask<StacQueryables>('stac.queryables', {}, call)).properties))
  }
  const { collection_id } = delivered
  await assert.rejects(ask('stac.collections.get', { collection_id }, other.owner), isNotFound)
  await assert.rejects(ask('stac.queryables', { collection_id }, other.owner), isNotFound)
  const item = { collection_id, stac_id: delivered.item_id }
  await assert.rejects(ask('stac.items.get', item, other.owner), isNotFound)
  await assert.rejects(ask('stac.items.list', { collection_id }, other.owner), isNotFound)
  await assert.rejects(ask('stac.items.get', item, member), { problem: 'not-a-member' })
  await assert.rejects(ask('stac.items.list', { collection_id }, member), { problem: 'not-a-member' })
})

test('a collection lists only its own items', async () => {
  const { collection_id } = delivered
  const { features, context } = await ask<StacSearchResult>('stac.items.list', { collection_id, limit: 1 })
  assert.deepEqual([features[0]!.collection, features.length, context.matched], [collection_id, 1, 3])
})

test('a page of items has self and next links for GET, and a next link with a body for POST', async () => {
  const { collection_id } = delivered
  const request = { collection_id, limit: 2, ids: ['a,b', delivered.item_id], base_url: 'https://swath.test' }
  const linksOf = async (more: object) => {
    const { links } = await ask<StacSearchResult>('stac.items.list', { ...request, ...more })
    return Object.fromEntries(links.map(({ rel, ...link }) => [rel, link]))
  }
  const url = `https://swath.test/assets/stac/collections/${collection_id}/items`
  const { self, next } = await linksOf({ link_method: 'GET' })
  const { origin, pathname, searchParams } = new URL(self!.href)
  assert.equal(`${origin}${pathname}`, url)
  assert.equal(searchParams.get('ids'), JSON.stringify(request.ids))
  assert.deepEqual(
    [searchParams.get('limit'), searchParams.get('page'), searchParams.get('collections')],
    ['2', null, null],
  )
  const defaultRequest = { ids: null, limit: 10, link_method: 'GET' }
  assert.equal((await linksOf(defaultRequest))['self']!.href, url, 'default values are not in the URL')
  assert.equal(next, undefined, 'a single page has no next link')
  const all = { ids: null, limit: 2 }
  const following = new URL((await linksOf({ ...all, link_method: 'GET' }))['next']!.href)
  assert.equal(`${following.origin}${following.pathname}`, url)
  assert.equal(following.searchParams.get('page'), '1')
  const token = following.searchParams.get('token')
  const posted = await linksOf(all)
  assert.equal(posted['self'], undefined)
  assert.deepEqual(posted['next'], {
    href: 'https://swath.test/v1/op/stac.items.list',
    type: 'application/geo+json',
    method: 'POST',
    body: { page: 1, token },
    merge: true,
  })
})

test('a page token is valid only for its page and search', async () => {
  const { collection_id } = delivered
  const request = { collection_id, limit: 2 }
  const { links } = await ask<StacSearchResult>('stac.items.list', request)
  const following = links.find(({ rel }) => rel === 'next')!.body as { page: number; token: string }
  const page = await ask<StacSearchResult>('stac.items.list', { ...request, ...following })
  assert.deepEqual([page.features.length, page.context.page], [1, 1])
  const changedRequests = [
    { page: 2 },
    { limit: 1 },
    { datetime: '2020-01-01T00:00:00Z/..' },
    { token: `${following.token}A` },
  ]
  for (const other of changedRequests) {
    await assert.rejects(ask('stac.items.list', { ...request, ...following, ...other }), { problem: 'validation' })
  }
})

test('an item is read by its collection and STAC id', async () => {
  const { collection_id, item_id } = delivered
  const item = await ask<StacItem>('stac.items.get', { collection_id, stac_id: item_id })
  assert.deepEqual([item.id, item.collection], [item_id, collection_id])
  await assert.rejects(ask('stac.items.get', { collection_id, stac_id: 'x' }), isNotFound)
  await assert.rejects(ask('stac.items.get', { collection_id: newId(), stac_id: item_id }), isNotFound)
})

test('queryables are the common item fields and the properties of items', async () => {
  const { properties, $id } = await ask<StacQueryables>('stac.queryables', { collection_id: delivered.collection_id })
  assert.deepEqual(properties['rank'], { type: ['number', 'string'] })
  assert.deepEqual(properties['tags'], { type: 'array' })
  assert.equal(properties['datetime']?.['format'], 'date-time')
  assert.match($id, /\/assets\/stac\/collections\/[0-9a-f-]+\/queryables$/)
})

test('queryables end with the last item that has them: deleted, or expired and not yet marked', async () => {
  const { owner: call, organization, project, createMemberCall } = await app.createOrganization()
  const { collection_id, item_id } = await deliverItem(call, project, { properties: { shared: 1, first: 'a' } })
  const second = await deliverItem(call, project, { collection_id, properties: { shared: true, second: [] } })
  const typesOf = async (input: object = {}, caller = call): Promise<Record<string, unknown>> => {
    const { properties } = await ask<StacQueryables>('stac.queryables', input, caller)
    return Object.fromEntries(['shared', 'first', 'second'].map((name) => [name, properties[name]?.['type']]))
  }
  const before = { shared: ['boolean', 'number'], first: 'string', second: 'array' }
  assert.deepEqual([await typesOf(), await typesOf({ collection_id })], [before, before])
  assert.deepEqual(await typesOf({}, await createMemberCall('member')), {
    shared: undefined,
    first: undefined,
    second: undefined,
  })
  await callOperation('items.delete', call, { item_id })
  assert.deepEqual(await typesOf(), { shared: 'boolean', first: undefined, second: 'array' })
  await callOperation('items.restore', call, { item_id })
  await app.database.unscoped.query(sql`
    update items set expires_at = ${app.clock.now()}, revision = revision + 1
    where organization_id = ${organization} and id = ${second.item_id}`)
  const after = { shared: 'number', first: 'string', second: undefined }
  assert.deepEqual([await typesOf(), await typesOf({ collection_id })], [after, after])
})
