import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import { callOperation } from '../../../test/call-operation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { createTaskRunner } from '../../../test/task-runner.ts'
import type { Call } from '../../engine/call.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { changeOrganizationPlan, endFreePlan } from './change-plan.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let taskRunner: ReturnType<typeof createTaskRunner>
before(async () => {
  app = await openTestServices()
  taskRunner = createTaskRunner(app)
})
after(() => app?.close())

const inDays = (days: number): string => new Date(app.clock.now().getTime() + days * day_ms).toISOString()

async function createFreeOrganization() {
  const { owner, organization, project } = await app.createOrganization()
  await app.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const call: Call = { ...owner, queue: taskRunner.queue }
  const { id } = await callOperation<Item>('items.create', call, {
    project_id: project,
    name: 'a',
    type: 'external_reference',
  })
  const item = async (): Promise<Pick<Item, 'expires_at' | 'lifecycle_state'>> => {
    const { item: found } = await callOperation<{ item: Item }>('items.get', call, { item_id: id })
    const { expires_at, lifecycle_state } = found
    return { expires_at, lifecycle_state }
  }
  const organizationRow = async () =>
    (
      await call.db.query<{ plan: string; enterprise_billing: boolean }>(sql`
        select plan, enterprise_billing from organizations where organization_id = ${organization}`)
    )[0]
  const planChangeEvents = async () =>
    (
      await call.db.query<{ data: object }>(sql`
        select data from events where organization_id = ${organization} and kind = 'organization.plan_changed'`)
    ).map(({ data }) => data)
  return { call, organization, id, item, organizationRow, planChangeEvents }
}

test('the first payment ends the free plan once and removes the expiry of its items', async () => {
  const { call, item, organizationRow, planChangeEvents, id, organization } = await createFreeOrganization()
  assert.equal((await item()).expires_at, inDays(30))
  await call.db.query(sql`
    update items set lifecycle_state = 'expiring' where organization_id = ${organization} and id = ${id}`)
  const first = await call.transaction((tx) => endFreePlan(tx, call))
  assert.equal(first, 'free')
  assert.equal(await call.transaction((tx) => endFreePlan(tx, call)), null)
  assert.deepEqual(await item(), { expires_at: null, lifecycle_state: 'active' })
  assert.deepEqual(await organizationRow(), { plan: 'prepaid', enterprise_billing: false })
  assert.deepEqual(await planChangeEvents(), [
    { plan: 'prepaid', previous_plan: 'free', reason: 'first_payment', note: null },
  ])
})

test('a payment leaves other plans unchanged, and a rolled back transaction changes nothing', async () => {
  const { call, item, organizationRow, planChangeEvents } = await createFreeOrganization()
  await call.transaction((tx) => changeOrganizationPlan(tx, call, 'internal', { reason: 'administrator' }))
  await call.transaction((tx) => endFreePlan(tx, call))
  assert.equal((await organizationRow())?.plan, 'internal')
  const failedChange = call.transaction(async (tx) => {
    await changeOrganizationPlan(tx, call, 'free', { reason: 'administrator' })
    throw new Error('undone')
  })
  await assert.rejects(failedChange, /undone/)
  assert.equal((await organizationRow())?.plan, 'internal')
  assert.equal((await item()).expires_at, null)
  assert.equal((await planChangeEvents()).length, 1)
})

test('an administrator upgrades and downgrades an organization, and retention counts from the change', async () => {
  const { call, item, organization, organizationRow } = await createFreeOrganization()
  const administrator = { ...(await app.createOrganization()).owner, queue: taskRunner.queue } as Call
  const setPlanOf = (plan: string, organization_id = organization) =>
    callOperation('admin.orgs.set_plan', administrator, { organization_id, plan, reason: 'contract 7' })
  assert.deepEqual(await setPlanOf('enterprise'), {
    organization_id: organization,
    plan: 'enterprise',
    previous_plan: 'free',
  })
  assert.deepEqual(await organizationRow(), { plan: 'enterprise', enterprise_billing: true })
  app.clock.advance(100 * day_ms)
  await setPlanOf('free')
  assert.deepEqual(await item(), { expires_at: inDays(30), lifecycle_state: 'active' })
  assert.deepEqual(await organizationRow(), { plan: 'free', enterprise_billing: false })
  assert.deepEqual(await setPlanOf('free'), { organization_id: organization, plan: 'free', previous_plan: 'free' })
  await assert.rejects(setPlanOf('free', newId()), { problem: 'not-found' })
  assert.equal(call.organization, organization)
})
