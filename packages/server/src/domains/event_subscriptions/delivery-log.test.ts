import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { taskTypes } from '../../engine/task-types.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openUploadServices, type UploadServices } from '../../../test/upload-services.ts'
import { emitEvent } from '../events/emit.ts'

const day_ms = 86_400_000
let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

test('deliveries that ended 90 days ago are deleted; open and later ones and all events stay', async () => {
  const { owner, organization } = await app.createOrganization()
  await owner.db.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, filter_config, active, created_at, updated_at)
    values (${organization}, ${newId()}, 'collection.created', 'https://example.org', '{}', true, ${app.clock.now()}, ${app.clock.now()})`)
  const deliver = async (age_days: number | null): Promise<string> => {
    const entity_id = newId()
    const data = { project_id: newId(), name: 'x' }
    await owner.transaction((tx) =>
      emitEvent(tx, owner, { kind: 'collection.created', entity_type: 'collection', entity_id, data }),
    )
    const finished_at = age_days === null ? null : new Date(app.clock.now().getTime() - age_days * day_ms)
    const [row] = await owner.db.query<{ id: string }>(sql`
      update event_deliveries d set state = ${finished_at ? 'dead' : 'pending'}, finished_at = ${finished_at}
      from events e
      where d.organization_id = ${organization} and e.organization_id = ${organization} and e.id = d.event_id
        and e.entity_id = ${entity_id}
      returning d.id`)
    return row!.id
  }
  const countEvents = async (): Promise<number> =>
    (await owner.db.query(sql`select from events where organization_id = ${organization}`)).length
  const events = (await countEvents()) + 4
  await deliver(limits.delivery_log_days + 1)
  await deliver(limits.delivery_log_days)
  const kept = [await deliver(limits.delivery_log_days - 1), await deliver(null)]
  await app.taskRunner.runTask(taskTypes.sweepDeliveryLog)
  const rows = await owner.db.query<{ id: string }>(sql`
    select id from event_deliveries where organization_id = ${organization}`)
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), kept.toSorted())
  assert.equal(await countEvents(), events)
})
