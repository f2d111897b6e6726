import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { deductCredits } from '../../ledger/ledger.ts'
import { callOperation, createBillingKey, createPayingOrganization } from '../../../../test/payment-fixtures.ts'
import { createTaskRunner, type TaskRunner } from '../../../../test/task-runner.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'

let services: TestServices
let runner: TaskRunner
before(async () => {
  services = await openTestServices()
  runner = createTaskRunner(services)
})
after(() => services?.close())

const topUp = (call: Call, credits: number) => callOperation<{ status: string }>(call, 'billing.topup', { credits })
const autoTopup = { enabled: true, threshold_credits: 100, topup_amount_credits: 500 }
const setAutoTopup = (call: Call, input: object = {}) =>
  callOperation(call, 'billing.set_auto_topup', { ...autoTopup, ...input })

const exceeds = (extra: object) => (error: { problem?: string; extra?: object }) => {
  assert.equal(error.problem, 'spend-limit-exceeded')
  assert.deepEqual({ ...error.extra, ...extra }, error.extra)
  return true
}

const createOrganization = () => createPayingOrganization(services, runner)

test('the cap of an API key binds the credits that it buys, and it cannot set automatic top-ups', async () => {
  const organization = await createOrganization()
  const key = await createBillingKey(organization.owner, 1000)
  await topUp(key, 600)
  await assert.rejects(topUp(key, 401), exceeds({ limit: 1000, window_used: 600, requested: 401, frees_at: null }))
  await topUp(key, 400)
  await assert.rejects(topUp(key, 1), exceeds({ window_used: 1000 }))
  await assert.rejects(setAutoTopup(key), exceeds({ limit: 1000 }))
  assert.deepEqual((await organization.charges()).sort(), ['succeeded 400', 'succeeded 600'])
  await topUp(await createBillingKey(organization.owner, null), 5000)
})

test('the spend limits of a member bind what the member and the keys of the member buy', async () => {
  const organization = await createOrganization()
  const { owner } = organization
  const setLimits = (perOrder: number | null, limit: number | null) =>
    services.database.unscoped.query(sql`
      update memberships set per_order_limit_credits = ${perOrder}, spend_limit_credits = ${limit}
      where organization_id = ${owner.organization} and user_id = ${owner.principal.user}`)
  await setLimits(500, 800)
  await assert.rejects(topUp(owner, 501), exceeds({ limit: 500 }))
  await topUp(owner, 500)
  const frees_at = new Date(services.clock.now().getTime() + 30 * day_ms).toISOString()
  const key = await createBillingKey(organization.owner, null)
  await assert.rejects(topUp(key, 301), exceeds({ limit: 800, window_used: 500, frees_at }))
  await topUp(key, 300)
  await assert.rejects(setAutoTopup(owner), exceeds({ limit: 500 }))
  services.clock.advance(30 * day_ms)
  await topUp(owner, 500)
  await setLimits(0, 0)
  await assert.rejects(topUp(owner, 1), exceeds({ limit: 0, frees_at: null }))
})

test('cards are charged at most the daily limit of the organization, which only an owner changes', async () => {
  const { owner, createMember } = await createOrganization()
  const admin = await createMember('admin')
  const setLimit = (call: Call, daily_topup_limit_aud: number) =>
    callOperation(call, 'billing.set_daily_topup_limit', { daily_topup_limit_aud })
  const { daily_topup_limit_aud } = await callOperation(owner, 'billing.auto_topup.get')
  assert.equal(daily_topup_limit_aud, 10_000)
  await assert.rejects(setLimit(admin, 20_000), { problem: 'forbidden' })
  await setLimit(owner, 15)
  await topUp(owner, 1000)
  await assert.rejects(topUp(admin, 501), exceeds({ limit: 1500, window_used: 1000 }))
  await topUp(admin, 500)
  await setLimit(owner, 16)
  await topUp(admin, 100)
  await assert.rejects(topUp(owner, 1), exceeds({ limit: 1600 }))
  services.clock.advance(day_ms)
  await topUp(owner, 1600)
})

test('an automatic top-up cannot exceed the daily limit, neither by its settings nor by its charges', async () => {
  const { owner, charges, events } = await createOrganization()
  await callOperation(owner, 'billing.set_daily_topup_limit', { daily_topup_limit_aud: 8 })
  await assert.rejects(setAutoTopup(owner, { daily_charge_cap_aud: 9 }), { problem: 'validation' })
  await assert.rejects(setAutoTopup(owner, { topup_amount_credits: 801 }), { problem: 'validation' })
  await topUp(owner, 400)
  await setAutoTopup(owner, { threshold_credits: 300 })
  const reference = { type: 'adjustment', id: newId() }
  await owner.transaction((tx) => deductCredits(tx, owner, { amount_credits: 200, reference, note: 'test' }))
  await runner.runPending()
  assert.deepEqual(await charges(), ['succeeded 400'])
  assert.equal((await events()).at(-1), 'topup.failed')
})
