import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { callOperation } from '../../../../test/payment-fixtures.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { placeCreditHold } from '../../ledger/holds.ts'
import { grantCredits, readWalletBalance } from '../../ledger/ledger.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

interface StuckHold {
  readonly id: string
  readonly detail: string
  readonly age_s: number
}

const listStuckHolds = async (operator: Call): Promise<StuckHold[]> => {
  const input = { kind: 'hold', min_failures: 3, limit: 10 }
  return (await callOperation<{ stuck_work: StuckHold[] }>(operator, 'admin.stuck_work.list', input)).stuck_work
}

test('a hold whose order does not exist is stuck after an hour, and is released once', async () => {
  const { owner, organization } = await services.createOrganization()
  const { owner: operator } = await services.createOrganization()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference }))
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 20, reference }))
  const list = () => listStuckHolds(operator)
  assert.deepEqual(await list(), [])
  services.clock.advance(3_600_000)
  const [hold, ...others] = await list()
  assert.deepEqual([hold?.detail, hold?.age_s, others], ['20 credits', 3600, []])
  const input = { kind: 'hold', work_id: hold!.id, organization_id: organization, reason: 'Its order is lost.' }
  const release = () => callOperation(operator, 'admin.stuck_work.release', input)
  assert.deepEqual(await release(), { id: hold!.id, kind: 'hold', action: 'release' })
  const now = services.clock.forOrganization(organization).now()
  const { available_credits, held_credits } = await readWalletBalance(owner.db, organization, now)
  assert.deepEqual([available_credits, held_credits], [100, 0])
  await assert.rejects(release(), { problem: 'not-found' })
})

test('the release of the hold of a lost job emits the event that the settlement of all emits', async () => {
  const { owner, organization } = await services.createOrganization()
  const { owner: operator } = await services.createOrganization()
  const reference = { type: 'job', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference }))
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 30, reference }))
  services.clock.advance(3_600_000)
  const [hold, ...others] = await listStuckHolds(operator)
  assert.deepEqual([hold?.detail, others], ['30 credits', []])
  const input = { kind: 'hold', work_id: hold!.id, organization_id: organization, reason: 'Its job is lost.' }
  await callOperation(operator, 'admin.stuck_work.release', input)
  const events = await owner.db.query<{ entity_id: string; data: object }>(sql`
    select entity_id, data from events where organization_id = ${organization} and kind = 'job.released'`)
  assert.deepEqual(events, [{ entity_id: reference.id, data: { hold_id: hold!.id } }])
  const settled = await callOperation<{ job_ids: string[] }>(operator, 'billing.jobs.settle_unsettled', { limit: 500 })
  assert.deepEqual(settled.job_ids, [])
})
