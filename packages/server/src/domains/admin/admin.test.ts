import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { newId } from '../../platform/ids.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { readWalletBalance } from '../ledger/ledger.ts'
import { listJournalEntries } from '../ledger/store.entries.ts'
import { handler } from './operations/admin.orgs.credit_adjust.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let administrator: Call
before(async () => {
  app = await openTestServices()
  administrator = (await app.createOrganization()).owner
})
after(() => app?.close())

interface AdjustmentResult {
  readonly transaction_id: string
  readonly available_credits: number
}

const adjust = (organization_id: string, amount_credits: number, call = administrator): Promise<AdjustmentResult> =>
  handler.handle(call, {
    organization_id,
    amount_credits,
    reason: 'because',
  } as never) as Promise<AdjustmentResult>

test('an adjustment is a ledger entry of the other organization, with the administrator as the actor', async () => {
  const { organization, owner } = await app.createOrganization()
  const granted = await adjust(organization, 100)
  assert.equal(granted.available_credits, 100)
  const withdrawn = await adjust(organization, -30)
  assert.equal(withdrawn.available_credits, 70)
  const { rows: lines } = await listJournalEntries(owner.db, organization, { kind: null, limit: 10, offset: 0 })
  assert.deepEqual(
    lines.map((line) => [line.id, line.kind, line.amount_credits, line.actor_id, line.note]),
    [
      [withdrawn.transaction_id, 'adjust', -30, administrator.principal.id, 'because'],
      [granted.transaction_id, 'grant_manual', 100, administrator.principal.id, 'because'],
    ],
  )
  const ownBalance = await readWalletBalance(
    administrator.db,
    administrator.organization,
    app.clock.forOrganization(administrator.organization).now(),
  )
  assert.equal(ownBalance.available_credits, 0)
})

test('adjusting below zero and unknown organizations are rejected', async () => {
  const { organization } = await app.createOrganization()
  await assert.rejects(adjust(organization, -1), { problem: 'insufficient-credits' })
  await assert.rejects(adjust(newId(), 1), { problem: 'not-found' })
})

test('a repeated request returns the adjustment that it has written before', async () => {
  const { organization } = await app.createOrganization()
  const { transaction_id } = await adjust(organization, 10)
  const claim = {
    key: 'k',
    recoveryPoint: 'reserved',
    recoveryData: { transaction_id },
    checkpoint: () => assert.fail('writes again'),
  }
  const repeated = await adjust(organization, 10, { ...administrator, claim })
  assert.deepEqual(repeated, {
    transaction_id,
    organization_id: organization,
    amount_credits: 10,
    available_credits: 10,
  })
})
