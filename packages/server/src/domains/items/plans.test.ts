import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { searchedProjects } from '../projects/access.ts'
import { onlyProject } from './store.scope.ts'
import { featuresStatement, pageQuery, type ItemSearch } from './store.search.ts'
import { everything } from './search.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>

/** Id of a project and its collection, whose few items are older than all others. */
const old = newId()

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  // A global grid of small squares, each with its own time.
  await house.database.across.query(sql`
    insert into items (organization_id, id, project_id, stac_id, type, name, geometry, covers_from, covers_to, cloud_cover,
                       properties, created_at, updated_at)
    select ${world.organization}::uuid, gen_random_uuid(), ${world.project}::uuid, n::text, 'satellite_capture', n::text,
           ST_MakeEnvelope(x, y, x + 0.5, y + 0.5, 4326), at, at, n % 100, jsonb_build_object('platform', 'p' || n % 3), at, at
    from (select n, -180 + (n * 7 % 3590) * 0.1 as x, -80 + (n * 13 % 1590) * 0.1 as y,
                 timestamptz '2020-01-01' + n * interval '1 hour' as at
          from generate_series(1, 20000) n) made`)
  await house.database.across.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${world.organization}, ${old}, 'Old', false, 'test', now(), now())`)
  await house.database.across.query(sql`
    insert into collections (organization_id, id, project_id, name, show_on_map, layer_order, auto_created, created_at, updated_at)
    values (${world.organization}, ${old}, ${old}, 'Old', true, 0, false, now(), now())`)
  await house.database.across.query(sql`
    insert into items (organization_id, id, project_id, collection_id, stac_id, type, name, covers_from, covers_to, created_at, updated_at)
    select ${world.organization}::uuid, gen_random_uuid(), ${old}::uuid, ${old}::uuid, 'old' || n, 'satellite_capture', 'old', at, at, at, at
    from (select n, timestamptz '2010-01-01' + n * interval '1 hour' as at from generate_series(1, 30) n) made`)
  await house.database.runScript('analyze items; analyze item_counts; analyze item_months')
})
after(() => house.close())

const searchOf = (search: Partial<ItemSearch>): ItemSearch => ({
  ...everything,
  projects: onlyProject(world.project),
  limit: 20,
  offset: 0,
  after: null,
  now: world.owner.clock.now(),
  ...search,
})

const planOf = async (search: Partial<ItemSearch>): Promise<string> => {
  const statement = featuresStatement(world.organization, searchOf(search))
  const rows = await world.owner.db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
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
    const plan = await planOf(search)
    assert.match(plan, /items_geometry/, plan)
    assert.doesNotMatch(plan, /Seq Scan on items/, plan)
  })
}

const plans: [name: string, search: () => Partial<ItemSearch>, index: string][] = [
  ['of all projects', () => ({ projects: searchedProjects(world.owner) }), 'items_found'],
  ['of one project', () => ({ projects: onlyProject(old) }), 'items_project_found'],
  [
    'of a collection, for a caller who reads all projects',
    () => ({ projects: searchedProjects(world.owner), collections: [old] }),
    'items_collection_found',
  ],
]

for (const [name, search, index] of plans) {
  test(`newest first ${name} scans the index ${index}`, async () => {
    const [, page = ''] = /CTE page\n([^]*?)CTE texts/.exec(await planOf(search())) ?? []
    assert.match(page, new RegExp(`Index (Only )?Scan using ${index}`), page)
    assert.doesNotMatch(page, /Seq Scan on items/, page)
  })

  test(`sorted by datetime ${name} scans ${index} and the index of dated items`, async () => {
    const sort = [{ property: 'datetime', direction: 'desc' }] as const
    const [, page = ''] = /CTE page\n([^]*?)CTE texts/.exec(await planOf({ ...search(), sort })) ?? []
    for (const one of [index, index.replace('found', 'dated')]) {
      assert.match(page, new RegExp(`Index (Only )?Scan using ${one}`), page)
    }
    assert.doesNotMatch(page, /Seq Scan on items|Sort Method|Bitmap/, page)
  })
}

test('counting all readable items scans only expired items', async () => {
  for (const projects of [onlyProject(world.project), searchedProjects(world.owner)]) {
    const { page, matched } = pageQuery(world.organization, searchOf({ projects }))
    const rows = await world.owner.db.query<{ 'QUERY PLAN': string }>(sql`explain with ${page} select ${matched} as n`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /item_counts/, plan)
    const counts = plan.slice(plan.search(/InitPlan \d+[^]*?item_counts/))
    const read = [...counts.matchAll(/[^\n]* on items /g)].map(([line]) => line.trim())
    assert.deepEqual(read, ['->  Index Only Scan using items_retention on items'], plan)
  }
})

test('row-level security hides the items from another organization without an organization condition', async () => {
  const other = await house.organize()
  assert.deepEqual(await other.owner.db.query(sql`select count(*) as n from items`), [{ n: 0 }])
  assert.deepEqual(await other.owner.db.query(sql`select id from items where id = ${newId()}`), [])
})
