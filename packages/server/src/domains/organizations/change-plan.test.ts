import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/shapes/item.ts'
import { ask } from '../../../test/asking.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { openBench } from '../../../test/work.ts'
import type { Call } from '../../engine/call.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { setPlan } from '../admin/admin.orgs.set_plan.ts'
import { createItem } from '../items/items.create.ts'
import { getItem } from '../items/items.get.ts'
import { changePlan, endFreePlan } from './change-plan.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
let bench: ReturnType<typeof openBench>
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
})
after(() => holdings?.close())

const day_ms = 86_400_000
const inDays = (days: number): string => new Date(holdings.clock.now().getTime() + days * day_ms).toISOString()

async function freeOrganization() {
  const { owner, organization, project } = await holdings.organize()
  await holdings.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const call: Call = { ...owner, queue: bench.queue }
  const { id } = await ask<Item>(createItem, call, { project_id: project, name: 'a', type: 'external_reference' })
  const item = async (): Promise<Pick<Item, 'expires_at' | 'lifecycle_state'>> => {
    const { item: found } = await ask<{ item: Item }>(getItem, call, { item_id: id })
    const { expires_at, lifecycle_state } = found
    return { expires_at, lifecycle_state }
  }
  const organizationRow = async () =>
    (
      await call.db.query<{ plan: string; enterprise_billing: boolean }>(sql`
        select plan, enterprise_billing from organizations where organization_id = ${organization}`)
    )[0]
  const announced = async () =>
    (
      await call.db.query<{ data: object }>(sql`
        select data from events where organization_id = ${organization} and kind = 'organization.plan_changed'`)
    ).map(({ data }) => data)
  return { call, organization, id, item, organizationRow, announced }
}

test('the first payment ends the free plan once and removes the expiry of its items', async () => {
  const { call, item, organizationRow, announced, id, organization } = await freeOrganization()
  assert.equal((await item()).expires_at, inDays(30))
  await call.db.query(sql`
    update items set lifecycle_state = 'expiring' where organization_id = ${organization} and id = ${id}`)
  const first = await call.transaction((tx) => endFreePlan(tx, call))
  assert.equal(first, 'free')
  assert.equal(await call.transaction((tx) => endFreePlan(tx, call)), null)
  assert.deepEqual(await item(), { expires_at: null, lifecycle_state: 'active' })
  assert.deepEqual(await organizationRow(), { plan: 'prepaid', enterprise_billing: false })
  assert.deepEqual(await announced(), [{ plan: 'prepaid', previous_plan: 'free', reason: 'first_payment', note: null }])
})

test('a payment leaves other plans unchanged, and a rolled back transaction changes nothing', async () => {
  const { call, item, organizationRow, announced } = await freeOrganization()
  await call.transaction((tx) => changePlan(tx, call, 'internal', { reason: 'administrator' }))
  await call.transaction((tx) => endFreePlan(tx, call))
  assert.equal((await organizationRow())?.plan, 'internal')
  const back = call.transaction(async (tx) => {
    await changePlan(tx, call, 'free', { reason: 'administrator' })
    throw new Error('undone')
  })
  await assert.rejects(back, /undone/)
  assert.equal((await organizationRow())?.plan, 'internal')
  assert.equal((await item()).expires_at, null)
  assert.equal((await announced()).length, 1)
})

test('an administrator upgrades and downgrades an organization, and retention counts from the change', async () => {
  const { call, item, organization, organizationRow } = await freeOrganization()
  const administrator = { ...(await holdings.organize()).owner, queue: bench.queue } as Call
  const move = (plan: string, organization_id = organization) =>
    ask(setPlan, administrator, { organization_id, plan, reason: 'contract 7' })
  assert.deepEqual(await move('enterprise'), {
    organization_id: organization,
    plan: 'enterprise',
    previous_plan: 'free',
  })
  assert.deepEqual(await organizationRow(), { plan: 'enterprise', enterprise_billing: true })
  holdings.clock.advance(100 * day_ms)
  await move('free')
  assert.deepEqual(await item(), { expires_at: inDays(30), lifecycle_state: 'active' })
  assert.deepEqual(await organizationRow(), { plan: 'free', enterprise_billing: false })
  assert.deepEqual(await move('free'), { organization_id: organization, plan: 'free', previous_plan: 'free' })
  await assert.rejects(move('free', newId()), { problem: 'not-found' })
  assert.equal(call.organization, organization)
})
