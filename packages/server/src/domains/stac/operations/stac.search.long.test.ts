import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StacItem, StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { isOperationResponse, splitSerializedEntries } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../../engine/input/read-input.ts'
import { sql } from '../../../platform/database/sql.ts'
import { updateItemRows } from '../../../platform/database/item-counts/write-items.ts'
import { newId } from '../../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { square } from '../../../../test/geometries.ts'
import { searchFeaturePage } from '../../items/search/search-features.ts'
import { handler as itemsGetStac } from '../../items/operations/items.get_stac.ts'
import { alignPageSize, defaultPageByteLimits, type PageByteLimits } from '../../items/search/page-size.ts'
import { unfilteredSearch } from '../../items/search/search.ts'
import type { SortCursor } from '../../items/search/store.sort.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { handler as stacSearch } from './stac.search.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let tenant: Awaited<ReturnType<typeof app.createOrganization>>
let owner: Call
const collections: Record<string, string> = {}

before(async () => {
  app = await openTestServices()
  tenant = await app.createOrganization()
  owner = tenant.owner
  const scenes = [
    {
      name: 'europe',
      at: '2024-06-01T10:00:00Z',
      geometry: square(10, 50, 1),
      cloud_cover: 5,
      properties: { rank: 2 },
    },
    {
      name: 'africa',
      at: '2023-06-01T10:00:00Z',
      geometry: square(20, 0, 1),
      cloud_cover: 50,
      properties: { rank: 10 },
    },
    {
      name: 'asia',
      at: '2022-06-01T10:00:00Z',
      geometry: square(100, 30, 1),
      cloud_cover: null,
      properties: { rank: 'a' },
    },
    { name: 'oslo', at: '2021-06-01T10:00:00Z', geometry: square(10, 60, 1), cloud_cover: 20, properties: {} },
  ]
  for (const { at, ...scene } of scenes) {
    const { collection_id } = await deliverItem(owner, tenant.project, { ...scene, datetime: new Date(at) })
    collections[scene.name] = collection_id
  }
})
after(() => app.close())

const search = async (input: Record<string, unknown>, call = owner): Promise<StacSearchResult> => {
  const read = readCallInput(stacSearch.operation, input)
  const output = await stacSearch.handle(call, read as never)
  assert.ok(isOperationResponse(output) && output.kind === 'serialized-json')
  const result = JSON.parse([...output.chunks].join('')) as StacSearchResult
  requireValidOutput(stacSearch.operation, result)
  return result
}

const titlesOf = ({ features }: StacSearchResult): unknown[] => features.map(({ properties }) => properties['title'])
const names = async (input: Record<string, unknown>, call = owner) => titlesOf(await search(input, call))

const refused = (input: Record<string, unknown>, problem: string, path = '') =>
  assert.rejects(search(input), (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.problem, problem)
    assert.ok(JSON.stringify(error.extra).includes(path), JSON.stringify(error.extra))
    return true
  })

/** A closed ring around a point with this number of vertices. */
const ringOf = (vertices: number): number[][] => {
  const ring = Array.from({ length: vertices - 1 }, (_, index) => {
    const angle = (2 * Math.PI * index) / (vertices - 1)
    return [10.5 + Math.cos(angle), 50.5 + Math.sin(angle)]
  })
  return [...ring, ring[0]!]
}
const polygon = (...coordinates: number[][][]) => ({ type: 'Polygon', coordinates })

test('a search without conditions returns ten items per page, newest first, with the exact count', async () => {
  const result = await search({})
  assert.deepEqual(titlesOf(result), ['europe', 'africa', 'asia', 'oslo'])
  assert.deepEqual(result.context, { returned: 4, matched: 4, page: 0, pages: 1 })
  assert.deepEqual((await search({ limit: 3, page: 1 })).context, { returned: 1, matched: 4, page: 1, pages: 2 })
  assert.deepEqual((await search({ limit: 3, page: 9 })).context, { returned: 0, matched: 4, page: 9, pages: 2 })
})

test('a Feature equals that of items.get_stac, cached or not', async () => {
  for (const base_url of ['', 'https://a.example/"quoted"', '']) {
    for (const feature of (await search({ base_url })).features) {
      const input = { item_id: String(feature.properties['service:item_id']), base_url }
      assert.deepEqual(feature, await itemsGetStac.handle(owner, input as never))
    }
  }
})

test('a filter by the type of the item on the platform returns the matching items', async () => {
  const filter = (type: string) => ({ filter: { op: '=', args: [{ property: 'service:item_type' }, type] } })
  assert.equal((await names(filter('satellite_capture'))).length, 4)
  assert.deepEqual(await names(filter('user_raster')), [])
})

test('a search by ids and collections returns the matching items', async () => {
  const { features } = await search({})
  assert.deepEqual(await names({ ids: [features[1]!.id, 'nobody', 'a\u0000b'] }), ['africa'])
  assert.deepEqual(await names({ collections: [collections['asia'], 'landsat', newId()] }), ['asia'])
  for (const nothing of [{ ids: [] }, { ids: ['x'] }, { collections: [] }, { collections: ['x'] }]) {
    assert.deepEqual((await search(nothing)).context, { returned: 0, matched: 0, page: 0, pages: 0 })
  }
})

test('datetime is an instant or an interval with open ends', async () => {
  assert.deepEqual(await names({ datetime: '2023-06-01T10:00:00Z' }), ['africa'])
  assert.deepEqual(await names({ datetime: '2023-01-01T00:00:00Z/..' }), ['europe', 'africa'])
  assert.deepEqual(await names({ datetime: '/2022-12-31T00:00:00Z' }), ['asia', 'oslo'])
  await refused({ datetime: '2023' }, 'validation', 'datetime')
})

test('a search by bbox or polygon returns intersecting items; an invalid polygon matches nothing', async () => {
  assert.deepEqual(await names({ bbox: [10.5, 50.5, 12, 52] }), ['europe'])
  assert.deepEqual(await names({ bbox: [90, -10, 30, 70] }), ['europe', 'africa', 'asia', 'oslo'])
  assert.deepEqual(await names({ bbox: [0, 70, 30, -10] }), [])
  const pageOptions = ringOf(50)
  assert.deepEqual(await names({ intersects: polygon(pageOptions) }), ['europe'])
  for (const ring of [
    pageOptions.slice(1),
    [pageOptions[0]!, pageOptions[1]!, pageOptions[0]!],
    [],
    [
      [0, 40],
      [30, 70],
      [30, 40],
      [0, 70],
      [0, 40],
    ],
    [
      [0, 40],
      [300, 40],
      [300, 70],
      [0, 40],
    ],
    [
      [0, 40],
      [1e308, 40],
      [30, 70],
      [0, 40],
    ],
  ]) {
    assert.deepEqual((await search({ intersects: polygon(ring) })).context.matched, 0, JSON.stringify(ring))
  }
  assert.deepEqual(await names({ intersects: { type: 'Polygon', coordinates: [] } }), [])
  const hole = [
    [9, 49],
    [12, 49],
    [12, 52],
    [9, 52],
    [9, 49],
  ]
  const outer = [
    [0, 40],
    [30, 40],
    [30, 70],
    [0, 70],
    [0, 40],
  ]
  assert.deepEqual(await names({ intersects: polygon(outer, hole) }), ['oslo'])
})

test('a polygon of 999 vertices is accepted, one of 1000 is rejected', async () => {
  assert.deepEqual(await names({ intersects: polygon(ringOf(999)) }), ['europe'])
  await refused({ intersects: polygon(ringOf(1000)) }, 'validation', 'intersects')
})

test('errors are checked in order: schema, exclusive parameters, filter language, geometry size', async () => {
  const shape = polygon(ringOf(1000))
  await refused({ bbox: [1, 2, 3], intersects: shape }, 'validation', 'bbox')
  await refused({ bbox: [1, 2, 3, 4, 5, 6] }, 'validation', 'bbox')
  await refused({ intersects: { type: 'Point', coordinates: [1, 2] } }, 'validation', 'intersects')
  await refused({ intersects: polygon([['a', 'b']] as never) }, 'validation', 'intersects')
  for (const bad of [
    { limit: 0 },
    { limit: 10_001 },
    { page: -1 },
    { query: {} },
    { sortby: [{ field: 'a', direction: 'up' }] },
  ]) {
    await refused(bad, 'validation', Object.keys(bad)[0])
  }
  await refused({ datetime: 'x', bbox: [0, 0, 1, 1], intersects: shape }, 'validation', 'datetime')
  await refused(
    { bbox: [0, 0, 1, 1], intersects: shape, filter: {}, 'filter-lang': 'cql2-text' },
    'conflicting-parameters',
  )
  await refused({ intersects: shape, filter: {}, 'filter-lang': 'cql2-text' }, 'unsupported-filter')
  await refused({ filter: 'gsd < 10', 'filter-lang': 'cql2-text' }, 'unsupported-filter')
  await refused({ filter: 'gsd < 10' }, 'validation')
  await refused({ filter: {}, 'filter-lang': 'CQL2-JSON' }, 'unsupported-filter')
  assert.equal(
    (await search({ 'filter-lang': 'cql2-text' })).context.matched,
    4,
    'the language is ignored without a filter',
  )
  assert.equal((await search({ filter: null, bbox: null, ids: null, 'filter-lang': null })).context.matched, 4)
})

test('a CQL2 filter is combined with the other conditions', async () => {
  const cloudy = { op: '>=', args: [{ property: 'eo:cloud_cover' }, 20] }
  assert.deepEqual(await names({ filter: cloudy }), ['africa', 'oslo'])
  assert.deepEqual(await names({ filter: cloudy, bbox: [0, 50, 30, 70], 'filter-lang': 'cql2-json' }), ['oslo'])
  await refused(
    { filter: { op: 'noSuch', args: [] }, bbox: [0, 0, 1, 1], intersects: polygon(ringOf(5)) },
    'conflicting-parameters',
  )
})

test('any property can be sorted: numbers, then text, then absent values, then by id', async () => {
  const by = (field: string, direction?: string) =>
    names({ sortby: [{ field, direction }].map((key) => JSON.parse(JSON.stringify(key))) })
  assert.deepEqual(await by('rank'), ['europe', 'africa', 'asia', 'oslo'])
  assert.deepEqual(await by('properties.rank', 'desc'), ['africa', 'europe', 'asia', 'oslo'])
  assert.deepEqual(await by('eo:cloud_cover', 'desc'), ['africa', 'oslo', 'europe', 'asia'])
  assert.deepEqual(await by('datetime', 'asc'), ['oslo', 'asia', 'africa', 'europe'])
  const { features } = await search({ sortby: [{ field: 'nothing' }] })
  const ids = features.map(({ properties }) => String(properties['service:item_id']))
  assert.deepEqual(ids, ids.toSorted())
})

test('consecutive pages return every item once in every sort order', async () => {
  const orders = [
    [],
    ['rank'],
    ['-rank'],
    ['eo:cloud_cover', '-title'],
    ['-eo:cloud_cover'],
    ['nothing'],
    ['-id'],
    ['description', '-rank'],
  ]
  for (const order of orders) {
    const sortby = order.map((name) => ({
      field: name.replace('-', ''),
      direction: name.startsWith('-') ? 'desc' : 'asc',
    }))
    const whole = await names({ sortby })
    const walked: unknown[] = []
    for (const page of [0, 1, 2, 3, 4]) walked.push(...(await names({ sortby, limit: 1, page })))
    assert.deepEqual(walked, whole, order.join())
    assert.deepEqual(await names({ sortby, limit: 2, page: 1 }), whole.slice(2), order.join())
  }
})

const linkTo = ({ links }: StacSearchResult, rel: string) => links.find((link) => link.rel === rel)

test('paging with tokens returns each item once while others are added', async () => {
  const walker = await app.createOrganization()
  const add = (name: string, day: number) =>
    deliverItem(walker.owner, walker.project, { name, datetime: new Date(Date.UTC(2024, 0, day)) })
  for (let day = 10; day < 20; day++) await add(`d${day}`, day)
  const seen: unknown[] = []
  let body: Record<string, unknown> = { limit: 3 }
  for (let page = 0; ; page++) {
    // A copy, because reading the input fills in defaults that a client does not send.
    const result = await search({ ...body }, walker.owner)
    assert.equal(result.context.page, page)
    seen.push(...titlesOf(result))
    await add(`new${page}`, 25 + page)
    assert.equal(result.context.matched, 10 + page)
    const next = linkTo(result, 'next')
    if (!next) break
    body = { ...body, ...next.body }
  }
  assert.deepEqual(seen, ['d19', 'd18', 'd17', 'd16', 'd15', 'd14', 'd13', 'd12', 'd11', 'd10'])
})

test('a search hides items of other projects and organizations, and expired or deleted ones', async () => {
  const other = await app.createOrganization()
  const member = await tenant.createMemberCall('member')
  assert.equal((await search({}, other.owner)).context.matched, 0)
  assert.equal((await search({}, member)).context.matched, 0)
  await app.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${tenant.organization}, ${tenant.project}, ${member.principal.user}, 'viewer', ${app.clock.now()}, ${app.clock.now()})`)
  assert.equal((await search({}, member)).context.matched, 4)
  const hide = async (change: 'expired' | 'deleted') => {
    const { item_id } = await deliverItem(other.owner, other.project, {})
    assert.equal((await search({}, other.owner)).context.matched, 1)
    const deleted_at = change === 'deleted' ? app.clock.now() : null
    const assignments = sql`lifecycle_state = ${change}, deleted_at = ${deleted_at}`
    await other.owner.transaction((tx) => updateItemRows(tx, other.organization, { ids: [item_id], assignments }))
    assert.equal((await search({}, other.owner)).context.matched, 0)
  }
  await hide('expired')
  await hide('deleted')
})

test('a cached Feature is regenerated when its item changes', async () => {
  const own = await app.createOrganization()
  const { item_id } = await deliverItem(own.owner, own.project, { name: 'before' })
  const title = async (): Promise<unknown> =>
    (await search({}, own.owner)).features.map((item: StacItem) => item.properties['title'])[0]
  assert.equal(await title(), 'before')
  assert.equal(await title(), 'before')
  await app.database.unscoped.query(sql`
    update items set name = 'after', revision = revision + 1 where organization_id = ${own.organization} and id = ${item_id}`)
  assert.equal(await title(), 'after')
})

const pageOptions = { projects: () => toSearchableProjectsSql(owner), base: 'https://swath.test' }

/** The item ids of all pages, each within the byte limits. */
async function readAllPages(sizes: PageByteLimits, reserved: number[] = []): Promise<string[][]> {
  const call = { ...owner, reserveResponseBytes: (bytes: number) => void reserved.push(bytes) }
  const pages: string[][] = []
  for (let after: SortCursor | null = null, more = true; more;) {
    const searchInput = { ...unfilteredSearch, projects: pageOptions.projects(), limit: 10, offset: 0, after }
    const { features, next } = await searchFeaturePage(call, searchInput, pageOptions.base, { sizes })
    pages.push(splitSerializedEntries(features).map((text) => (JSON.parse(text) as StacItem).id))
    after = next
    more = next !== null
  }
  return pages
}

test('a page ends early if it would be too large, with cached and uncached Features', async () => {
  const clearFeatureCache = sql`delete from item_features where organization_id = ${tenant.organization}`
  const [all = []] = await readAllPages(defaultPageByteLimits)
  assert.equal(all.length, 4)
  let reserved: number[] = []
  for (const round of ['unwritten', 'written']) {
    if (round === 'unwritten') await owner.db.query(clearFeatureCache)
    reserved = []
    // A page has at least one item; large pages reserve memory before reading.
    assert.deepEqual(
      await readAllPages({ max_bytes: 1, part_bytes: 1 }, reserved),
      all.map((id) => [id]),
      round,
    )
    assert.equal(reserved.length, 4)
    assert.ok(reserved.every((bytes) => bytes > 500))
  }
  const [one = 0, two = 0] = reserved
  const [first, ...others] = await readAllPages({ max_bytes: one + two, part_bytes: one })
  assert.deepEqual([first, others.flat()], [all.slice(0, 2), all.slice(2)])
  // Small pages reserve no memory: the HTTP layer accounts for them.
  reserved = []
  await readAllPages(defaultPageByteLimits, reserved)
  assert.deepEqual(reserved, [])
})

test('a page that ends early has a size that divides its start index', () => {
  assert.equal(alignPageSize(0, 13), 8)
  assert.equal(alignPageSize(0, 1), 1)
  assert.equal(alignPageSize(1000, 700), 500)
  assert.equal(alignPageSize(8, 7), 4)
  assert.equal(alignPageSize(7, 5), 1)
})
