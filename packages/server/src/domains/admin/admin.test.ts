import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { balance, listEntries } from '../ledger/ledger.ts'
import { adjustCredits } from './admin.orgs.credit_adjust.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
let administrator: Call
before(async () => {
  holdings = await openHoldings()
  administrator = (await holdings.organize()).owner
})
after(() => holdings?.close())

interface Adjusted {
  readonly transaction_id: string
  readonly available_credits: number
}

const adjust = (organization_id: string, amount_credits: number, call = administrator): Promise<Adjusted> =>
  adjustCredits.answer(call, { organization_id, amount_credits, reason: 'because' } as never) as Promise<Adjusted>

test('an adjustment is a ledger entry of the other organization, with the administrator as the actor', async () => {
  const { organization, owner } = await holdings.organize()
  const given = await adjust(organization, 100)
  assert.equal(given.available_credits, 100)
  const taken = await adjust(organization, -30)
  assert.equal(taken.available_credits, 70)
  const { entries: lines } = await listEntries(owner.db, organization, { kind: null, limit: 10, offset: 0 })
  assert.deepEqual(
    lines.map((line) => [line.id, line.kind, line.amount_credits, line.actor_id, line.note]),
    [
      [taken.transaction_id, 'adjust', -30, administrator.principal.id, 'because'],
      [given.transaction_id, 'grant_manual', 100, administrator.principal.id, 'because'],
    ],
  )
  const own = await balance(
    administrator.db,
    administrator.organization,
    holdings.clock.of(administrator.organization).now(),
  )
  assert.equal(own.available_credits, 0)
})

test('adjusting below zero and unknown organizations are rejected', async () => {
  const { organization } = await holdings.organize()
  await assert.rejects(adjust(organization, -1), { problem: 'insufficient-credits' })
  await assert.rejects(adjust(newId(), 1), { problem: 'not-found' })
})

test('a repeated request returns the adjustment that it has written before', async () => {
  const { organization } = await holdings.organize()
  const { transaction_id } = await adjust(organization, 10)
  const claim = { key: 'k', point: 'reserved', data: { transaction_id }, reach: () => assert.fail('writes again') }
  const again = await adjust(organization, 10, { ...administrator, claim })
  assert.deepEqual(again, { transaction_id, organization_id: organization, amount_credits: 10, available_credits: 10 })
})
