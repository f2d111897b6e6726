import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { callOperation } from '../../../../test/payment-fixtures.ts'
import { placeCreditHold } from '../../ledger/holds.ts'
import { readWalletBalance, grantCredits } from '../../ledger/ledger.ts'

let holdings: TestServices
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

test('holds of jobs that do not exist are released once after an hour, and holds of orders are not', async () => {
  const { owner, organization } = await holdings.createOrganization()
  const { owner: operator } = await holdings.createOrganization()
  const reference = (type: string) => ({ type, id: newId() })
  const [job, order] = [reference('job'), reference('order')]
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference: order }))
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 30, reference: job }))
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 20, reference: order }))
  const settleUnsettled = (input: object) =>
    callOperation(operator, 'billing.jobs.settle_unsettled', { limit: 500, ...input })
  const emptyResult = { captured_count: 0, released_count: 0, job_ids: [] }
  assert.deepEqual(await settleUnsettled({ organization_id: organization }), emptyResult)
  holdings.clock.advance(3_600_001)
  assert.deepEqual(await settleUnsettled({}), { captured_count: 0, released_count: 1, job_ids: [job.id] })
  assert.deepEqual(await settleUnsettled({}), emptyResult)
  const { available_credits, held_credits } = await readWalletBalance(
    owner.db,
    organization,
    holdings.clock.forOrganization(organization).now(),
  )
  assert.deepEqual([available_credits, held_credits], [80, 20])
  const events = await owner.db.query<{ entity_id: string }>(sql`
    select entity_id from events where organization_id = ${organization} and kind = 'job.released'`)
  assert.deepEqual(events, [{ entity_id: job.id }])
  await assert.rejects(settleUnsettled({ organization_id: newId() }), { problem: 'not-found' })
})
