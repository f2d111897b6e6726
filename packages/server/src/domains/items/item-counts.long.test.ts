import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StacAggregations, StacCollection } from '@swath/contract/schemas/stac.ts'
import { Problem } from '../../engine/problem.ts'
import { callOperation } from '../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { square } from '../../../test/geometries.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { addItems } from './add-item.ts'
import { updateRetentionEnds } from './retention/store.retention.ts'
import { softDeleteItems } from './soft-delete.ts'
import { markExpiringOrExpiredItems, markItemsPurged } from './store.item-lifecycle.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app?.close())

const noCollectionId = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** The stored counts of all organizations, and the same counts computed from the rows. */
async function storedAndComputedCounts(): Promise<[kept: object, fresh: object]> {
  const { unscoped } = app.database
  const stored = {
    counts: await unscoped.query(sql`
      select organization_id, project_id, collection_id, cloud, items, found from item_counts
      where items <> 0 or found <> 0 order by 1, 2, 3, 4`),
    months: await unscoped.query(sql`
      select organization_id, project_id, collection_id, month::text, found, west, south, east, north, earliest, latest, ends,
        least_clouds, most_clouds, finest, coarsest
      from item_months where found <> 0 or west is not null or earliest is not null order by 1, 2, 3, 4`),
    properties: await unscoped.query(sql`
      select organization_id, project_id, collection_id, name, type, found from item_properties order by 1, 2, 3, 4, 5`),
    bytes: await unscoped.query(sql`
      select organization_id, metadata_bytes from storage_totals where metadata_bytes <> 0 order by 1`),
  }
  const computed = {
    counts: await unscoped.query(sql`
      select organization_id, project_id, coalesce(collection_id, ${noCollectionId}) as collection_id,
        case when cloud_cover is null then -1 else least(floor(cloud_cover / 10), 9) end::integer as cloud,
        count(*) as items, count(*) filter (where lifecycle_state <> 'expired') as found
      from items where deleted_at is null group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
    months: await unscoped.query(sql`
      select organization_id, project_id, coalesce(collection_id, ${noCollectionId}) as collection_id,
        to_char(covers_from at time zone 'UTC', 'YYYY-MM-01') as month, count(*) as found,
        min(ST_XMin(geometry)) as west, min(ST_YMin(geometry)) as south, max(ST_XMax(geometry)) as east,
        max(ST_YMax(geometry)) as north, min(covers_from) as earliest, max(covers_from) as latest, max(covers_to) as ends,
        min(cloud_cover) as least_clouds, max(cloud_cover) as most_clouds, min(nullif(gsd, 0)) as finest,
        max(nullif(gsd, 0)) as coarsest
      from items where deleted_at is null and lifecycle_state <> 'expired' group by 1, 2, 3, 4 order by 1, 2, 3, 4`),
    properties: await unscoped.query(sql`
      select organization_id, project_id, coalesce(collection_id, ${noCollectionId}) as collection_id,
        p.key as name, jsonb_typeof(p.value) as type, count(*) as found
      from items cross join lateral jsonb_each(properties) p
      where deleted_at is null and lifecycle_state <> 'expired' and jsonb_typeof(p.value) <> 'null'
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`),
    bytes: await unscoped.query(sql`
      select organization_id, sum(metadata_bytes + geometry_bytes)::bigint as metadata_bytes from items group by 1 order by 1`),
  }
  return [stored, computed]
}

/** Compares the stored counts with the rows after each way in which items change. */
async function assertCountsAfterEveryChange(): Promise<void> {
  const { owner, organization, project } = await app.createOrganization()
  const other = await app.createOrganization()
  await deliverItem(other.owner, other.project)
  const a = await deliverItem(owner, project, {
    cloud_cover: 5,
    datetime: new Date('2024-01-31T23:59:59.999Z'),
    properties: { platform: 'a', quality: 3, empty: null },
  })
  const { collection_id } = a
  const b = await deliverItem(owner, project, {
    collection_id,
    cloud_cover: 100,
    geometry: square(-20, -5, 1),
    datetime: new Date('2024-02-01T00:00:00Z'),
    properties: { platform: 1, quality: 4 },
  })
  const c = await deliverItem(owner, project, { collection_id, datetime: new Date('2024-02-10T00:00:00Z') })
  const change = async (input: object): Promise<void> =>
    void (await callOperation('items.update', owner, { item_id: b.item_id, ...input }))
  const inTransaction = (work: Parameters<typeof owner.transaction>[0]) => () => owner.transaction(work)
  const now = app.clock.forOrganization(organization).now()
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    'an item is renamed': () => change({ name: 'other' }),
    'an item at the edge of the extent moves inwards': () => change({ geometry: square(0, 0, 1) }),
    'an item gets another cloud cover and datetime': () =>
      change({ cloud_cover: 12, datetime: '2023-05-06T00:00:00Z' }),
    'properties of an item are renamed, removed and get another type': () =>
      change({ properties: { sensor: 'x', quality: 'good' } }),
    'the last item of a month loses its geometry': () => change({ geometry: null }),
    'an item is deleted': () => callOperation('items.delete', owner, { item_id: a.item_id }),
    'an item is restored': () => callOperation('items.restore', owner, { item_id: a.item_id }),
    'the collection is deleted': () =>
      callOperation('collections.delete', owner, { project_id: project, collection_id }),
    'the collection is restored': () =>
      callOperation('collections.restore', owner, { project_id: project, collection_id }),
    'retention ends': inTransaction(async (tx) => {
      await tx.query(
        sql`update items set expires_at = ${now} where organization_id = ${organization} and id = ${b.item_id}`,
      )
      await markExpiringOrExpiredItems(tx, {
        organization,
        kind: 'expired',
        ids: [b.item_id],
        times: { before: now, now },
      })
    }),
    'two items become tombstones': inTransaction((tx) =>
      markItemsPurged(tx, organization, [b.item_id, c.item_id], now),
    ),
    'a deleted item stays out of a restored collection': async () => {
      await callOperation('items.delete', owner, { item_id: a.item_id })
      await callOperation('collections.delete', owner, { project_id: project, collection_id })
      await callOperation('collections.restore', owner, { project_id: project, collection_id })
    },
    'an item of a deleted collection is moved to another one before it is restored': async () => {
      await callOperation('items.restore', owner, { item_id: a.item_id })
      const { collection_id: other_id } = await deliverItem(owner, project)
      await callOperation('collections.delete', owner, { project_id: project, collection_id })
      await callOperation('items.update', owner, { item_id: a.item_id, collection_id: other_id })
      await callOperation('collections.restore', owner, { project_id: project, collection_id })
    },
    'the retention of the organization changes': inTransaction((tx) =>
      updateRetentionEnds(tx, organization, new Date('2030-01-01T00:00:00Z'), now),
    ),
    'more items than one statement updates are added and leave': async () => {
      const ids = Array.from({ length: 2_100 }, newId)
      const items = ids.map((id, index) => ({
        id,
        project_id: project,
        collection_id,
        type: 'derived_raster' as const,
        name: 'many',
        geometry: square(index % 150, 0, 1),
        datetime: new Date(Date.UTC(2025, index % 3, 1 + (index % 28))),
        properties: { [`name_${index % 600}`]: index },
      }))
      await owner.transaction((tx) => addItems(tx, owner, items))
      await owner.transaction((tx) => softDeleteItems(tx, owner, ids.slice(0, -1)))
    },
    'the project is deleted': () => callOperation('projects.delete', owner, { project_id: project }),
  }
  for (const [name, step] of Object.entries(steps)) {
    await step()
    const [stored, computed] = await storedAndComputedCounts()
    assert.deepEqual(stored, computed, name)
  }
}

test('stored counts and extents match the rows after every kind of change', () => assertCountsAfterEveryChange())

test('stored counts match the rows after concurrent changes of the same items and months', async () => {
  const { owner, project } = await app.createOrganization()
  const datetime = new Date('2024-05-05T00:00:00Z')
  const { item_id, collection_id } = await deliverItem(owner, project, { datetime })
  const { item_id: second_id } = await deliverItem(owner, project, { collection_id, datetime })
  const changes = Array.from({ length: 24 }, (_, index) => async (): Promise<unknown> => {
    const change = { item_id: index % 3 === 0 ? second_id : item_id, cloud_cover: (index * 7) % 100 }
    if (index % 6 === 5) return deliverItem(owner, project, { collection_id, datetime, cloud_cover: index })
    if (index === 10) return callOperation('collections.delete', owner, { project_id: project, collection_id })
    if (index === 16) return callOperation('items.delete', owner, { item_id: second_id })
    return callOperation('items.update', owner, {
      ...change,
      geometry: square(index, -index, 1),
      properties: { [`p_${index % 2}`]: 1 },
    })
  })
  const outcomes = await Promise.allSettled(changes.map((change) => change()))
  // An item or a collection may be deleted before it is changed; nothing else fails.
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.deepEqual(
    failures.filter((error) => !(error instanceof Problem)),
    [],
  )
  const [stored, computed] = await storedAndComputedCounts()
  assert.deepEqual(stored, computed)
})

test('lists, searches and aggregates return exact counts of what the caller may read', async () => {
  const { owner, organization, project, createMemberCall } = await app.createOrganization()
  const member = await createMemberCall('member')
  const [first, second] = [newId(), newId()]
  for (const id of [first, second]) {
    await app.database.unscoped.query(sql`
      insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
      values (${organization}, ${id}, ${id}, false, 'test', ${app.clock.now()}, ${app.clock.now()})`)
  }
  await app.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${organization}, ${first}, ${member.principal.user}, 'viewer', ${app.clock.now()}, ${app.clock.now()})`)
  const day = (text: string): Date => new Date(`${text}T00:00:00Z`)
  const { collection_id } = await deliverItem(owner, first, { datetime: day('2024-01-10'), cloud_cover: 5 })
  await deliverItem(owner, first, { collection_id, datetime: day('2024-03-10'), geometry: square(12, 50, 1) })
  await deliverItem(owner, second, { datetime: day('2024-02-10') })
  await deliverItem(owner, project, { datetime: day('2024-02-20') })

  const matched = async (call: typeof owner, input: object): Promise<[number, number]> => {
    const { numberMatched, features } = await callOperation<{ numberMatched: number; features: object[] }>(
      'items.search_org',
      call,
      { limit: 10, offset: 0, ...input },
    )
    return [numberMatched, features.length]
  }
  const spans: [input: object, all: number, own: number][] = [
    [{}, 4, 2],
    [{ datetime: '2024-01-10T00:00:00Z/2024-03-10T00:00:00Z' }, 4, 2],
    [{ datetime: '2024-01-10T00:00:00.001Z/2024-03-09T00:00:00Z' }, 2, 0],
    [{ datetime: '../2024-02-15T00:00:00Z' }, 2, 1],
    [{ datetime: '2024-02-15T00:00:00Z/..' }, 2, 1],
    [{ collections: [collection_id], limit: 1 }, 2, 2],
  ]
  for (const [input, all, own] of spans) {
    const name = JSON.stringify(input)
    const max_features = (input as { limit?: number }).limit ?? 10
    assert.deepEqual(await matched(owner, input), [all, Math.min(all, max_features)], `${name} of an owner`)
    assert.deepEqual(await matched(member, input), [own, Math.min(own, max_features)], `${name} of a member`)
  }
  // Offsets apply to the merged order.
  assert.deepEqual(await matched(owner, { offset: 3 }), [4, 1])
  assert.deepEqual(await matched(member, { offset: 1 }), [2, 1])

  const total = async (call: typeof owner): Promise<unknown> => {
    const { aggregations } = await callOperation<StacAggregations>('stac.aggregate', call, {})
    return Object.fromEntries(
      aggregations.map(({ name, value, buckets }) => [
        name,
        buckets?.map(({ key, frequency }) => [key, frequency]) ?? value,
      ]),
    )
  }
  assert.deepEqual(await total(member), {
    total_count: 2,
    datetime_min: '2024-01-10T00:00:00.000Z',
    datetime_max: '2024-03-10T00:00:00.000Z',
    datetime_frequency: [
      ['2024-01-01T00:00:00.000Z', 1],
      ['2024-03-01T00:00:00.000Z', 1],
    ],
    cloud_cover_frequency: [['0-10', 1]],
    collection_frequency: [[collection_id, 2]],
  })
  const { collections } = await callOperation<{ collections: StacCollection[] }>('stac.collections.list', member, {})
  assert.deepEqual(
    collections.map(({ extent }) => extent),
    [
      {
        spatial: { bbox: [[10, 50, 13, 51]] },
        temporal: { interval: [['2024-01-10T00:00:00.000Z', '2024-03-10T00:00:00.000Z']] },
      },
    ],
  )
})

test('an expired item is not in list counts before a sweep has marked it', async () => {
  const { owner, organization, project } = await app.createOrganization()
  const { item_id, collection_id } = await deliverItem(owner, project)
  await deliverItem(owner, project, { collection_id })
  await app.database.unscoped.query(sql`
    update items set expires_at = ${app.clock.now()} where organization_id = ${organization} and id = ${item_id}`)
  const window = { limit: 10, offset: 0 }
  for (const [list, input] of [
    ['items.list', { project_id: project, uncollected: false }],
    ['items.list', { project_id: project, collection_id, uncollected: false }],
    ['items.list_by_collection', { collection_id }],
  ] as const) {
    const { items, total } = await callOperation<{ items: object[]; total: number }>(list as never, owner, {
      ...input,
      ...window,
    })
    assert.deepEqual([items.length, total], [1, 1])
  }
  const { items, total } = await callOperation<{ items: object[]; total: number }>('items.list', owner, {
    project_id: project,
    uncollected: true,
    ...window,
  })
  assert.deepEqual([items.length, total], [0, 0])
  const { collections } = await callOperation<{ collections: { item_count: number }[] }>('collections.list', owner, {
    project_id: project,
  })
  assert.deepEqual(
    collections.map(({ item_count }) => item_count),
    [2],
  )
})
