import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, refused } from '../../../test/asking.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { isAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { sql } from '../../platform/database/sql.ts'
import { createAsset } from '../assets/assets.create.ts'
import { deleteAsset } from '../assets/assets.delete.ts'
import { storedBytes, usedBytes } from '../usage/stored-bytes.ts'
import { answerItems, nextOffset } from './item-page.ts'
import { createItems } from './items.batch_create.ts'
import { createItem } from './items.create.ts'
import { duplicateItem } from './items.duplicate.ts'
import { getItem } from './items.get.ts'
import { changeItem } from './items.update.ts'
import { pageSizes, type PageSizes } from './page-size.ts'
import { everything } from './search.ts'
import { onlyProject } from './store.scope.ts'
import { searchItems } from './store.search.ts'
import { listItems } from './store.ts'
import { entombItems } from './tombstone.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  house = await openHoldings()
})
after(() => house.close())

const limit_bytes = 256 * 1024
const message = `gives the item more than ${limit_bytes} bytes of metadata`

const tooLarge = (path: string) => (error: unknown) => {
  assert.ok(error instanceof Problem && error.problem === 'validation', String(error))
  assert.deepEqual(error.extra['errors'], [{ path, message }])
  return true
}

const creating =
  (owner: Call, project_id: string) =>
  (properties: object): Promise<{ id: string }> =>
    ask(createItem, owner, { project_id, name: 'x', type: 'satellite_capture', properties })

const feature = (id: string, more: object): object => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry: { type: 'Point', coordinates: [10, 50] },
  bbox: [10, 50, 10, 50],
  properties: { datetime: '2024-05-01T10:00:00Z' },
  assets: {},
  links: [],
  ...more,
})

const long = 'x'.repeat(limit_bytes)
const near = 'x'.repeat(limit_bytes - 2000)

test('item metadata beyond the limit is rejected by every operation that writes it', async () => {
  const { owner, project } = await house.organize()
  const create = creating(owner, project)
  const { id } = await create({ note: near })
  await assert.rejects(create({ note: long }), tooLarge('properties'))
  await assert.rejects(create({ note: 'é'.repeat(limit_bytes / 2) }), tooLarge('properties'))
  // 1e308 is five characters of JSON, but PostgreSQL prints 309.
  await assert.rejects(create({ numbers: Array.from({ length: 1000 }, () => 1e308) }), tooLarge('properties'))

  await ask(changeItem, owner, { item_id: id, properties: { note: near } })
  const change = (given: object) => ask(changeItem, owner, { item_id: id, ...given })
  await assert.rejects(change({ properties: { note: long } }), tooLarge('properties'))
  await assert.rejects(change({ description: 'é'.repeat(5000) }), tooLarge('properties'))

  const file = { item_id: id, key: 'data', href: 'https://files.example/a.tif', read: false }
  await assert.rejects(ask(createAsset, owner, { ...file, properties: { note: 'x'.repeat(3000) } }), tooLarge(''))
  await ask(createAsset, owner, file)
})

test('the limit applies to each Feature of a batch, including its assets and links', async () => {
  const { owner, project } = await house.organize()
  const features = [
    feature('fits', { properties: { datetime: '2024-05-01T10:00:00Z', note: near } }),
    feature('by properties', { properties: { datetime: '2024-05-01T10:00:00Z', note: long } }),
    feature('by assets', { assets: { data: { href: 'https://files.example/a.tif', note: long } } }),
    feature('by links', { links: [{ rel: 'about', href: 'https://files.example/', title: long }] }),
  ]
  const { results } = await ask<{ results: { stac_id: string; refusal: { errors?: unknown } | null }[] }>(
    createItems,
    owner,
    { project_id: project, type: 'satellite_capture', features },
  )
  assert.deepEqual(
    results.map(({ stac_id, refusal }) => [stac_id, refusal?.errors ?? null]),
    [
      ['fits', null],
      ['by properties', [{ path: 'properties', message }]],
      ['by assets', [{ path: 'assets', message }]],
      ['by links', [{ path: 'links', message }]],
    ],
  )
})

test('a delivery with too much metadata is accepted without its longest properties', async () => {
  const { owner, project } = await house.organize()
  const properties = { license: 'CC-BY-4.0', attribution: 'Somebody', note: long, 'view:off_nadir': 3 }
  const { item_id } = await deliver(owner, project, { properties })
  const { item } = await ask<{ item: { properties: Record<string, unknown> } }>(getItem, owner, { item_id })
  assert.equal(item.properties['attribution'], 'Somebody')
  assert.equal(item.properties['view:off_nadir'], 3)
  assert.equal(item.properties['note'], undefined)
  assert.equal(item.properties['service:omitted_properties'], 1)
})

test('an item beyond the limit may shrink, but not grow', async () => {
  const { owner, project } = await house.organize()
  const { id } = await creating(owner, project)({})
  await house.database.across.query(sql`
    update items set properties = jsonb_build_object('a', ${long}::text, 'b', ${long}::text), revision = revision + 1
    where organization_id = ${owner.organization} and id = ${id}`)
  await assert.rejects(ask(duplicateItem, owner, { item_id: id }), tooLarge('properties'))
  await assert.rejects(ask(changeItem, owner, { item_id: id, description: 'more' }), tooLarge('properties'))
  await ask(changeItem, owner, { item_id: id, properties: { a: long } })
})

type Page = { items: { id: string }[]; next_offset: number | null }

test('pages of large flat items end early and return the next offset', async () => {
  const { owner, project, organization } = await house.organize()
  const create = creating(owner, project)
  const ids: string[] = []
  for (const size of [100, 9000, 100, 100]) ids.unshift((await create({ note: 'x'.repeat(size) })).id)
  const reserved: number[] = []
  const call = { ...owner, reserve: (bytes: number) => void reserved.push(bytes) }
  const search = {
    ...everything,
    sort: [{ property: 'created', direction: 'desc' }] as const,
    after: null,
    now: owner.clock.now(),
  }
  const projects = onlyProject(project)
  const now = owner.clock.now()
  const lists = {
    list: (offset: number, sizes: PageSizes) =>
      listItems(owner.db, organization, { project_id: project, now, limit: 3, offset }, sizes),
    search: async (offset: number, sizes: PageSizes) => {
      const found = await searchItems(owner.searchDb, organization, { ...search, projects, limit: 3, offset }, sizes)
      return { page: found.page, total: found.matched }
    },
  }
  const walk = async (list: (typeof lists)['list'], sizes: PageSizes): Promise<string[][]> => {
    const pages: string[][] = []
    for (let offset: number | null = 0; offset !== null;) {
      const { page, total } = await list(offset, sizes)
      const start: number = offset
      const around = (returned: number) => ({ next_offset: nextOffset(start, returned, total) })
      const answer = await answerItems(call, page, 'items', around, sizes)
      const { items, next_offset } = (isAnswer(answer) ? JSON.parse([...answer.pieces].join('')) : answer) as Page
      pages.push(items.map(({ id }) => id))
      offset = next_offset
    }
    return pages
  }
  for (const list of Object.values(lists)) {
    const [first = [], second = []] = await walk(list, pageSizes)
    assert.deepEqual([first.length, second.length], [3, 1])
    assert.deepEqual(reserved, [])
    assert.deepEqual([...first, ...second].toSorted(), ids.toSorted())
    const all = [...first, ...second]
    assert.deepEqual(
      await walk(list, { longest_bytes: 1, part_bytes: 1 }),
      all.map((id) => [id]),
    )
    assert.deepEqual((await walk(list, { longest_bytes: 4000, part_bytes: 1 })).flat(), all)
    assert.ok(reserved.splice(0).some((bytes) => bytes > 9000))
  }
})

/** The stored metadata total, and the sum over the rows. */
async function sums(call: Call): Promise<{ kept: number; counted: number }> {
  const [row] = await call.db.query<{ counted: number }>(sql`
    select coalesce(sum(metadata_bytes + geometry_bytes), 0)::bigint as counted from items
    where organization_id = ${call.organization}`)
  const files = await storedBytes(call.db, call.organization)
  return { kept: (await usedBytes(call.db, call.organization)) - files, counted: row?.counted ?? 0 }
}

test('metadata counts as stored bytes from writing until its item is a tombstone', async () => {
  const { owner, project } = await house.organize()
  const states: number[] = []
  const look = async (): Promise<void> => {
    const { kept, counted } = await sums(owner)
    assert.equal(kept, counted)
    states.push(kept)
  }
  await look()
  const { id } = await creating(owner, project)({ note: 'x'.repeat(1000) })
  await look()
  await assert.rejects(creating(owner, project)({ note: long }))
  await look()
  await ask(changeItem, owner, { item_id: id, properties: {}, geometry: { type: 'Point', coordinates: [1, 2] } })
  await look()
  const file = {
    item_id: id,
    key: 'data',
    href: 'https://files.example/a.tif',
    read: false,
    properties: { note: near },
  }
  const asset = await ask<{ id: string }>(createAsset, owner, file)
  await look()
  await ask(deleteAsset, owner, { item_id: id, asset_id: asset.id })
  await look()
  await deliver(owner, project)
  await look()
  await owner.transaction((tx) => entombItems(tx, owner, [id]))
  await look()
  const [none, made, refusedMore, smaller, withAsset, without, delivered, gone] = states as [number, ...number[]]
  assert.equal(none, 0)
  assert.ok(made! > 1000 && refusedMore === made && smaller! < made!)
  assert.ok(withAsset! > near.length && without! < 200 && delivered! > without! && gone! < delivered!)
  // The metadata of a deleted asset is cleared, because it is no longer counted.
  const [kept] = await owner.db.query<{ stac: object }>(sql`
    select stac from assets where organization_id = ${owner.organization} and id = ${asset.id}`)
  assert.deepEqual(kept?.stac, {})
})

test('writes that exceed the storage quota by metadata are quota-storage and change nothing', async () => {
  const { owner, project, organization } = await house.organize()
  const create = creating(owner, project)
  const { id } = await create({})
  await house.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  await house.database.across.query(sql`
    update storage_totals set file_bytes = 5000000000 - metadata_bytes - 100 where organization_id = ${organization}`)
  const more = { note: 'x'.repeat(1000) }
  await assert.rejects(create(more), refused('quota-storage'))
  await assert.rejects(ask(changeItem, owner, { item_id: id, properties: more }), refused('quota-storage'))
  await assert.rejects(
    ask(duplicateItem, owner, { item_id: id, new_name: 'y' }).then(() => create(more)),
    refused('quota-storage'),
  )
  const features = [feature('a', { properties: { datetime: '2024-05-01T10:00:00Z', ...more } })]
  await assert.rejects(
    ask(createItems, owner, { project_id: project, type: 'satellite_capture', features }),
    refused('quota-storage'),
  )
  await ask(changeItem, owner, { item_id: id, name: 'another' })
  const { kept, counted } = await sums(owner)
  assert.equal(kept, counted)
})
