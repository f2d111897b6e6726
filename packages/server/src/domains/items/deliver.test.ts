import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { checkOutput, readInput } from '../../engine/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { base, deliver, openHoldings } from '../../../test/holdings.ts'
import { square } from '../../../test/places.ts'
import { stacFaults } from '../../../test/stac-schemas.ts'
import { listCollections } from '../collections/collections.list.ts'
import { deleteItem } from './items.delete.ts'
import { downloadAsset } from './items.asset.download.ts'
import { getItem } from './items.get.ts'
import { getStacItem } from './items.get_stac.ts'
import { getItemLineage } from './items.lineage.ts'
import { listItems } from './items.list.ts'
import { listAssets } from './items.list_assets.ts'
import { listItemsOfCollection } from './items.list_by_collection.ts'
import type { DeliveredAsset } from './deliver.ts'
import { entombProject } from './tombstone.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  house = await openHoldings()
})
after(() => house.close())

/** Calls an operation like the pipeline: validates input and output. */
async function ask(handler: Handler, call: Call, input: Record<string, unknown>): Promise<Record<string, never>> {
  const output = await handler.answer(call, readInput(handler.operation, input) as never)
  checkOutput(handler.operation, output)
  return output as Record<string, never>
}

const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem)
  return true
}

const thumbnail = async (): Promise<DeliveredAsset> => {
  const id = newId()
  const blob_path = `assets/${id}/thumbnail.jpg`
  const bytes = new Uint8Array([1, 2, 3])
  await house.blobs.putBytes(blob_path, bytes, 'image/jpeg')
  return {
    id,
    key: 'thumbnail',
    title: 'Thumbnail',
    blob_path,
    media_type: 'image/jpeg',
    roles: ['thumbnail'],
    file_size_bytes: 3,
    checksum_sha256: '0'.repeat(64),
    raster: null,
  }
}

test('a delivered scene becomes an item of the order’s collection with assets, lineage and an event', async () => {
  const { owner, project, organization } = await house.organize()
  const asset = await thumbnail()
  const { item_id, collection_id, order_id } = await deliver(owner, project, {
    assets: [asset],
    cloud_cover: 3,
    gsd: 10,
  })

  const { item } = (await ask(getItem, owner, { item_id })) as unknown as { item: Record<string, unknown> }
  assert.equal(item['order_id'], order_id)
  assert.equal(item['collection_id'], collection_id)
  assert.deepEqual(item['bbox'], [10, 50, 11, 51])
  assert.deepEqual(item['geometry'], square(10, 50, 1))
  assert.equal(item['datetime'], '2024-06-01T10:00:00.000Z')

  assert.deepEqual(await stacFaults((await ask(getStacItem, owner, { item_id })) as never), [])
  const { collections } = (await ask(listCollections, owner, { project_id: project })) as never
  const [collection] = collections as Record<string, unknown>[]
  assert.equal(collection?.['auto_created'], true)
  assert.equal(collection?.['source_type'], 'order')
  assert.equal(collection?.['source_id'], order_id)
  assert.equal(collection?.['item_count'], 1)

  const lineage = await ask(getItemLineage, owner, { item_id })
  const [parent] = lineage['parents'] as unknown as Record<string, unknown>[]
  assert.equal(parent?.['entity_id'], order_id)
  assert.equal(parent?.['relation'], 'delivered_by')
  const events = await owner.db.query<{ kind: string; entity_id: string }>(sql`
    select kind, entity_id from events where organization_id = ${organization} order by kind`)
  assert.deepEqual(events, [
    { kind: 'collection.created', entity_id: collection_id },
    { kind: 'item.created', entity_id: item_id },
  ])

  const { assets } = (await ask(listAssets, owner, { item_id })) as never
  const [listed] = assets as Record<string, unknown>[]
  assert.equal(listed?.['href'], `${base}/api/v1/items/${item_id}/assets/${asset.id}`)
  assert.equal(listed?.['ready'], true)
})

test('a repeated delivery of a scene of an order creates no second item', async () => {
  const { owner, project, organization } = await house.organize()
  const first = await deliver(owner, project, { scene_key: 'demo:a' })
  await deliver(owner, project, { scene_key: 'demo:a', order_id: first.order_id })
  const again = await deliver(owner, project, { scene_key: 'demo:b', order_id: first.order_id })
  assert.equal(again.collection_id, first.collection_id)
  const counts = await owner.db.query<{ items: number; events: number }>(sql`
    select (select count(*) from items where organization_id = ${organization}) as items,
           (select count(*) from events where organization_id = ${organization} and kind = 'item.created') as events`)
  assert.deepEqual(counts, [{ items: 2, events: 2 }])
})

test('an invalid geometry is rejected before the database, and a self-intersecting one is repaired', async () => {
  const { owner, project, organization } = await house.organize()
  const open = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    ],
  } as const
  await assert.rejects(deliver(owner, project, { geometry: open as never }), refused('validation'))
  const line = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ],
    ],
  } as const
  await assert.rejects(deliver(owner, project, { geometry: line as never }), refused('validation'))
  const bow = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [0, 0],
      ],
    ],
  } as const
  const { item_id } = await deliver(owner, project, { geometry: bow as never })
  const rows = await owner.db.query(sql`
    select ST_IsValid(geometry) as valid, GeometryType(geometry) as type from items
    where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(rows, [{ valid: true, type: 'MULTIPOLYGON' }])
  const count = await owner.db.query(sql`select count(*) as n from items where organization_id = ${organization}`)
  assert.deepEqual(count, [{ n: 1 }], 'a rejected delivery writes nothing')
})

test('items of another organization are not-found, and those of a project without membership not-a-member', async () => {
  const here = await house.organize()
  const there = await house.organize()
  const asset = await thumbnail()
  const { item_id, collection_id } = await deliver(here.owner, here.project, { assets: [asset] })
  const member = await here.person('member')
  const asked: [Handler, Record<string, unknown>][] = [
    [getItem, { item_id }],
    [getStacItem, { item_id }],
    [getItemLineage, { item_id }],
    [listAssets, { item_id }],
    [downloadAsset, { item_id, asset_id: asset.id }],
    [listItems, { project_id: here.project }],
    [listItemsOfCollection, { collection_id }],
  ]
  for (const [handler, input] of asked) {
    await assert.rejects(ask(handler, there.owner, input), refused('not-found'), handler.operation.id)
    await assert.rejects(ask(handler, member, input), refused('not-a-member'), handler.operation.id)
    await ask(handler, here.owner, input)
  }
  const message = async (call: Call, id: string) =>
    ask(getItem, call, { item_id: id }).catch((error: Problem) => error.message.replace(id, 'ID'))
  assert.equal(
    await message(there.owner, item_id),
    await message(there.owner, newId()),
    'the message is the same as for an unknown id',
  )
})

test('a download returns a URL signed for 15 minutes; an expired item is 410, a deleted one 404', async () => {
  const { owner, project, organization } = await house.organize()
  const asset = await thumbnail()
  const { item_id } = await deliver(owner, project, { name: 'Étude / 1', assets: [asset] })
  const answer = (await ask(downloadAsset, owner, { item_id, asset_id: asset.id })) as Record<string, unknown>
  assert.equal(answer['expires_in_seconds'], 900)
  assert.equal(answer['size_bytes'], 3)
  assert.equal(answer['asset_id'], asset.id)
  assert.ok(String(answer['url']).startsWith(`${base}/blobs/${asset.blob_path}?`))
  assert.match(new URL(String(answer['url'])).searchParams.get('file_name') ?? '', /^[\w-]+\.jpg$/)
  await assert.rejects(ask(downloadAsset, owner, { item_id, asset_id: newId() }), refused('not-found'))

  const set = (state: string, deleted: Date | null) =>
    owner.db.query(sql`
      update items set lifecycle_state = ${state}, deleted_at = ${deleted}
      where organization_id = ${organization} and id = ${item_id}`)
  await set('expired', null)
  await assert.rejects(ask(downloadAsset, owner, { item_id, asset_id: asset.id }), refused('gone-retention'))
  await assert.rejects(ask(getItem, owner, { item_id }), refused('gone-retention'))
  await ask(getItemLineage, owner, { item_id })
  await set('deleted', house.clock.now())
  await assert.rejects(ask(downloadAsset, owner, { item_id, asset_id: asset.id }), refused('not-found'))
  await assert.rejects(ask(getItem, owner, { item_id }), refused('not-found'))
})

test('lists are newest first, paged by limit and offset, with the total count', async () => {
  const { owner, project } = await house.organize()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    ids.unshift((await deliver(owner, project, { name })).item_id)
    house.clock.advance(1000)
  }
  const page = (await ask(listItems, owner, { project_id: project, limit: 2 })) as never as {
    items: { id: string }[]
    total: number
  }
  assert.deepEqual(
    page.items.map((item) => item.id),
    ids.slice(0, 2),
  )
  assert.equal(page.total, 3)
  const rest = (await ask(listItems, owner, { project_id: project, limit: 2, offset: 2 })) as never as {
    items: { id: string }[]
  }
  assert.deepEqual(
    rest.items.map((item) => item.id),
    ids.slice(2),
  )
  const none = (await ask(listItems, owner, { project_id: project, uncollected: true })) as never as { total: number }
  assert.equal(none.total, 0)
})

test('the items of a deleted project remain as tombstones in the lineage', async () => {
  const { owner, project, organization } = await house.organize()
  const asset = await thumbnail()
  const { item_id, order_id } = await deliver(owner, project, { assets: [asset], properties: { secret: 'x' } })
  const freed = await owner.transaction((tx) => entombProject(tx, owner, project))
  assert.equal(freed, 3)
  await assert.rejects(ask(getItem, owner, { item_id }), refused('not-found'))
  const rows = await owner.db.query(sql`
    select geometry is null as bare, properties, name, order_id from items
    where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(rows, [{ bare: true, properties: {}, name: 'scene', order_id }])
  const graves = await owner.db.query(sql`
    select entity_type from provenance_tombstones where organization_id = ${organization} order by entity_type`)
  assert.deepEqual(graves, [{ entity_type: 'asset' }, { entity_type: 'collection' }, { entity_type: 'item' }])
})

test('deleting a project emits item.deleted for each item, in the same transaction', async () => {
  const { owner, project, organization } = await house.organize()
  const subscription = newId()
  await owner.db.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
    values (${organization}, ${subscription}, 'item.deleted', 'https://example.org', '{}', true, now(), now())`)
  const [one, two, before] = [
    await deliver(owner, project),
    await deliver(owner, project, { name: 'second' }),
    await deliver(owner, project),
  ]
  await ask(deleteItem, owner, { item_id: before.item_id })
  const told = () =>
    owner.db.query<{ entity_id: string }>(sql`
      select e.entity_id, e.project_id, e.data, e.operation, count(d.id)::int as deliveries
      from events e left join event_deliveries d on d.organization_id = e.organization_id and d.event_id = e.id
      where e.organization_id = ${organization} and e.kind = 'item.deleted'
      group by e.organization_id, e.id order by e.id`)
  const [earlier, ...none] = await told()
  assert.deepEqual([earlier!.entity_id, none], [before.item_id, []])
  await assert.rejects(
    owner.transaction(async (tx) => {
      await entombProject(tx, owner, project)
      throw new Error('undone')
    }),
  )
  assert.equal((await told()).length, 1)
  await owner.transaction((tx) => entombProject(tx, owner, project))
  const row = { type: 'satellite_capture', lifecycle_state: 'deleted', project_id: project }
  assert.deepEqual(
    (await told()).slice(1),
    [
      { entity_id: one.item_id, data: { ...row, name: 'scene', collection_id: one.collection_id } },
      { entity_id: two.item_id, data: { ...row, name: 'second', collection_id: two.collection_id } },
    ].map((event) => ({ ...event, project_id: project, operation: owner.operation, deliveries: 1 })),
  )
})

test('repeated downloads reuse one URL, counted once, until it expires within five minutes', async () => {
  const { owner, project, organization, person } = await house.organize()
  const asset = await thumbnail()
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const give = async (call: Call): Promise<{ url: string; expires_in_seconds: number }> =>
    (await ask(downloadAsset, call, { item_id, asset_id: asset.id, again: true })) as never
  const counted = async (): Promise<number> => {
    const [row] = await owner.db.query<{ sum: number }>(sql`
      select sum(downloads)::int as sum from asset_downloads where organization_id = ${organization}`)
    return row?.sum ?? 0
  }
  const together = await Promise.all([give(owner), give(owner), give(owner)])
  const { url } = together[0]!
  assert.deepEqual(new Set(together.map((given) => given.url)), new Set([url]))
  assert.equal(await counted(), 1)
  house.clock.advance(600_000)
  assert.deepEqual(await give(owner), { ...together[0]!, expires_in_seconds: 300 })
  const colleague = await person('admin')
  assert.notEqual((await give(colleague)).url, url, 'URLs are issued per caller')
  house.clock.advance(1000)
  assert.notEqual((await give(owner)).url, url)
  assert.equal(await counted(), 3)
  const kept = await owner.db.query<{ sealed_url: string }>(sql`
    select sealed_url from given_downloads where organization_id = ${organization}`)
  assert.ok(kept.length === 2 && kept.every(({ sealed_url }) => !sealed_url.includes('blobs')))
  house.clock.advance(3_600_000)
  await give(owner)
  const left = await owner.db.query(sql`select 1 from given_downloads where organization_id = ${organization}`)
  assert.equal(left.length, 1, 'expired URLs are deleted')
})
