import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { moveTime } from '../../../../test/citus/statements.ts'
import { square } from '../../../../test/geometries.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../../test/webhooks/webhook-receiver.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
let receiver: WebhookReceiver
let org: TestOrganization
before(async () => {
  receiver = await startWebhookReceiver()
  // Without sweeps, which would repair what these tests break.
  app = await startTestApp({ environment: { SWATH_SCHEDULER: 'off', OUTSIDE_ALLOW: receiver.origin } })
  org = await createTestOrganization(app, 10_000)
})
after(async () => {
  await app?.close()
  await receiver?.close()
})

const reason = 'It does not move.'
const write = (statement: Sql): Promise<unknown> => app.database.unscoped.query(statement)

interface Work {
  readonly id: string
  readonly kind: string
  readonly organization_id: string
  readonly organization_name: string
  readonly reason: string
  readonly detail: string | null
  readonly age_s: number
  readonly actions: readonly string[]
}

const list = async (kind: string, organization_id: string | null = org.organization): Promise<Work[]> =>
  (await app.admin.call<{ stuck_work: Work[] }>('admin.stuck_work.list', { kind, organization_id })).stuck_work

const idsOf = async (kind: string): Promise<string[]> => (await list(kind)).map(({ id }) => id)

const act = (action: string, kind: string, work_id: string, organization_id: string | null = org.organization) =>
  app.admin.call(`admin.stuck_work.${action}`, { kind, work_id, organization_id, reason })

test('a tasking order is stuck once its window has ended, and is ended with the reason of the operator', async () => {
  const { client } = org.owner
  const groups = [{ geometry: square(10, 50, 0.1), dataProduct: 'constellation:tasking-1m5' }]
  const { id } = await client.call<{ id: string }>('orders.tasking.place', {
    workspaceId: org.project,
    groups,
  })
  await moveTime(
    app.database.unscoped,
    { table: 'orders', column: 'updated_at', where: sql`id = ${id}` },
    -30 * 86_400_000,
  )
  assert.deepEqual(await idsOf('order'), [], 'its window is open')
  await write(sql`
    update tasking_groups set constraints = jsonb_set(constraints, '{to}', '"2020-01-01T00:00:00Z"') where order_id = ${id}`)
  const [work, ...others] = await list('order')
  assert.deepEqual([work?.id, work?.reason, work?.actions, others], [id, 'host-silent', ['retry', 'cancel'], []])
  assert.ok(work!.age_s >= 29 * 86_400)
  assert.deepEqual(
    (await list('order', null)).map((row) => [row.organization_id, row.organization_name]),
    [[org.organization, (await app.admin.call('admin.orgs.get', { organization_id: org.organization })).name]],
  )
  await assert.rejects(act('retry', 'order', id), { problem: 'invalid-state' }, 'it waits for an operator')
  const { organization: other } = await createTestOrganization(app, 0)
  await assert.rejects(act('cancel', 'order', id, other), { problem: 'not-found' })
  await assert.rejects(act('cancel', 'order', id, null), { problem: 'not-found' })
  await act('cancel', 'order', id)
  const order = await client.call<{ status: string; failureReason: unknown }>('orders.get', { order_id: id })
  assert.equal(order.status, 'FAILED_PERMANENTLY')
  assert.match(JSON.stringify(order), /It does not move\./)
  assert.deepEqual(await idsOf('order'), [])
  await assert.rejects(act('cancel', 'order', id), { problem: 'not-found' })
  const { entries } = await app.admin.call<{ entries: { reason: string; target_id: string }[] }>('admin.audit.list', {
    organization_id: org.organization,
    operation: 'admin.stuck_work.cancel',
    outcome: 'succeeded',
  })
  assert.deepEqual(
    entries.map((entry) => [entry.target_id, entry.reason]),
    [[id, reason]],
  )
})

test('a job that nobody dispatches is failed', async () => {
  const { project } = org
  const id = newId()
  await write(sql`
    insert into processing_jobs (organization_id, id, project_id, process_id, process_version, status, settlement,
      billing_mode, held_credits, inputs, plan, worker, auto_start, created_by, created_at, updated_at)
    values (${org.organization}, ${id}, ${project}, 'clip', '1.0', 'pending', 'reserved', 'credit', 0, '{}',
      '{"sources": [], "items": []}', 'server', false, 'test', now() - interval '3 hours', now() - interval '3 hours')`)
  assert.deepEqual(await idsOf('job'), [id])
  await assert.rejects(act('retry', 'job', id), { problem: 'invalid-state' })
  await act('cancel', 'job', id)
  const { job } = await org.owner.client.call<{ job: { status: string } }>('processing.job.get', { job_id: id })
  assert.equal(job.status, 'failed')
  assert.deepEqual(await idsOf('job'), [])
})

test('an upload that is open for long is cancelled, and its overdue cleaning is done at once', async () => {
  const { client } = org.owner
  const { id } = await client.call<{ id: string }>('uploads.initiate', {
    project_id: org.project,
    file_count: 1,
    total_bytes: 10,
  })
  assert.deepEqual(await idsOf('upload'), [])
  await moveTime(
    app.database.unscoped,
    { table: 'uploads', column: 'created_at', where: sql`id = ${id}` },
    -2 * 86_400_000,
  )
  assert.deepEqual(await idsOf('upload'), [id])
  await assert.rejects(act('retry', 'upload', id), { problem: 'invalid-state' }, 'it is not ingested')
  await act('cancel', 'upload', id)
  assert.deepEqual(await idsOf('upload'), [])
  assert.deepEqual(await idsOf('upload_cleaning'), [])
  await write(sql`update uploads set clean_at = now() - interval '2 hours' where id = ${id}`)
  assert.deepEqual(await idsOf('upload_cleaning'), [id])
  await act('retry', 'upload_cleaning', id)
  assert.deepEqual(await idsOf('upload_cleaning'), [])
})

test('a report that was not deleted in time is deleted at once', async () => {
  const { client } = org.owner
  const { id } = await client.call<{ id: string }>('reports.create', { report_type: 'orders', formats: ['csv'] })
  await write(sql`update reports set expires_at = now() - interval '2 hours' where id = ${id}`)
  assert.deepEqual(await idsOf('report_cleaning'), [id])
  await act('retry', 'report_cleaning', id)
  assert.deepEqual(await idsOf('report_cleaning'), [])
  await assert.rejects(client.call('reports.get', { report_id: id }), { problem: 'not-found' })
})

test('an abandoned delivery is sent again, or abandoned for good', async () => {
  const { client } = org.owner
  // It stays where it is, however soon it is sent.
  receiver.respond('/hook', (response) => void response.writeHead(500).end())
  await client.call('event_subscriptions.create', {
    event_type: 'collection.created',
    endpoint_url: `${receiver.origin}/hook`,
  })
  await client.call('collections.create', { project_id: org.project, name: 'One' })
  const markDead = async () => {
    await write(sql`
      insert into event_delivery_log
        (organization_id, id, log_id, event_id, subscription_id, state, attempts, created_at, scheduled_at, finished_at)
      select organization_id, id, ${newId()}::uuid, event_id, subscription_id, 'dead', 1, created_at, scheduled_at, now() - interval '1 minute'
      from event_deliveries where organization_id = ${org.organization}`)
    await write(sql`delete from event_deliveries where organization_id = ${org.organization}`)
  }
  await markDead()
  const [work, ...others] = await list('delivery')
  assert.deepEqual([work?.reason, work?.detail, others], ['gave-up', '1 attempt; the subscription is active', []])
  await act('retry', 'delivery', work!.id)
  assert.deepEqual(await idsOf('delivery'), [])
  await markDead()
  await act('cancel', 'delivery', work!.id)
  assert.deepEqual(await idsOf('delivery'), [])
  await assert.rejects(act('retry', 'delivery', work!.id), { problem: 'not-found' })
  await assertLedgerConsistent(app)
})

test('a task that fails repeatedly is run at once', async () => {
  const id = newId()
  await write(sql`
    insert into boss.job (id, name, data, state, retry_count, retry_limit, start_after)
    values (${id}, 'uploads.clean', ${sql.json({ organization_id: org.organization, upload_id: newId() })}, 'retry', 4, 9,
      now() + interval '1 day')`)
  const [work, ...others] = await list('task')
  assert.deepEqual([work?.id, work?.reason, others], [id, 'failed-repeatedly', []])
  await act('retry', 'task', id)
  const [row] = await app.database.unscoped.query<{ due: boolean }>(sql`
    select start_after <= now() as due from boss.job where id = ${id}`)
  assert.equal(row!.due, true)
})
