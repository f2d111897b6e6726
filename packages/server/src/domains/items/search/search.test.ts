import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { square } from '../../../../test/geometries.ts'
import { handler as itemsSearch } from '../operations/items.search.ts'
import { handler as itemsSearchOrg } from '../operations/items.search_org.ts'
import { splitBboxAtAntimeridian } from './search.ts'
import type { ItemSearchPage } from './search-items.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let project: string
let owner: Call

const scenes: Record<
  string,
  {
    geometry: Geometry
    datetime: Date | null
    properties?: Record<string, unknown>
    cloud_cover?: number
    start_datetime?: Date
    end_datetime?: Date
  }
> = {
  europe: {
    geometry: square(10, 50, 1),
    datetime: new Date('2024-06-01T10:00:00Z'),
    cloud_cover: 5,
    properties: { platform: 'sentinel-2a', rank: 1, tags: ['a', 'b'] },
  },
  fiji: {
    geometry: {
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [179, -18],
            [180, -18],
            [180, -17],
            [179, -17],
            [179, -18],
          ],
        ],
        [
          [
            [-180, -18],
            [-179, -18],
            [-179, -17],
            [-180, -17],
            [-180, -18],
          ],
        ],
      ],
    },
    datetime: new Date('2023-01-01T00:00:00Z'),
    cloud_cover: 50,
    properties: { platform: 'sentinel-2b', rank: 10 },
  },
  season: {
    geometry: square(-80, 30, 2),
    datetime: null,
    start_datetime: new Date('2022-03-01T00:00:00Z'),
    end_datetime: new Date('2022-05-31T23:59:59.999Z'),
    properties: { platform: 'landsat-8', rank: 'high' },
  },
  undated: { geometry: square(0, 0, 1), datetime: null, properties: { rank: null } },
}

before(async () => {
  app = await openTestServices()
  const tenant = await app.createOrganization()
  project = tenant.project
  owner = tenant.owner
  for (const [name, scene] of Object.entries(scenes)) {
    await deliverItem(owner, project, { name, cloud_cover: null, properties: {}, ...scene })
  }
})
after(() => app.close())

const search = async (input: Record<string, unknown>): Promise<ItemSearchPage> => {
  const read = readCallInput(itemsSearch.operation, { project_id: project, ...input })
  return (await itemsSearch.handle(owner, read as never)) as ItemSearchPage
}

const names = async (input: Record<string, unknown>): Promise<string[]> =>
  (await search(input)).features.map((feature) =>
    'name' in feature ? feature.name : String(feature.properties['title']),
  )

const refused = (input: Record<string, unknown>, path: string) =>
  assert.rejects(search(input), (error) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.problem, 'validation')
    assert.ok(JSON.stringify(error.extra['errors']).includes(path), JSON.stringify(error.extra['errors']))
    return true
  })

test('a search without conditions returns all items newest first, and last those without a time', async () => {
  assert.deepEqual(await names({}), ['europe', 'fiji', 'season', 'undated'])
})

test('in the query extension a date is its whole day and a time without an offset is UTC', async () => {
  const at = (datetime: object) => names({ query: { datetime }, type: 'satellite_capture' })
  assert.deepEqual(await at({ eq: '2024-06-01' }), ['europe'])
  assert.deepEqual(await at({ eq: '2024-06-01T10:00:00' }), ['europe'])
  assert.deepEqual(await at({ lte: '2024-06-01', gte: '2024-06-01' }), ['europe'])
  assert.deepEqual(await at({ lt: '2024-06-01', gt: '2022-12-31' }), ['fiji'])
  assert.deepEqual(await at({ gt: '2024-06-01', lt: '2025-01-01' }), [])
  assert.deepEqual(await at({ in: ['2023-01-01', '2024-06-01'] }), ['europe', 'fiji'])
  assert.deepEqual(await at({ in: [] }), [])
})

test('a bbox matches items that it touches, also across the antimeridian', async () => {
  assert.deepEqual(await names({ bbox: [10.5, 50.5, 10.6, 50.6] }), ['europe'])
  assert.deepEqual(await names({ bbox: [11, 51, 12, 52] }), ['europe'], 'a shared corner touches')
  assert.deepEqual(await names({ bbox: [178, -19, -178, -16] }), ['fiji'])
  assert.deepEqual(await names({ bbox: [170, -19, 190, -16] }), ['fiji'])
  assert.deepEqual(await names({ bbox: [-179.5, -19, -179.4, -16] }), ['fiji'])
  assert.deepEqual(await names({ bbox: [179, 20, -179, 30] }), [])
  assert.deepEqual(await names({ bbox: [-180, -90, 180, 90] }), ['europe', 'fiji', 'season', 'undated'])
  assert.deepEqual(await names({ bbox: [10.5, 50.5, 10.5, 50.5] }), ['europe'], 'a degenerate bbox is a point')
  assert.deepEqual(await names({ bbox: [10, 52, 11, 50] }), [], 'south above north matches nothing')
  await refused({ bbox: [1, 2, 3] }, 'bbox')
})

test('a bbox beyond ±180 degrees is wrapped and split', () => {
  assert.deepEqual(splitBboxAtAntimeridian([-200, 0, -170, 1]), [
    [160, 0, 180, 1],
    [-180, 0, -170, 1],
  ])
  assert.deepEqual(splitBboxAtAntimeridian([-180, 0, 180, 1]), [[-180, 0, 180, 1]])
  assert.deepEqual(splitBboxAtAntimeridian([0, 0, 400, 1]), [[-180, 0, 180, 1]])
  assert.deepEqual(splitBboxAtAntimeridian([5, 1, 6, 0]), [])
})

test('datetime is an instant or interval with open ends, and matches items whose interval intersects', async () => {
  assert.deepEqual(await names({ datetime: '2024-06-01T10:00:00Z' }), ['europe'])
  assert.deepEqual(await names({ datetime: '2024-06-01T12:00:00+02:00' }), ['europe'])
  assert.deepEqual(await names({ datetime: '2022-04-01T00:00:00Z' }), ['season'], 'inside its season')
  assert.deepEqual(await names({ datetime: '2022-05-31T23:59:59.999Z/2022-12-31T00:00:00Z' }), ['season'])
  assert.deepEqual(await names({ datetime: '../2022-12-31T00:00:00Z' }), ['season', 'undated'])
  assert.deepEqual(await names({ datetime: '2023-01-01T00:00:00Z/..' }), ['europe', 'fiji'])
  assert.deepEqual(await names({ datetime: '2024-01-01T00:00:00Z/' }), ['europe'])
  assert.deepEqual(await names({ datetime: '/2022-12-31T00:00:00Z' }), ['season', 'undated'])
  for (const datetime of [
    'yesterday',
    '../../..',
    '/',
    '2024-06-02T00:00:00Z/2024-06-01T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-02-30T00:00:00Z',
    'a/b/c',
  ]) {
    await refused({ datetime }, 'datetime')
  }
})

test('the query extension compares values of the same type', async () => {
  assert.deepEqual(await names({ query: { 'eo:cloud_cover': { lt: 20 } } }), ['europe'])
  assert.deepEqual(await names({ query: { 'eo:cloud_cover': { gte: 5, lte: 50 } } }), ['europe', 'fiji'])
  assert.deepEqual(await names({ query: { platform: { eq: 'landsat-8' } } }), ['season'])
  assert.deepEqual(await names({ query: { platform: { neq: 'landsat-8' } } }), ['europe', 'fiji'])
  assert.deepEqual(await names({ query: { 'properties.platform': { startsWith: 'sentinel' } } }), ['europe', 'fiji'])
  assert.deepEqual(await names({ query: { platform: { endsWith: '2b' } } }), ['fiji'])
  assert.deepEqual(await names({ query: { platform: { contains: 'sat' } } }), ['season'])
  assert.deepEqual(await names({ query: { tags: { contains: 'b' } } }), ['europe'])
  assert.deepEqual(await names({ query: { rank: { in: [1, 'high'] } } }), ['europe', 'season'])
  assert.deepEqual(await names({ query: { rank: { gt: 1 } } }), ['fiji'], 'texts are not numbers')
  assert.deepEqual(await names({ query: { rank: { gt: 'a' } } }), ['season'])
  assert.deepEqual(await names({ query: { rank: { eq: null } } }), ['undated'])
  assert.deepEqual(await names({ query: { datetime: { gt: '2024-01-01T00:00:00Z' } } }), ['europe'])
  assert.deepEqual(await names({ query: { 'service:source': { eq: 'TASKING' } } }), [
    'europe',
    'fiji',
    'season',
    'undated',
  ])
  assert.deepEqual(await names({ query: { "x'; drop table items; --": { eq: 1 } } }), [])
  assert.deepEqual(await names({ query: { platform: { startsWith: '%' } } }), [])
  await refused({ query: { platform: { like: 'x' } } }, 'query.platform.like')
  await refused({ query: { platform: 'x' } }, 'query.platform')
  await refused({ query: { platform: { lt: { a: 1 } } } }, 'query.platform.lt')
  await refused({ query: { platform: { eq: 'a\u0000b' } } }, 'query.platform.eq')
  await refused({ query: { platform: { eq: 'a\ud800' } } }, 'query.platform.eq')
})

test('sorting puts numbers before texts and absent values last, in both directions', async () => {
  assert.deepEqual(await names({ sortby: [{ field: 'rank', direction: 'asc' }] }), [
    'europe',
    'fiji',
    'season',
    'undated',
  ])
  assert.deepEqual(await names({ sortby: [{ field: 'rank', direction: 'desc' }] }), [
    'fiji',
    'europe',
    'season',
    'undated',
  ])
  assert.deepEqual(await names({ sortby: [{ field: 'properties.eo:cloud_cover', direction: 'desc' }] }), [
    'fiji',
    'europe',
    'season',
    'undated',
  ])
  assert.deepEqual(await names({ sortby: [{ field: 'title' }] }), ['europe', 'fiji', 'season', 'undated'])
})

test('the count is exact on every page', async () => {
  assert.equal((await search({ limit: 1 })).numberMatched, 4)
  assert.equal((await search({ limit: 2, offset: 3 })).numberMatched, 4)
  assert.equal((await search({ limit: 2, offset: 40 })).numberMatched, 4)
  assert.equal((await search({ limit: 1, query: { 'eo:cloud_cover': { lt: 60 } } })).numberMatched, 2)
  await refused({ limit: 1001 }, 'limit')
})

test('an organization search returns only items of projects that the caller may read', async () => {
  const other = await app.createOrganization()
  await deliverItem(other.owner, other.project, { name: 'elsewhere' })
  const member = await other.createMemberCall('member')
  const find = async (call: Call) =>
    (await itemsSearchOrg.handle(call, readCallInput(itemsSearchOrg.operation, {}) as never)) as ItemSearchPage
  assert.equal((await find(owner)).numberMatched, 4)
  assert.equal((await find(other.owner)).numberMatched, 1)
  assert.deepEqual(await find(member), { type: 'FeatureCollection', features: [], numberMatched: 0, next_offset: null })
  await assert.rejects(
    async () => itemsSearch.handle(other.owner, readCallInput(itemsSearch.operation, { project_id: project }) as never),
    (error) => error instanceof Problem && error.problem === 'not-found',
  )
})
