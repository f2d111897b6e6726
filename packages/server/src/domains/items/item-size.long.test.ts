import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callOperation, rejectedWith } from '../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { isOperationResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { sql } from '../../platform/database/sql.ts'
import { sumStoredFileBytes, readQuotaUsageBytes } from '../usage/stored-bytes.ts'
import { computeNextOffset } from '../../engine/page.ts'
import { createItemPageResponse } from './search/item-page.ts'
import { defaultPageByteLimits, type PageByteLimits } from './search/page-size.ts'
import { unfilteredSearch } from './search/search.ts'
import { createSingleProjectSearchScope } from './search/store.scope.ts'
import { listFoundItemRows } from './search/store.search.ts'
import { listItemRows } from './store.ts'
import { tombstoneItems } from './tombstone.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

const limit_bytes = 256 * 1024
const message = `gives the item more than ${limit_bytes} bytes of metadata`

const isTooLarge = (path: string) => (error: unknown) => {
  assert.ok(error instanceof Problem && error.problem === 'validation', String(error))
  assert.deepEqual(error.extra['errors'], [{ path, message }])
  return true
}

const itemCreator =
  (owner: Call, project_id: string) =>
  (properties: object): Promise<{ id: string }> =>
    callOperation('items.create', owner, { project_id, name: 'x', type: 'satellite_capture', properties })

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
  const { owner, project } = await app.createOrganization()
  const create = itemCreator(owner, project)
  const { id } = await create({ note: near })
  await assert.rejects(create({ note: long }), isTooLarge('properties'))
  await assert.rejects(create({ note: 'é'.repeat(limit_bytes / 2) }), isTooLarge('properties'))
  // 1e308 is five characters of JSON, but PostgreSQL prints 309.
  await assert.rejects(create({ numbers: Array.from({ length: 1000 }, () => 1e308) }), isTooLarge('properties'))

  await callOperation('items.update', owner, { item_id: id, properties: { note: near } })
  const change = (given: object) => callOperation('items.update', owner, { item_id: id, ...given })
  await assert.rejects(change({ properties: { note: long } }), isTooLarge('properties'))
  await assert.rejects(change({ description: 'é'.repeat(5000) }), isTooLarge('properties'))

  const assetInput = { item_id: id, key: 'data', href: 'https://files.example/a.tif', read: false }
  await assert.rejects(
    callOperation('assets.create', owner, { ...assetInput, properties: { note: 'x'.repeat(3000) } }),
    isTooLarge(''),
  )
  await callOperation('assets.create', owner, assetInput)
})

test('the limit applies to each Feature of a batch, including its assets and links', async () => {
  const { owner, project } = await app.createOrganization()
  const features = [
    feature('fits', { properties: { datetime: '2024-05-01T10:00:00Z', note: near } }),
    feature('by properties', { properties: { datetime: '2024-05-01T10:00:00Z', note: long } }),
    feature('by assets', { assets: { data: { href: 'https://files.example/a.tif', note: long } } }),
    feature('by links', { links: [{ rel: 'about', href: 'https://files.example/', title: long }] }),
  ]
  const { results } = await callOperation<{ results: { stac_id: string; refusal: { errors?: unknown } | null }[] }>(
    'items.batch_create',
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
  const { owner, project } = await app.createOrganization()
  const properties = { license: 'CC-BY-4.0', attribution: 'Somebody', note: long, 'view:off_nadir': 3 }
  const { item_id } = await deliverItem(owner, project, { properties })
  const { item } = await callOperation<{ item: { properties: Record<string, unknown> } }>('items.get', owner, {
    item_id,
  })
  assert.equal(item.properties['attribution'], 'Somebody')
  assert.equal(item.properties['view:off_nadir'], 3)
  assert.equal(item.properties['note'], undefined)
  assert.equal(item.properties['service:omitted_properties'], 1)
})

test('an item beyond the limit may shrink, but not grow', async () => {
  const { owner, project } = await app.createOrganization()
  const { id } = await itemCreator(owner, project)({})
  await app.database.unscoped.query(sql`
    update items set properties = jsonb_build_object('a', ${long}::text, 'b', ${long}::text), revision = revision + 1
    where organization_id = ${owner.organization} and id = ${id}`)
  await assert.rejects(callOperation('items.duplicate', owner, { item_id: id }), isTooLarge('properties'))
  await assert.rejects(
    callOperation('items.update', owner, { item_id: id, description: 'more' }),
    isTooLarge('properties'),
  )
  await callOperation('items.update', owner, { item_id: id, properties: { a: long } })
})

type Page = { items: { id: string }[]; next_offset: number | null }

test('pages of large flat items end early and return the next offset', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const create = itemCreator(owner, project)
  const ids: string[] = []
  for (const size of [100, 9000, 100, 100]) ids.unshift((await create({ note: 'x'.repeat(size) })).id)
  const reserved: number[] = []
  const call = { ...owner, reserveResponseBytes: (bytes: number) => void reserved.push(bytes) }
  const search = {
    ...unfilteredSearch,
    sort: [{ property: 'created', direction: 'desc' }] as const,
    after: null,
    now: owner.clock.now(),
  }
  const projects = createSingleProjectSearchScope(project)
  const now = owner.clock.now()
  const lists = {
    list: (offset: number, sizes: PageByteLimits) =>
      listItemRows(owner.db, organization, { project_id: project, now, limit: 3, offset }, sizes),
    search: async (offset: number, sizes: PageByteLimits) => {
      const found = await listFoundItemRows(
        owner.itemSearchDb,
        organization,
        { ...search, projects, limit: 3, offset },
        sizes,
      )
      return { page: found.page, total: found.matched }
    },
  }
  const readAllPages = async (list: (typeof lists)['list'], sizes: PageByteLimits): Promise<string[][]> => {
    const pages: string[][] = []
    for (let offset: number | null = 0; offset !== null;) {
      const { page, total } = await list(offset, sizes)
      const start: number = offset
      const pageMembers = (returned: number) => ({ next_offset: computeNextOffset(start, returned, total) })
      const answer = await createItemPageResponse(call, 'items', { page, pageMembers, sizes })
      const { items, next_offset } = (
        isOperationResponse(answer) ? JSON.parse([...answer.chunks].join('')) : answer
      ) as Page
      pages.push(items.map(({ id }) => id))
      offset = next_offset
    }
    return pages
  }
  for (const list of Object.values(lists)) {
    const [first = [], second = []] = await readAllPages(list, defaultPageByteLimits)
    assert.deepEqual([first.length, second.length], [3, 1])
    assert.deepEqual(reserved, [])
    assert.deepEqual([...first, ...second].toSorted(), ids.toSorted())
    const all = [...first, ...second]
    assert.deepEqual(
      await readAllPages(list, { max_bytes: 1, part_bytes: 1 }),
      all.map((id) => [id]),
    )
    assert.deepEqual((await readAllPages(list, { max_bytes: 4000, part_bytes: 1 })).flat(), all)
    assert.ok(reserved.splice(0).some((bytes) => bytes > 9000))
  }
})

/** The stored metadata total, and the sum over the rows. */
async function metadataBytes(call: Call): Promise<{ kept: number; counted: number }> {
  const [row] = await call.db.query<{ counted: number }>(sql`
    select coalesce(sum(metadata_bytes + geometry_bytes), 0)::bigint as counted from items
    where organization_id = ${call.organization}`)
  const files = await sumStoredFileBytes(call.db, call.organization)
  return { kept: (await readQuotaUsageBytes(call.db, call.organization)) - files, counted: row?.counted ?? 0 }
}

test('metadata counts as stored bytes from writing until its item is a tombstone', async () => {
  const { owner, project } = await app.createOrganization()
  const states: number[] = []
  const recordState = async (): Promise<void> => {
    const { kept, counted } = await metadataBytes(owner)
    assert.equal(kept, counted)
    states.push(kept)
  }
  await recordState()
  const { id } = await itemCreator(owner, project)({ note: 'x'.repeat(1000) })
  await recordState()
  await assert.rejects(itemCreator(owner, project)({ note: long }))
  await recordState()
  await callOperation('items.update', owner, {
    item_id: id,
    properties: {},
    geometry: { type: 'Point', coordinates: [1, 2] },
  })
  await recordState()
  const assetInput = {
    item_id: id,
    key: 'data',
    href: 'https://files.example/a.tif',
    read: false,
    properties: { note: near },
  }
  const asset = await callOperation<{ id: string }>('assets.create', owner, assetInput)
  await recordState()
  await callOperation('assets.delete', owner, { item_id: id, asset_id: asset.id })
  await recordState()
  await deliverItem(owner, project)
  await recordState()
  await owner.transaction((tx) => tombstoneItems(tx, owner, [id]))
  await recordState()
  const [none, created, refusedMore, smaller, withAsset, without, delivered, gone] = states as [number, ...number[]]
  assert.equal(none, 0)
  assert.ok(created! > 1000 && refusedMore === created && smaller! < created!)
  assert.ok(withAsset! > near.length && without! < 200 && delivered! > without! && gone! < delivered!)
  // The metadata of a deleted asset is cleared, because it is no longer counted.
  const [kept] = await owner.db.query<{ stac: object }>(sql`
    select stac from assets where organization_id = ${owner.organization} and id = ${asset.id}`)
  assert.deepEqual(kept?.stac, {})
})

test('writes that exceed the storage quota by metadata are quota-storage and change nothing', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const create = itemCreator(owner, project)
  const { id } = await create({})
  await app.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  await app.database.unscoped.query(sql`
    update storage_totals set file_bytes = 5000000000 - metadata_bytes - 100 where organization_id = ${organization}`)
  const more = { note: 'x'.repeat(1000) }
  await assert.rejects(create(more), rejectedWith('quota-storage'))
  await assert.rejects(
    callOperation('items.update', owner, { item_id: id, properties: more }),
    rejectedWith('quota-storage'),
  )
  await assert.rejects(
    callOperation('items.duplicate', owner, { item_id: id, new_name: 'y' }).then(() => create(more)),
    rejectedWith('quota-storage'),
  )
  const features = [feature('a', { properties: { datetime: '2024-05-01T10:00:00Z', ...more } })]
  await assert.rejects(
    callOperation('items.batch_create', owner, { project_id: project, type: 'satellite_capture', features }),
    rejectedWith('quota-storage'),
  )
  await callOperation('items.update', owner, { item_id: id, name: 'another' })
  const { kept, counted } = await metadataBytes(owner)
  assert.equal(kept, counted)
})
