import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { onlyProject } from './store.scope.ts'
import { featuresStatement, type ItemSearch } from './store.search.ts'
import { everything } from './search.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  // A grid of small squares over the globe, a time for each.
  await house.database.across.query(sql`
    insert into items (organization_id, id, project_id, stac_id, type, name, geometry, covers_from, covers_to, cloud_cover,
                       properties, created_at, updated_at)
    select ${world.organization}::uuid, gen_random_uuid(), ${world.project}::uuid, n::text, 'satellite_capture', n::text,
           ST_MakeEnvelope(x, y, x + 0.5, y + 0.5, 4326), at, at, n % 100, jsonb_build_object('platform', 'p' || n % 3), at, at
    from (select n, -180 + (n * 7 % 3590) * 0.1 as x, -80 + (n * 13 % 1590) * 0.1 as y,
                 timestamptz '2020-01-01' + n * interval '1 hour' as at
          from generate_series(1, 20000) n) made`)
  await house.database.runScript('analyze items')
})
after(() => house.close())

const searchOf = (search: Partial<ItemSearch>): ItemSearch => ({
  ...everything,
  projects: onlyProject(world.project),
  limit: 20,
  offset: 0,
  after: null,
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
  test(`${name}: the spatial index, behind row-level security`, async () => {
    const plan = await planOf(search)
    assert.match(plan, /items_geometry/, plan)
    assert.doesNotMatch(plan, /Seq Scan on items/, plan)
  })
}

test('newest first without a place reads the time index and does not sort', async () => {
  const [, page = ''] = /CTE readable\n([^]*)CTE texts/.exec(await planOf({})) ?? []
  assert.match(page, /Index (Only )?Scan using items_found/, page)
  assert.doesNotMatch(page, /Seq Scan on items|Sort/, page)
})

test('another organization sees nothing of it, even where a query forgets to say so', async () => {
  const other = await house.organize()
  assert.deepEqual(await other.owner.db.query(sql`select count(*) as n from items`), [{ n: 0 }])
  assert.deepEqual(await other.owner.db.query(sql`select id from items where id = ${newId()}`), [])
})
