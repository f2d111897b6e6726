import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import { insertItemRows } from '../../../platform/database/item-counts/write-items.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { createSingleProjectSearchScope } from '../search/store.scope.ts'
import { featureSearchStatement, searchPageQuery } from '../search/store.search-statements.ts'
import type { ItemSearch } from '../search/store.search-conditions.ts'
import { unfilteredSearch } from '../search/search.ts'
import { singleCollection } from '../search/store.collections.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let tenant: Awaited<ReturnType<typeof app.createOrganization>>

/** Id of a project and its collection, whose few items are older than all others. */
const oldId = newId()

/** A busy machine takes seconds for more rows in one statement, whose time is limited. */
const batch_size = 2_000

const insertItems = (rows: number, insert: Sql): Promise<unknown> =>
  tenant.owner.transaction((tx) => insertItemRows(tx, tenant.organization, { insert, rows }))

before(async () => {
  app = await openTestServices()
  tenant = await app.createOrganization()
  // A global grid of small squares, each with its own time.
  for (let first = 1; first <= 20_000; first += batch_size)
    await insertItems(
      batch_size,
      sql`
    insert into items as i (organization_id, id, project_id, stac_id, type, name, geometry, covers_from, covers_to, cloud_cover,
                       properties, created_at, updated_at)
    select ${tenant.organization}::uuid, gen_random_uuid(), ${tenant.project}::uuid, n::text, 'satellite_capture', n::text,
           ST_MakeEnvelope(x, y, x + 0.5, y + 0.5, 4326), at, at, n % 100, jsonb_build_object('platform', 'p' || n % 3), at, at
    from (select n, -180 + (n * 7 % 3590) * 0.1 as x, -80 + (n * 13 % 1590) * 0.1 as y,
                 timestamptz '2020-01-01' + n * interval '1 hour' as at
          from generate_series(${first}::int, ${first + batch_size - 1}::int) n) made`,
    )
  await app.database.unscoped.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${tenant.organization}, ${oldId}, 'Old', false, 'test', now(), now())`)
  await app.database.unscoped.query(sql`
    insert into collections (organization_id, id, project_id, name, show_on_map, layer_order, auto_created, created_at, updated_at)
    values (${tenant.organization}, ${oldId}, ${oldId}, 'Old', true, 0, false, now(), now())`)
  await insertItems(
    30,
    sql`
    insert into items as i (organization_id, id, project_id, collection_id, stac_id, type, name, covers_from, covers_to, created_at, updated_at)
    select ${tenant.organization}::uuid, gen_random_uuid(), ${oldId}::uuid, ${oldId}::uuid, 'old' || n, 'satellite_capture', 'old', at, at, at, at
    from (select n, timestamptz '2010-01-01' + n * interval '1 hour' as at from generate_series(1, 30) n) made`,
  )
  await app.database.runScript('analyze items; analyze item_counts; analyze item_months')
})
after(() => app.close())

const createSearch = (search: Partial<ItemSearch>): ItemSearch => ({
  ...unfilteredSearch,
  projects: createSingleProjectSearchScope(tenant.project),
  limit: 20,
  offset: 0,
  after: null,
  now: tenant.owner.clock.now(),
  ...search,
})

const explainSearch = async (search: Partial<ItemSearch>): Promise<string> => {
  const statement = featureSearchStatement(tenant.organization, createSearch(search))
  const rows = await tenant.owner.db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const cloudy = { property: 'eo:cloud_cover', operator: 'lt', value: 20 } as const
const platform = { property: 'platform', operator: 'eq', value: 'p1' } as const
const season = { from: new Date('2020-06-01'), to: new Date('2020-09-01') }

const spatial: [string, Partial<ItemSearch>][] = [
  ['a box', { boxes: [[10, 50, 11, 51]] }],
  [
    'a box across the antimeridian',
    {
      boxes: [
        [178, -20, 180, -16],
        [-180, -20, -178, -16],
      ],
    },
  ],
  ['a box and a time', { boxes: [[10, 50, 12, 52]], ...season }],
  [
    'a box, properties and a sort',
    { boxes: [[10, 50, 12, 52]], tests: [cloudy, platform], sort: [{ property: 'eo:cloud_cover', direction: 'asc' }] },
  ],
]

for (const [name, search] of spatial) {
  test(`a search by ${name} uses the spatial index under row-level security`, async () => {
    const plan = await explainSearch(search)
    assert.match(plan, /items_geometry/, plan)
    assert.doesNotMatch(plan, /Seq Scan on items/, plan)
  })
}

/** The statement that only checks that the caller reads all projects. */
const presumedProjects = () => ({ presumed: toSearchableProjectsSql(tenant.owner).all })

const plans: [name: string, search: () => Partial<ItemSearch>, index: string][] = [
  ['of all projects', () => ({ projects: toSearchableProjectsSql(tenant.owner) }), 'items_found'],
  ['of all projects, as presumed', () => ({ projects: presumedProjects() }), 'items_found'],
  [
    'of a collection, for a caller who is presumed to read all projects',
    () => ({ projects: presumedProjects(), collections: singleCollection(oldId) }),
    'items_collection_found',
  ],
  ['of one project', () => ({ projects: createSingleProjectSearchScope(oldId) }), 'items_project_found'],
  [
    'of a collection, for a caller who reads all projects',
    () => ({ projects: toSearchableProjectsSql(tenant.owner), collections: singleCollection(oldId) }),
    'items_collection_found',
  ],
]

for (const [name, search, index] of plans) {
  test(`newest first ${name} scans the index ${index}`, async () => {
    const [, page = ''] = /CTE page\n([^]*?)CTE texts/.exec(await explainSearch(search())) ?? []
    assert.match(page, new RegExp(`Index (Only )?Scan using ${index}`), page)
    assert.doesNotMatch(page, /Seq Scan on items/, page)
  })

  test(`sorted by datetime ${name} scans ${index} and the index of dated items`, async () => {
    const sort = [{ property: 'datetime', direction: 'desc' }] as const
    const [, page = ''] = /CTE page\n([^]*?)CTE texts/.exec(await explainSearch({ ...search(), sort })) ?? []
    for (const expectedIndex of [index, index.replace('found', 'dated')]) {
      assert.match(page, new RegExp(`Index (Only )?Scan using ${expectedIndex}`), page)
    }
    assert.doesNotMatch(page, /Seq Scan on items|Sort Method|Bitmap/, page)
  })
}

/** The partitions of items that a plan looks into, by a table or an index of theirs. */
const partitionsOf = (plan: string): string[] => [
  ...new Set([...plan.matchAll(/\bon items(_[a-z_]+)?_(\d+)\b/g)].map((match) => match[2]!)),
]

test('a search looks only into the partition of its organization', async () => {
  const [row] = await app.database.unscoped.query<{ partition: string }>(sql`
    select distinct tableoid::regclass::text as partition from items where organization_id = ${tenant.organization}`)
  const searches = [...spatial.map(([, search]) => search), ...plans.map(([, search]) => search()), { ids: ['1', '2'] }]
  for (const search of searches) {
    const plan = await explainSearch(search)
    assert.deepEqual(partitionsOf(plan), [row!.partition.replace('items_', '')], plan)
  }
})

test(
  'a spatial search starts no parallel workers, a search of properties may',
  skipOnCitus('the plan of a shard is not shown'),
  async () => {
    const plan = (search: Partial<ItemSearch>): Promise<string> =>
      tenant.owner.transaction(async (tx) => {
        for (const setting of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size'] as const)
          await tx.query(sql`select set_config(${setting}, '0', true)`)
        await tx.query(sql`select set_config('max_parallel_workers_per_gather', '2', true)`)
        const statement = featureSearchStatement(tenant.organization, createSearch(search))
        const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
    assert.match(await plan({ tests: [platform, cloudy] }), /Gather/)
    for (const search of [
      { boxes: [[10, -40, 30, 60]] as const },
      { boxes: [[10, 50, 11, 51]] as const, tests: [platform] },
    ])
      assert.doesNotMatch(await plan(search), /Gather/)
  },
)

test('counting all readable items scans only expired items', async () => {
  for (const projects of [
    createSingleProjectSearchScope(tenant.project),
    toSearchableProjectsSql(tenant.owner),
    presumedProjects(),
  ]) {
    const { page, matched } = searchPageQuery(tenant.organization, createSearch({ projects }))
    const rows = await tenant.owner.db.query<{ 'QUERY PLAN': string }>(sql`explain ${page} select ${matched} as n`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /item_counts/, plan)
    const counts = plan.slice(plan.search(/InitPlan \d+[^]*?item_counts/))
    const read = [...counts.matchAll(/[^\n]* on items_\d+ /g)].map(([line]) => line.trim().replaceAll(/_\d+/g, ''))
    assert.deepEqual(read, ['->  Index Only Scan using items_retention on items'], plan)
  }
})

test('row-level security hides the items from another organization without an organization condition', async () => {
  const other = await app.createOrganization()
  assert.deepEqual(await other.owner.db.query(sql`select count(*) as n from items`), [{ n: 0 }])
  assert.deepEqual(await other.owner.db.query(sql`select id from items where id = ${newId()}`), [])
})
