import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireValidOutput, readCallInput } from '../../engine/input/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../test/test-services.ts'
import { square } from '../../../test/geometries.ts'
import { validateStacItem } from '../../../test/stac-schemas.ts'
import { handler as collectionsList } from '../collections/operations/collections.list.ts'
import { handler as itemsDelete } from './operations/items.delete.ts'
import { handler as itemsAssetDownload } from './operations/items.asset.download.ts'
import { handler as itemsGet } from './operations/items.get.ts'
import { handler as itemsGetStac } from './operations/items.get_stac.ts'
import { handler as itemsLineage } from './operations/items.lineage.ts'
import { handler as itemsList } from './operations/items.list.ts'
import { handler as itemsListAssets } from './operations/items.list_assets.ts'
import { handler as itemsListByCollection } from './operations/items.list_by_collection.ts'
import type { DeliveredAsset } from './deliver.ts'
import { tombstoneProjectContents } from './tombstone.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

/** Calls an operation like the pipeline: validates input and output. */
async function ask(
  handler: OperationHandler,
  call: Call,
  input: Record<string, unknown>,
): Promise<Record<string, never>> {
  const output = await handler.handle(call, readCallInput(handler.operation, input) as never)
  requireValidOutput(handler.operation, output)
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
  await app.blobs.putBytes(blob_path, bytes, 'image/jpeg')
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
  const { owner, project, organization } = await app.createOrganization()
  const asset = await thumbnail()
  const { item_id, collection_id, order_id } = await deliverItem(owner, project, {
    assets: [asset],
    cloud_cover: 3,
    gsd: 10,
  })

  const { item } = (await ask(itemsGet, owner, { item_id })) as unknown as { item: Record<string, unknown> }
  assert.equal(item['order_id'], order_id)
  assert.equal(item['collection_id'], collection_id)
  assert.deepEqual(item['bbox'], [10, 50, 11, 51])
  assert.deepEqual(item['geometry'], square(10, 50, 1))
  assert.equal(item['datetime'], '2024-06-01T10:00:00.000Z')

  assert.deepEqual(await validateStacItem((await ask(itemsGetStac, owner, { item_id })) as never), [])
  const { collections } = (await ask(collectionsList, owner, { project_id: project })) as never
  const [collection] = collections as Record<string, unknown>[]
  assert.equal(collection?.['auto_created'], true)
  assert.equal(collection?.['source_type'], 'order')
  assert.equal(collection?.['source_id'], order_id)
  assert.equal(collection?.['item_count'], 1)

  const lineage = await ask(itemsLineage, owner, { item_id })
  const [parent] = lineage['parents'] as unknown as Record<string, unknown>[]
  assert.equal(parent?.['entity_id'], order_id)
  assert.equal(parent?.['relation'], 'delivered_by')
  const events = await owner.db.query<{ kind: string; entity_id: string }>(sql`
    select kind, entity_id from events where organization_id = ${organization} order by kind`)
  assert.deepEqual(events, [
    { kind: 'collection.created', entity_id: collection_id },
    { kind: 'item.created', entity_id: item_id },
  ])

  const { assets } = (await ask(itemsListAssets, owner, { item_id })) as never
  const [listed] = assets as Record<string, unknown>[]
  assert.equal(listed?.['href'], `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}`)
  assert.equal(listed?.['ready'], true)
})

test('a repeated delivery of a scene of an order creates no second item', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const first = await deliverItem(owner, project, { scene_key: 'demo:a' })
  await deliverItem(owner, project, { scene_key: 'demo:a', order_id: first.order_id })
  const again = await deliverItem(owner, project, { scene_key: 'demo:b', order_id: first.order_id })
  assert.equal(again.collection_id, first.collection_id)
  const counts = await owner.db.query<{ items: number; events: number }>(sql`
    select (select count(*) from items where organization_id = ${organization}) as items,
           (select count(*) from events where organization_id = ${organization} and kind = 'item.created') as events`)
  assert.deepEqual(counts, [{ items: 2, events: 2 }])
})

test('an invalid geometry is rejected before the database, and a self-intersecting one is repaired', async () => {
  const { owner, project, organization } = await app.createOrganization()
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
  await assert.rejects(deliverItem(owner, project, { geometry: open as never }), refused('validation'))
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
  await assert.rejects(deliverItem(owner, project, { geometry: line as never }), refused('validation'))
  const selfIntersecting = {
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
  const { item_id } = await deliverItem(owner, project, { geometry: selfIntersecting as never })
  const rows = await owner.db.query(sql`
    select ST_IsValid(geometry) as valid, GeometryType(geometry) as type from items
    where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(rows, [{ valid: true, type: 'MULTIPOLYGON' }])
  const count = await owner.db.query(sql`select count(*) as n from items where organization_id = ${organization}`)
  assert.deepEqual(count, [{ n: 1 }], 'a rejected delivery writes nothing')
})

test('items of another organization are not-found, and those of a project without membership not-a-member', async () => {
  const tenant = await app.createOrganization()
  const otherTenant = await app.createOrganization()
  const asset = await thumbnail()
  const { item_id, collection_id } = await deliverItem(tenant.owner, tenant.project, { assets: [asset] })
  const member = await tenant.createMemberCall('member')
  const operations: [OperationHandler, Record<string, unknown>][] = [
    [itemsGet, { item_id }],
    [itemsGetStac, { item_id }],
    [itemsLineage, { item_id }],
    [itemsListAssets, { item_id }],
    [itemsAssetDownload, { item_id, asset_id: asset.id }],
    [itemsList, { project_id: tenant.project }],
    [itemsListByCollection, { collection_id }],
  ]
  for (const [handler, input] of operations) {
    await assert.rejects(ask(handler, otherTenant.owner, input), refused('not-found'), handler.operation.id)
    await assert.rejects(ask(handler, member, input), refused('not-a-member'), handler.operation.id)
    await ask(handler, tenant.owner, input)
  }
  const notFoundMessage = async (call: Call, id: string) =>
    ask(itemsGet, call, { item_id: id }).catch((error: Problem) => error.message.replace(id, 'ID'))
  assert.equal(
    await notFoundMessage(otherTenant.owner, item_id),
    await notFoundMessage(otherTenant.owner, newId()),
    'the message is the same as for an unknown id',
  )
})

test('a download returns a URL signed for 15 minutes; an expired item is 410, a deleted one 404', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const asset = await thumbnail()
  const { item_id } = await deliverItem(owner, project, { name: 'Étude / 1', assets: [asset] })
  const answer = (await ask(itemsAssetDownload, owner, { item_id, asset_id: asset.id })) as Record<string, unknown>
  assert.equal(answer['expires_in_seconds'], 900)
  assert.equal(answer['size_bytes'], 3)
  assert.equal(answer['asset_id'], asset.id)
  assert.ok(String(answer['url']).startsWith(`${baseUrl}/blobs/${asset.blob_path}?`))
  assert.match(new URL(String(answer['url'])).searchParams.get('file_name') ?? '', /^[\w-]+\.jpg$/)
  await assert.rejects(ask(itemsAssetDownload, owner, { item_id, asset_id: newId() }), refused('not-found'))

  const set = (state: string, deleted: Date | null) =>
    owner.db.query(sql`
      update items set lifecycle_state = ${state}, deleted_at = ${deleted}, revision = revision + 1
      where organization_id = ${organization} and id = ${item_id}`)
  await set('expired', null)
  await assert.rejects(ask(itemsAssetDownload, owner, { item_id, asset_id: asset.id }), refused('gone-retention'))
  await assert.rejects(ask(itemsGet, owner, { item_id }), refused('gone-retention'))
  await ask(itemsLineage, owner, { item_id })
  await set('deleted', app.clock.now())
  await assert.rejects(ask(itemsAssetDownload, owner, { item_id, asset_id: asset.id }), refused('not-found'))
  await assert.rejects(ask(itemsGet, owner, { item_id }), refused('not-found'))
})

test('lists are newest first, paged by limit and offset, with the total count', async () => {
  const { owner, project } = await app.createOrganization()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    ids.unshift((await deliverItem(owner, project, { name })).item_id)
    app.clock.advance(1000)
  }
  const page = (await ask(itemsList, owner, { project_id: project, limit: 2 })) as never as {
    items: { id: string }[]
    total: number
  }
  assert.deepEqual(
    page.items.map((item) => item.id),
    ids.slice(0, 2),
  )
  assert.equal(page.total, 3)
  const rest = (await ask(itemsList, owner, { project_id: project, limit: 2, offset: 2 })) as never as {
    items: { id: string }[]
  }
  assert.deepEqual(
    rest.items.map((item) => item.id),
    ids.slice(2),
  )
  const none = (await ask(itemsList, owner, { project_id: project, uncollected: true })) as never as { total: number }
  assert.equal(none.total, 0)
})

test('the items of a deleted project remain as tombstones in the lineage', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const asset = await thumbnail()
  const { item_id, order_id } = await deliverItem(owner, project, { assets: [asset], properties: { secret: 'x' } })
  const freed = await owner.transaction((tx) => tombstoneProjectContents(tx, owner, project))
  assert.equal(freed, 3)
  await assert.rejects(ask(itemsGet, owner, { item_id }), refused('not-found'))
  const rows = await owner.db.query(sql`
    select geometry is null as bare, properties, name, order_id from items
    where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(rows, [{ bare: true, properties: {}, name: 'scene', order_id }])
  const tombstones = await owner.db.query(sql`
    select entity_type from provenance_tombstones where organization_id = ${organization} order by entity_type`)
  assert.deepEqual(tombstones, [{ entity_type: 'asset' }, { entity_type: 'collection' }, { entity_type: 'item' }])
})

test('deleting a project emits item.deleted for each item, in the same transaction', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const subscription = newId()
  await owner.db.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
    values (${organization}, ${subscription}, 'item.deleted', 'https://example.org', '{}', true, now(), now())`)
  const [one, two, before] = [
    await deliverItem(owner, project),
    await deliverItem(owner, project, { name: 'second' }),
    await deliverItem(owner, project),
  ]
  await ask(itemsDelete, owner, { item_id: before.item_id })
  const deletionEvents = () =>
    owner.db.query<{ entity_id: string }>(sql`
      select e.entity_id, e.project_id, e.data, e.operation, count(d.id)::int as deliveries
      from events e left join ${storedDeliveries} d on d.organization_id = e.organization_id and d.event_id = e.id
      where e.organization_id = ${organization} and e.kind = 'item.deleted'
      group by e.organization_id, e.id order by e.id`)
  const [earlier, ...none] = await deletionEvents()
  assert.deepEqual([earlier!.entity_id, none], [before.item_id, []])
  await assert.rejects(
    owner.transaction(async (tx) => {
      await tombstoneProjectContents(tx, owner, project)
      throw new Error('undone')
    }),
  )
  assert.equal((await deletionEvents()).length, 1)
  await owner.transaction((tx) => tombstoneProjectContents(tx, owner, project))
  const row = { type: 'satellite_capture', lifecycle_state: 'deleted', project_id: project }
  assert.deepEqual(
    (await deletionEvents()).slice(1),
    [
      { entity_id: one.item_id, data: { ...row, name: 'scene', collection_id: one.collection_id } },
      { entity_id: two.item_id, data: { ...row, name: 'second', collection_id: two.collection_id } },
    ].map((event) => ({ ...event, project_id: project, operation: owner.operation, deliveries: 1 })),
  )
})

test('repeated downloads reuse one URL, counted once, until it expires within five minutes', async () => {
  const { owner, project, organization, createMemberCall } = await app.createOrganization()
  const asset = await thumbnail()
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const getUrl = async (call: Call): Promise<{ url: string; expires_in_seconds: number }> =>
    (await ask(itemsAssetDownload, call, { item_id, asset_id: asset.id, again: true })) as never
  const countDownloads = async (): Promise<number> => {
    const [row] = await owner.db.query<{ sum: number }>(sql`
      select sum(downloads)::int as sum from asset_downloads where organization_id = ${organization}`)
    return row?.sum ?? 0
  }
  const together = await Promise.all([getUrl(owner), getUrl(owner), getUrl(owner)])
  const { url } = together[0]!
  assert.deepEqual(new Set(together.map((given) => given.url)), new Set([url]))
  assert.equal(await countDownloads(), 1)
  app.clock.advance(600_000)
  assert.deepEqual(await getUrl(owner), { ...together[0]!, expires_in_seconds: 300 })
  const colleague = await createMemberCall('admin')
  assert.notEqual((await getUrl(colleague)).url, url, 'URLs are issued per caller')
  app.clock.advance(1000)
  assert.notEqual((await getUrl(owner)).url, url)
  assert.equal(await countDownloads(), 3)
  const storedUrls = await owner.db.query<{ sealed_url: string }>(sql`
    select sealed_url from given_downloads where organization_id = ${organization}`)
  assert.ok(storedUrls.length === 2 && storedUrls.every(({ sealed_url }) => !sealed_url.includes('blobs')))
  app.clock.advance(3_600_000)
  await getUrl(owner)
  const left = await owner.db.query(sql`select 1 from given_downloads where organization_id = ${organization}`)
  assert.equal(left.length, 1, 'expired URLs are deleted')
})
