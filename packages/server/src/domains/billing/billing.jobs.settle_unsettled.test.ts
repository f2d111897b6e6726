import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings, type Holdings } from '../../../test/holdings.ts'
import { ask } from '../../../test/paying.ts'
import { hold } from '../ledger/holds.ts'
import { balance, grant } from '../ledger/ledger.ts'

let holdings: Holdings
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

test('holds of jobs that do not exist are released once after an hour, and holds of orders are not', async () => {
  const { owner, organization } = await holdings.organize()
  const { owner: operator } = await holdings.organize()
  const reference = (type: string) => ({ type, id: newId() })
  const [job, order] = [reference('job'), reference('order')]
  await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits: 100, reference: order }))
  await owner.transaction((tx) => hold(tx, owner, { amount_credits: 30, reference: job }))
  await owner.transaction((tx) => hold(tx, owner, { amount_credits: 20, reference: order }))
  const settle = (given: object) => ask(operator, 'billing.jobs.settle_unsettled', { limit: 500, ...given })
  const nothing = { captured_count: 0, released_count: 0, job_ids: [] }
  assert.deepEqual(await settle({ organization_id: organization }), nothing)
  holdings.clock.advance(3_600_001)
  assert.deepEqual(await settle({}), { captured_count: 0, released_count: 1, job_ids: [job.id] })
  assert.deepEqual(await settle({}), nothing)
  const { available_credits, held_credits } = await balance(
    owner.db,
    organization,
    holdings.clock.of(organization).now(),
  )
  assert.deepEqual([available_credits, held_credits], [80, 20])
  const events = await owner.db.query<{ entity_id: string }>(sql`
    select entity_id from events where organization_id = ${organization} and kind = 'job.released'`)
  assert.deepEqual(events, [{ entity_id: job.id }])
  await assert.rejects(settle({ organization_id: newId() }), { problem: 'not-found' })
})
