import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createOperator, dumpMoneyTables } from '../../../test/enterprise.ts'
import { assertLedgerConsistent } from '../../../test/ledger-assertions.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { callOperation } from '../../../test/payment-fixtures.ts'
import { createTaskRunner } from '../../../test/task-runner.ts'
import { readWalletBalance, grantCredits } from '../ledger/ledger.ts'
import { listJournalEntries } from '../ledger/store.entries.ts'
import { runWithReservedPayment } from './payment.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

async function createFreeOrganization() {
  const { organization, owner } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const readAvailableCredits = async () =>
    (await readWalletBalance(owner.db, organization, holdings.clock.forOrganization(organization).now()))
      .available_credits
  const kinds = async () =>
    (await listJournalEntries(owner.db, organization, { kind: null, limit: 50, offset: 0 })).rows.map(
      (entry) => entry.kind,
    )
  return { organization, owner, readAvailableCredits, kinds }
}

const approve = (organization_id: string) =>
  callOperation<{ granted_credits: number }>(operator, 'billing.free_tier.approve', {
    organization_id,
    admin_user_id: null,
  })
const revoke = (organization_id: string) =>
  callOperation<{ expired_credits: number }>(operator, 'billing.free_tier.revoke', { organization_id })
const grantAll = () =>
  callOperation<{ organization_count: number; granted_credits: number }>(operator, 'billing.free_tier.grant_all', {})
const listPending = async () => {
  const { organizations } = await callOperation<{ organizations: { organization_id: string }[] }>(
    operator,
    'billing.free_tier.list_pending',
    {},
  )
  return organizations.map(({ organization_id }) => organization_id)
}
const nextMonth = (): void => {
  const now = holdings.clock.now()
  holdings.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime())
}

test('a pending organization is approved once and gets the credits of the month at once', async () => {
  const { organization, readAvailableCredits, kinds } = await createFreeOrganization()
  assert.deepEqual(await listPending(), [organization])
  assert.equal((await approve(organization)).granted_credits, 500)
  assert.deepEqual(await listPending(), [])
  assert.deepEqual([await readAvailableCredits(), await kinds()], [500, ['grant_signup']])
  const before = await dumpMoneyTables(holdings)
  await assert.rejects(approve(organization), { problem: 'already-decided' })
  await assert.rejects(approve(newId()), { problem: 'not-found' })
  await assert.rejects(approve((await holdings.createOrganization()).organization), { problem: 'not-found' })
  const after = await dumpMoneyTables(holdings)
  assert.deepEqual({ ...after, organizations: null }, { ...before, organizations: null })
  await revoke(organization)
})

test('grants 500 credits once per month, by the operator or by the monthly run', async () => {
  const { organization, owner, readAvailableCredits } = await createFreeOrganization()
  await approve(organization)
  assert.deepEqual(Object.values(await grantAll()).slice(0, 2), [0, 0])
  nextMonth()
  const [first, second] = await Promise.all([grantAll(), grantAll()])
  assert.equal(first.granted_credits + second.granted_credits, 500)
  const run = await callOperation<{ granted_credits: number }>(owner, 'billing.run_monthly_for_org', {
    organization_id: organization,
  })
  assert.equal(run.granted_credits, 0)
  // The first credits have expired after 30 days.
  assert.equal(await readAvailableCredits(), 500)
  nextMonth()
  const next = { organization_id: organization }
  const later = await callOperation<{ granted_credits: number; expired_credits: number }>(
    owner,
    'billing.run_monthly_for_org',
    next,
  )
  assert.deepEqual([later.granted_credits, later.expired_credits], [500, 500])
  assert.equal((await grantAll()).organization_count, 0)
  assert.equal(await readAvailableCredits(), 500)
  await revoke(organization)
})

test('revoking the free plan writes off free credits and keeps purchased ones', async () => {
  const { organization, owner, readAvailableCredits, kinds } = await createFreeOrganization()
  await approve(organization)
  const reference = { type: 'topup', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 1000, reference }))
  const payment = await runWithReservedPayment(
    owner,
    { amount_credits: 120, subject: 'order' },
    async (_tx, reservation) => reservation,
  )
  assert.ok(payment.hold_id)
  assert.equal((await revoke(organization)).expired_credits, 380)
  assert.equal(await readAvailableCredits(), 1000)
  await assert.rejects(revoke(organization), { problem: 'invalid-state' })
  await assert.rejects(approve(organization), { problem: 'already-decided' })
  nextMonth()
  assert.equal((await grantAll()).organization_count, 0)
  assert.deepEqual(await kinds(), ['expire', 'hold', 'purchase', 'grant_signup'])
  const { organization: never } = await createFreeOrganization()
  await assert.rejects(revoke(never), { problem: 'invalid-state' })
})

test('a suspended organization gets no monthly credits', async () => {
  const { organization, owner } = await createFreeOrganization()
  await approve(organization)
  await holdings.database.unscoped.query(sql`
    update organizations set status = 'suspended' where organization_id = ${organization}`)
  nextMonth()
  const run = await callOperation<{ granted_credits: number }>(owner, 'billing.run_monthly_for_org', {
    organization_id: organization,
  })
  assert.equal(run.granted_credits, 0)
})

const setDeletion = (organization: string, days: number) =>
  holdings.database.unscoped.query(sql`
    update organizations set delete_after = ${new Date(holdings.clock.now().getTime() + days * 86_400_000)}
    where organization_id = ${organization}`)
const pending = async () => {
  const { organizations } = await callOperation<{ organizations: { organization_id: string }[] }>(
    operator,
    'billing.deletions.pending',
    {},
  )
  return organizations.map(({ organization_id }) => organization_id)
}
const cleanUp = () =>
  callOperation<{ organization_ids: string[]; expired_credits: number }>(operator, 'billing.cleanup_deleted_orgs', {})

test('an organization is closed after its deletion date, unless it has open holds', async () => {
  const [due, holding, later] = [
    await createFreeOrganization(),
    await createFreeOrganization(),
    await createFreeOrganization(),
  ]
  for (const { organization } of [due, holding, later]) await approve(organization)
  const order = { amount_credits: 100, subject: 'order' }
  await runWithReservedPayment(holding.owner, order, async () => {})
  await setDeletion(due.organization, 0)
  await setDeletion(holding.organization, -1)
  await setDeletion(later.organization, 1)
  assert.deepEqual(new Set(await pending()), new Set([due, holding, later].map(({ organization }) => organization)))
  const done = await cleanUp()
  assert.deepEqual([done.organization_ids, done.expired_credits], [[due.organization], 500])
  assert.equal(await due.readAvailableCredits(), 0)
  const changes = await holdings.database.unscoped.query(sql`select subject from principal_changes`)
  assert.deepEqual(changes, [{ subject: `organization:${due.organization}` }])
  assert.deepEqual(new Set(await pending()), new Set([holding, later].map(({ organization }) => organization)))
  assert.deepEqual((await cleanUp()).organization_ids, [])
  const run = callOperation(due.owner, 'billing.run_monthly_for_org', { organization_id: due.organization })
  await assert.rejects(run, { problem: 'invalid-state' })
  await createTaskRunner(holdings).runTask(backgroundTaskTypes.scheduleMonthEnds)
  const scheduled = await due.owner.db.query(sql`
    select kind from billing_deadlines where organization_id = ${due.organization} and kind = 'month-end'`)
  assert.equal(scheduled.length, 0)
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))
