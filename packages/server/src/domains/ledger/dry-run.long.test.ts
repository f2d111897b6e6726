import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOrganizationClocks } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { saveCard, updateBillingPlan, waitUntilIdle } from '../../../test/billing-helpers.ts'
import { createEndedCommitment } from '../../../test/enterprise.ts'
import { createFaultyHost } from '../../../test/hosts/faulty-host.ts'
import { issueInvoice } from '../../../test/invoices.ts'
import { assertLedgerConsistent, assertUnchanged } from '../../../test/ledger-assertions.ts'
import { noopQueue } from '../../../test/noop-queue.ts'
import { saveRestingSearch } from '../../../test/standing-orders.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { placeCreditHold } from './holds.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ hosts: [await createFaultyHost('shop')] })
})
after(() => app?.close())

/** An entry as a dry run names it, in short. */
interface Entry {
  readonly organization_id: string
  readonly kind: string
  readonly amount_credits: number
  readonly available_after_credits: number
  readonly held_after_credits: number
}

/** A call that spends: its cost is the lowest `max_credits` with which it succeeds. */
interface SpendingCall {
  readonly operation: string
  readonly as: 'administrator' | 'owner'
  /** Null: it costs nothing, so that no `max_credits` refuses it. */
  readonly cost: number | null
  /** Kinds and amounts of the entries of the organization of the case. */
  readonly entries: readonly (readonly [kind: string, amount_credits: number])[]
  /** Runs before the organization of the case exists. */
  readonly before?: () => Promise<unknown>
  prepare(org: TestOrganization): Promise<object>
}

const shortfall_credits = 100_000

async function endCommitment({ organization }: TestOrganization): Promise<string> {
  await updateBillingPlan(app, organization, 'enterprise')
  return createEndedCommitment(app, organization, shortfall_credits)
}

/** A hold of a job that does not exist, older than the hour after which it is released. */
async function holdForLostJob({ organization }: TestOrganization): Promise<void> {
  const clock = createOrganizationClocks({ now: () => new Date(Date.now() - 2 * 3_600_000) })
  const actor = {
    organization,
    principal: { kind: 'service', id: 'test', user: null, organization, role: null, scopes: [], administrator: false },
    clock: clock.forOrganization(organization),
    operation: 'test',
    requestId: newId(),
    queue: noopQueue,
  } as const
  await app.database.unscoped.transaction((tx) =>
    placeCreditHold(tx, actor, { amount_credits: 30, reference: { type: 'job', id: newId() } }),
  )
}

const spendingCalls: readonly SpendingCall[] = [
  {
    operation: 'admin.orgs.credit_adjust',
    as: 'administrator',
    cost: 500,
    entries: [['grant_manual', 500]],
    prepare: async ({ organization: organization_id }) => ({ organization_id, amount_credits: 500, reason: 'test' }),
  },
  {
    operation: 'admin.orgs.credit_adjust',
    as: 'administrator',
    cost: 300,
    entries: [['adjust', -300]],
    prepare: async ({ organization: organization_id }) => ({ organization_id, amount_credits: -300, reason: 'test' }),
  },
  {
    operation: 'admin.commitments.close_period',
    as: 'administrator',
    cost: shortfall_credits,
    entries: [['true_up', -shortfall_credits]],
    prepare: async (org) => ({ organization_id: org.organization, commitment_id: await endCommitment(org) }),
  },
  {
    operation: 'admin.invoices.credit',
    as: 'administrator',
    cost: 550,
    entries: [['refund', 550]],
    prepare: async ({ organization }) => ({
      organization_id: organization,
      invoice_id: await issueInvoice(app, organization, 1100),
      amount_aud: 5.5,
      reason: 'test',
    }),
  },
  {
    operation: 'billing.refunds.request',
    as: 'owner',
    cost: 400,
    entries: [['refund', -400]],
    prepare: async ({ owner }) => {
      await saveCard(owner.client)
      const { id } = await owner.client.call('billing.topup', { credits: 1000 })
      return { topup_id: id, credits: 400 }
    },
  },
  {
    operation: 'billing.jobs.settle_unsettled',
    as: 'administrator',
    cost: 30,
    entries: [['release', 30]],
    prepare: async (org) => {
      await holdForLostJob(org)
      return { organization_id: org.organization }
    },
  },
  {
    operation: 'billing.reconciliation.correct_drift',
    as: 'administrator',
    cost: null,
    entries: [],
    prepare: async ({ organization: organization_id }) => ({ organization_id, bytes_delta: 7, reason: 'test' }),
  },
  {
    operation: 'billing.run_monthly_for_org',
    as: 'owner',
    cost: shortfall_credits,
    entries: [
      ['true_up', -shortfall_credits],
      ['invoice', -shortfall_credits],
    ],
    prepare: async (org) => {
      await endCommitment(org)
      return { organization_id: org.organization }
    },
  },
  {
    operation: 'billing.run_monthly_cron',
    as: 'administrator',
    cost: shortfall_credits,
    entries: [
      ['true_up', -shortfall_credits],
      ['invoice', -shortfall_credits],
    ],
    // The months of the other tests are closed, so that one shortfall is left.
    before: () => app.admin.call('billing.run_monthly_cron', {}),
    prepare: async (org) => {
      await endCommitment(org)
      return {}
    },
  },
  {
    operation: 'orders.standing.create',
    as: 'owner',
    cost: 1000,
    entries: [],
    prepare: async ({ owner }) => ({
      saved_search_id: await saveRestingSearch(app, owner.client, {
        name: newId(),
        source_ids: ['shop'],
        filters: { bbox: [10, 50, 11, 51] },
      }),
      mode: 'buy',
      max_credits_per_scene: 100,
      max_credits_per_month: 1000,
    }),
  },
]

const pickEntry = (entry: Entry): Entry => ({
  organization_id: entry.organization_id,
  kind: entry.kind,
  amount_credits: entry.amount_credits,
  available_after_credits: entry.available_after_credits,
  held_after_credits: entry.held_after_credits,
})

/** The newest entries that an operation has written to the journal of an organization, oldest first. */
const readEntries = (organization: string, operation: string): Promise<Entry[]> =>
  app.database.unscoped.query<Entry>(sql`
    select organization_id, kind, amount_credits, available_after_credits, held_after_credits from journal_entries
    where organization_id = ${organization} and operation = ${operation} order by position`)

for (const { operation, as, cost, entries, before: prepareApp, prepare } of spendingCalls) {
  const amounts = entries.map(([, amount_credits]) => amount_credits).join(', ') || 'no entries'
  test(`${operation} (${amounts}): a dry run names the entries that the call writes, and max_credits refuses it`, async () => {
    await prepareApp?.()
    const org = await createTestOrganization(app, 10_000)
    const input = await prepare(org)
    const client = as === 'owner' ? org.owner.client : app.admin
    const call = (fields: object) =>
      client.call<{ dry_run?: { entries: readonly Entry[] } }>(operation, { ...input, ...fields })
    await waitUntilIdle(app)
    const earlier = await readEntries(org.organization, operation)
    const { dry_run } = await assertUnchanged(app, () => call({ dry_run: true, max_credits: cost ?? 0 }))
    const named = dry_run!.entries.filter(({ organization_id }) => organization_id === org.organization)
    assert.deepEqual(
      named.filter(({ kind }) => kind !== 'tax').map(({ kind, amount_credits }) => [kind, amount_credits]),
      entries,
    )
    if (cost !== null)
      for (const fields of [{ max_credits: cost - 1 }, { max_credits: cost - 1, dry_run: true }])
        await assertUnchanged(app, () => assert.rejects(call(fields), { status: 403, problem: 'spend-limit-exceeded' }))
    const done = await call({ max_credits: cost ?? 0 })
    assert.equal(done.dry_run, undefined)
    const written = (await readEntries(org.organization, operation)).slice(earlier.length)
    assert.deepEqual(named.map(pickEntry), written)
    await assertLedgerConsistent(app)
  })
}

test('a repeated close of a period charges nothing, so that no max_credits refuses it', async () => {
  const org = await createTestOrganization(app, 0)
  const input = { organization_id: org.organization, commitment_id: await endCommitment(org) }
  const closed = await app.admin.call('admin.commitments.close_period', input)
  assert.deepEqual(await app.admin.call('admin.commitments.close_period', { ...input, max_credits: 0 }), closed)
})

test('a standing order of a dry run does not exist afterwards', async () => {
  const { owner } = await createTestOrganization(app, 0)
  const saved_search_id = await saveRestingSearch(app, owner.client, {
    name: newId(),
    source_ids: ['shop'],
    filters: { bbox: [10, 50, 11, 51] },
  })
  const caps = { mode: 'ask', max_credits_per_scene: 5, max_credits_per_month: 50 } as const
  const { id } = await owner.client.call('orders.standing.create', { saved_search_id, ...caps, dry_run: true })
  await assert.rejects(owner.client.call('orders.standing.update', { standing_order_id: id, name: 'x' }), {
    problem: 'not-found',
  })
})
