import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { grantCredits } from '../ledger/ledger.ts'
import { runWithReservedPayment } from './payment.ts'
import { readBillingStatus, requireCanDownload, toAccountStatus } from './account-status.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const daysFromNow = (days: number): Date => new Date(Number(holdings.clock.now()) + days * day_ms)

async function createOrganization() {
  const { owner, organization: id } = await holdings.createOrganization()
  return {
    owner,
    id,
    status: () => readBillingStatus(owner),
    invoice: (options: { kind?: string; status?: string; due: number }) =>
      owner.db.query(sql`
        insert into invoices (organization_id, id, number, kind, status, total_cents, document, due_at, created_at)
        values (${id}, ${newId()}, ${newId()}, ${options.kind ?? 'invoice'}, ${options.status ?? 'open'}, 1100, '{}',
                ${daysFromNow(options.due)}, ${holdings.clock.now()})`),
    dispute: (state: string, held_credits: number, days: number) =>
      owner.db.query(sql`
        insert into payment_disputes (organization_id, id, dispute, intent, amount_cents, held_credits, state, opened_at)
        values (${id}, ${newId()}, ${newId()}, 'pi', 1000, ${held_credits}, ${state}, ${daysFromNow(days)})`),
  }
}

test('an organization without debts is active, and its status includes the plan', async () => {
  const { status, id } = await createOrganization()
  assert.deepEqual(await status(), {
    organization_id: id,
    status: 'active',
    plan: 'prepaid',
    enterprise_billing: false,
    has_default_payment_method: false,
    past_due_since: null,
  })
})

test('a suspended or deleted organization is not reported as past due', () => {
  const since = new Date('2026-01-01T00:00:00Z')
  assert.equal(toAccountStatus('active', null), 'active')
  assert.equal(toAccountStatus('active', since), 'past_due')
  assert.equal(toAccountStatus('suspended', since), 'suspended')
  assert.equal(toAccountStatus('deleted', since), 'closed')
})

test('an open invoice is overdue after its due date; paid invoices and other documents never are', async () => {
  const { status, invoice } = await createOrganization()
  await invoice({ due: 0 })
  await invoice({ due: 3 })
  await invoice({ due: -9, status: 'paid' })
  await invoice({ due: -9, status: 'void' })
  await invoice({ due: -9, kind: 'receipt' })
  assert.equal((await status()).status, 'active')
  await invoice({ due: -2 })
  await invoice({ due: -5 })
  const { status: standing, past_due_since } = await status()
  assert.deepEqual([standing, past_due_since], ['past_due', daysFromNow(-5).toISOString()])
})

test('an open dispute is a debt, and a lost one only if the wallet did not cover it', async () => {
  const covered = await createOrganization()
  await covered.dispute('lost', 1000, -3)
  await covered.dispute('won', 0, -3)
  assert.equal((await covered.status()).status, 'active')
  await covered.dispute('lost', 400, -1)
  assert.equal((await covered.status()).past_due_since, daysFromNow(-1).toISOString())
  const open = await createOrganization()
  await open.dispute('open', 1000, -2)
  assert.equal((await open.status()).past_due_since, daysFromNow(-2).toISOString())
})

test('a default card of the processor in use counts until it is detached', async () => {
  const { status, owner, id } = await createOrganization()
  const card = (is_default: boolean, detached_at: Date | null, env = owner.integrations.payments.env as string) =>
    owner.db.query(sql`
      insert into payment_methods (organization_id, id, env, payment_method_id, kind, is_default, created_by, created_at,
                                   detached_at)
      values (${id}, ${newId()}, ${env}, ${newId()}, 'card', ${is_default}, 'test', ${holdings.clock.now()},
              ${detached_at})`)
  await card(true, holdings.clock.now())
  await card(false, null)
  await card(true, null, 'of another processor')
  assert.equal((await status()).has_default_payment_method, false)
  await card(true, null)
  assert.equal((await status()).has_default_payment_method, true)
})

test('debts of other organizations do not count, and their status answers not-found', async () => {
  const [ours, theirs] = [await createOrganization(), await createOrganization()]
  await theirs.invoice({ due: -5 })
  assert.equal((await ours.status()).status, 'active')
  await assert.rejects(readBillingStatus({ ...ours.owner, organization: theirs.id }), { problem: 'not-found' })
})

test('an overdue organization can spend but not download; a suspended one can download but not spend', async () => {
  const { id, owner, invoice } = await createOrganization()
  await owner.transaction((tx) =>
    grantCredits(tx, owner, {
      kind: 'grant_manual',
      amount_credits: 100,
      reference: { type: 'adjustment', id: newId() },
    }),
  )
  const buy = () => runWithReservedPayment(owner, { amount_credits: 1, subject: 'order' }, async () => 'bought')
  const setStatus = (status: string) =>
    holdings.database.unscoped.query(sql`update organizations set status = ${status} where organization_id = ${id}`)
  await requireCanDownload(owner)
  await setStatus('suspended')
  await requireCanDownload(owner)
  await assert.rejects(buy(), { problem: 'past-due', message: /suspended/ })
  await invoice({ due: -3 })
  await assert.rejects(requireCanDownload(owner), { problem: 'past-due', message: /2026-02-26/ })
  await setStatus('active')
  await assert.rejects(requireCanDownload(owner), { problem: 'past-due' })
  assert.equal(await buy(), 'bought')
  const settled = await createOrganization()
  await setStatus('deleted')
  await assert.rejects(buy(), { problem: 'past-due', message: /closed/ })
  await requireCanDownload(settled.owner)
})
