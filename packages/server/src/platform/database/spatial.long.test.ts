import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { explainStatement } from '../../../test/explain.ts'
import { newId } from '../ids.ts'
import type { Database } from './database.ts'
import { getSqlState } from './database.ts'
import type { Sql } from './sql.ts'
import { sql } from './sql.ts'

let database: Database
const [ownOrganization, otherOrganization] = [newId(), newId()]
const rows = 20_000

before(async () => {
  database = await openTestDatabase()
  await database.runScript(`
    create table places (
      organization_id uuid not null, id uuid not null, at timestamptz not null, shape geometry(Polygon, 4326) not null,
      primary key (organization_id, id));
    create index places_shape on places using gist (shape);
    select swath_tenant_table('places');`)
  for (const organization of [ownOrganization, otherOrganization]) {
    await database.unscoped.query(sql`
      insert into places (organization_id, id, at, shape)
      select ${organization}, gen_random_uuid(), now() - n * interval '1 minute',
        st_makeenvelope(n % 360 - 180, n / 360 % 160 - 80, n % 360 - 179.9, n / 360 % 160 - 79.9, 4326)
      from generate_series(1, ${rows}) as n`)
  }
  await database.runScript('analyze places')
})
after(() => database.close())

const box = sql`st_makeenvelope(10, 10, 12, 12, 4326)`
const searches: Readonly<Record<string, Sql>> = {
  overlaps: sql`select id from places where organization_id = ${ownOrganization} and shape && ${box}`,
  intersects: sql`select id from places where organization_id = ${ownOrganization} and st_intersects(shape, ${box})`,
  newest: sql`
    select id from places where organization_id = ${ownOrganization} and st_intersects(shape, ${box})
    order by at desc, id desc limit 20`,
}

test('searches under row-level security use the spatial index', async () => {
  assert.equal(database.spatial_policy, 'leakproof')
  for (const [name, statement] of Object.entries(searches)) {
    const plan = await explainStatement(database.forItemSearch(ownOrganization), statement)
    assert.ok(
      plan.some((node) => node.index === 'places_shape'),
      `${name} does not use the index on geometry`,
    )
    assert.ok(
      !plan.some((node) => node.type === 'Seq Scan' && node.relation === 'places'),
      `${name} reads the whole table`,
    )
  }
})

test('without leakproof predicates the app role cannot use the index, and search runs as the across role', async () => {
  const setLeakproof = (attribute: string): Promise<void> =>
    database.runScript(`
      alter function geometry_overlaps(geometry, geometry) ${attribute};
      alter function st_intersects(geometry, geometry) ${attribute}`)
  await setLeakproof('not leakproof')
  await database.refresh()
  try {
    assert.equal(database.spatial_policy, 'across')
    const organizationPlan = await explainStatement(database.forOrganization(ownOrganization), searches['overlaps']!)
    assert.ok(!organizationPlan.some((node) => node.index === 'places_shape'))
    const searchPlan = await explainStatement(database.forItemSearch(ownOrganization), searches['overlaps']!)
    assert.ok(searchPlan.some((node) => node.index === 'places_shape'))
  } finally {
    await setLeakproof('leakproof')
    await database.refresh()
  }
})

test('a search returns only rows of its organization', async () => {
  const items = await database.forItemSearch(otherOrganization).query(searches['intersects']!)
  assert.deepEqual(items, [])
  const [count] = await database.forItemSearch(ownOrganization).query<{ count: number }>(sql`
    select count(*) as count from places where shape && ${box}`)
  const [all] = await database.unscoped.query<{ count: number }>(
    sql`select count(*) as count from places where shape && ${box}`,
  )
  assert.equal(all!.count, 2 * count!.count)
})

test('an overlay of invalid geometry is an ordinary SQL error, thousands of times', async () => {
  const overlay = sql`
    select st_area(st_intersection(
      ${'POLYGON((0 0,10 10,0 10,10 0,0 0))'}::geometry,
      ${'POLYGON((0 0,10 0,10 10,0 10,0 0),(5 5,15 5,15 8,5 8,5 5))'}::geometry))`
  const isGeometryError = (error: unknown): boolean => ['22023', 'XX000'].includes(getSqlState(error) ?? '')
  for (let at = 0; at < 3_000; at += 1) {
    await database.unscoped.query(overlay).then(
      () => assert.fail('no error'),
      (error: unknown) => assert.ok(isGeometryError(error), String(error)),
    )
  }
  await assert.rejects(
    database.unscoped.transaction(async (tx) => {
      await tx.query(sql`delete from places`)
      await tx.query(overlay)
    }),
    isGeometryError,
  )
  assert.deepEqual(await database.unscoped.query(sql`select count(*) as count from places`), [{ count: 2 * rows }])
})
