import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createEndedCommitment } from '../../enterprise.ts'
import { issueInvoice } from '../../invoices.ts'
import { createTestOrganization, type TestUser } from '../../test-organizations.ts'
import type { TestApp } from '../../test-app.ts'
import { commitmentDefaults, products, setStatus, type Refusal, type RefusalFixture } from './refusal-fixture.ts'
import { operatorRefusals } from './refusals.admin.ts'
import { organizationRefusals } from './refusals.organizations.ts'
import { orderRefusals } from './refusals.orders.ts'
import { taskingRefusals } from './refusals.tasking.ts'

const unknownOrganization = (): Refusal => ({
  as: 'administrator',
  problem: 'not-found',
  input: () => ({ organization_id: newId() }),
})

/** Creates a top-up approval request of a user. */
async function requestApproval(person: TestUser): Promise<{ approval_id: string }> {
  const { id } = await person.client.call<{ id: string }>('billing.approvals.request', { credits: 500 })
  return { approval_id: id }
}

async function requestRejectedApproval(by: TestUser, person: TestUser): Promise<{ approval_id: string }> {
  const approval = await requestApproval(person)
  await by.client.call('billing.approvals.reject', approval)
  return approval
}

async function requestExpiredApproval(app: TestApp, person: TestUser): Promise<{ approval_id: string }> {
  const approval = await requestApproval(person)
  await app.database.unscoped.query(sql`
    update topup_approvals set expires_at = created_at where id = ${approval.approval_id}`)
  return approval
}

async function topUp(owner: TestUser): Promise<string> {
  return (await owner.client.call<{ id: string }>('billing.topup', { credits: 500 })).id
}

const endCommitment = ({ app, ours }: RefusalFixture): Promise<string> =>
  createEndedCommitment(app, ours.organization, 500)

const autoTopup = { enabled: true, threshold_credits: 100, topup_amount_credits: 500 }

/** The refusals of every operation that changes money, members or orders, by operation id. */
export const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  'admin.commitments.amend': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, commitment_id: newId(), committed_aud: 5 }),
    },
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ theirs, commitment }) => ({
        organization_id: theirs.organization,
        commitment_id: commitment,
        committed_aud: 5,
      }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ ours, commitment }) => ({
        organization_id: ours.organization,
        commitment_id: commitment,
        period_end: '2026-01-02T00:00:00Z',
      }),
    },
    {
      as: 'administrator',
      problem: 'name-taken',
      prepare: ({ app, ours }) =>
        app.admin.call('admin.commitments.create', {
          organization_id: ours.organization,
          ...commitmentDefaults,
          name: 'Taken',
          committed_aud: 1,
          products: [{ product: 'Other', negotiated_rate_aud: '1' }],
        }),
      input: ({ ours, commitment }) => ({
        organization_id: ours.organization,
        commitment_id: commitment,
        name: 'Taken',
      }),
    },
  ],
  'admin.commitments.close_period': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ theirs, commitment }) => ({ organization_id: theirs.organization, commitment_id: commitment }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ ours, commitment }) => ({ organization_id: ours.organization, commitment_id: commitment }),
    },
    {
      as: 'administrator',
      problem: 'spend-limit-exceeded',
      input: async ({ app, ours: { organization } }) => ({
        organization_id: organization,
        commitment_id: await createEndedCommitment(app, organization, 500),
        max_credits: 499,
      }),
    },
  ],
  'admin.commitments.create': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: () => ({ organization_id: newId(), ...commitmentDefaults, committed_aud: 1, products }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ theirs }) => ({
        organization_id: theirs.organization,
        ...commitmentDefaults,
        committed_aud: 1,
        products,
      }),
    },
    {
      as: 'administrator',
      problem: 'name-taken',
      input: ({ ours }) => ({ organization_id: ours.organization, ...commitmentDefaults, committed_aud: 1, products }),
    },
  ],
  'admin.invoices.credit': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: async ({ app, ours, theirs }) => ({
        organization_id: theirs.organization,
        invoice_id: await issueInvoice(app, ours.organization, 1100),
        reason: 'x',
      }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ app, ours }) => ({
        organization_id: ours.organization,
        invoice_id: await issueInvoice(app, ours.organization, 1100),
        amount_aud: 11.01,
        reason: 'x',
      }),
    },
    {
      as: 'administrator',
      problem: 'spend-limit-exceeded',
      input: async ({ app, ours }) => ({
        organization_id: ours.organization,
        invoice_id: await issueInvoice(app, ours.organization, 1100),
        reason: 'x',
        max_credits: 1099,
      }),
    },
  ],
  'admin.invoices.mark_paid': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, invoice_id: newId() }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ app, ours: { organization } }) => {
        const invoice_id = await issueInvoice(app, organization, 1100)
        await app.admin.call('admin.invoices.credit', { organization_id: organization, invoice_id, reason: 'x' })
        return { organization_id: organization, invoice_id }
      },
    },
  ],
  ...operatorRefusals,
  'admin.orgs.set_plan': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: () => ({ organization_id: newId(), plan: 'prepaid', reason: 'refused' }),
    },
  ],
  'admin.orgs.credit_adjust': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: () => ({ organization_id: newId(), amount_credits: 5, reason: 'x' }),
    },
    {
      as: 'administrator',
      problem: 'forbidden',
      // One operator alone may adjust less.
      input: ({ ours }) => ({ organization_id: ours.organization, amount_credits: 1_000_001, reason: 'x' }),
    },
    {
      as: 'administrator',
      problem: 'insufficient-credits',
      input: ({ poor }) => ({ organization_id: poor.organization, amount_credits: -1, reason: 'x' }),
    },
    {
      as: 'administrator',
      problem: 'spend-limit-exceeded',
      input: ({ ours }) => ({ organization_id: ours.organization, amount_credits: -5, reason: 'x', max_credits: 4 }),
    },
  ],
  'billing.approvals.approve': [
    { problem: 'not-found', input: ({ theirs }) => requestApproval(theirs.owner) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => requestApproval(ours.owner) },
    // A requester cannot approve the request.
    { problem: 'forbidden', input: ({ ours }) => requestApproval(ours.owner) },
    { as: 'key', problem: 'user-required', input: ({ capped }) => requestApproval(capped) },
    { problem: 'already-decided', input: ({ capped, ours }) => requestRejectedApproval(ours.owner, capped) },
    { problem: 'gone-expired', input: ({ app, capped }) => requestExpiredApproval(app, capped) },
  ],
  'billing.approvals.reject': [
    { problem: 'not-found', input: ({ theirs }) => requestApproval(theirs.owner) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => requestApproval(ours.owner) },
    { as: 'key', problem: 'user-required', input: ({ capped }) => requestApproval(capped) },
    { problem: 'already-decided', input: ({ capped, ours }) => requestRejectedApproval(ours.owner, capped) },
    { problem: 'gone-expired', input: ({ app, capped }) => requestExpiredApproval(app, capped) },
  ],
  'billing.approvals.request': [{ as: 'key', problem: 'user-required', input: () => ({ credits: 500 }) }],
  'billing.cleanup_deleted_orgs': [],
  'billing.dlq.replay': [],
  'billing.enterprise.mark_invoiced': [
    { as: 'administrator', problem: 'not-found', input: () => ({ organization_id: newId(), reference: 'x' }) },
    {
      as: 'administrator',
      problem: 'invalid-state',
      // The order was paid with credits.
      input: ({ theirs, theirOrder }) => ({
        organization_id: theirs.organization,
        reference: 'x',
        order_ids: [theirOrder],
      }),
    },
  ],
  'billing.free_tier.approve': [
    unknownOrganization(),
    {
      as: 'administrator',
      problem: 'already-decided',
      input: async ({ app }) => {
        const { organization } = await createTestOrganization(app, 0)
        await app.admin.call('billing.free_tier.approve', { organization_id: organization })
        return { organization_id: organization }
      },
    },
  ],
  'billing.free_tier.grant_all': [],
  'billing.free_tier.revoke': [
    unknownOrganization(),
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ theirs }) => ({ organization_id: theirs.organization }),
    },
  ],
  'billing.jobs.settle_unsettled': [unknownOrganization()],
  'billing.ledger.export': [{ as: 'member', problem: 'forbidden', input: () => ({}) }],
  'billing.reconciliation.backfill_missing': [unknownOrganization()],
  'billing.reconciliation.correct_drift': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: () => ({ organization_id: newId(), bytes_delta: 1, reason: 'x' }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ poor }) => ({ organization_id: poor.organization, bytes_delta: -1, reason: 'x' }),
    },
  ],
  'billing.reconciliation.remove_stale': [unknownOrganization()],
  'billing.reconciliation.run': [unknownOrganization()],
  'billing.reconciliation.run_all': [],
  'billing.reconciliation.zero_negative_nets': [unknownOrganization()],
  'billing.refunds.request': [
    { problem: 'not-found', input: async ({ theirs }) => ({ topup_id: await topUp(theirs.owner) }) },
    { as: 'member', problem: 'forbidden', input: async ({ ours }) => ({ topup_id: await topUp(ours.owner) }) },
    { as: 'key', problem: 'user-required', input: async ({ ours }) => ({ topup_id: await topUp(ours.owner) }) },
    {
      problem: 'invalid-state',
      input: async ({ ours }) => ({ topup_id: await topUp(ours.owner), credits: 501 }),
    },
    {
      problem: 'spend-limit-exceeded',
      input: async ({ ours }) => ({ topup_id: await topUp(ours.owner), credits: 500, max_credits: 499 }),
    },
  ],
  'billing.run_monthly_cron': [
    { as: 'administrator', problem: 'spend-limit-exceeded', prepare: endCommitment, input: () => ({ max_credits: 0 }) },
  ],
  'billing.run_monthly_for_org': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => ({ organization_id: ours.organization }) },
    {
      as: 'poor',
      problem: 'invalid-state',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'deleted'),
      input: ({ poor }) => ({ organization_id: poor.organization }),
    },
    {
      problem: 'spend-limit-exceeded',
      prepare: endCommitment,
      input: ({ ours }) => ({ organization_id: ours.organization, max_credits: 0 }),
    },
  ],
  'billing.set_auto_topup': [
    { as: 'member', problem: 'forbidden', input: () => autoTopup },
    {
      problem: 'invalid-state',
      prepare: ({ app, ours }) =>
        app.database.unscoped.query(sql`
          update payment_methods set is_default = false where organization_id = ${ours.organization}`),
      input: () => autoTopup,
    },
  ],
  'billing.topup': [
    { problem: 'spend-limit-exceeded', input: () => ({ credits: 500, max_credits: 499 }) },
    { as: 'member', problem: 'forbidden', input: () => ({ credits: 500 }) },
    { problem: 'not-found', input: ({ theirCard }) => ({ credits: 500, payment_method_row_id: theirCard }) },
    {
      as: 'poor',
      problem: 'payment-declined',
      input: () => ({ credits: 500 }),
      records: {
        tables: ['topups', 'events', 'notifications'],
        reason: 'the failed attempt is recorded, published as topup.failed and notified',
      },
    },
  ],
  ...orderRefusals,
  ...taskingRefusals,
  ...organizationRefusals,
  'payment_methods.attach': [
    { as: 'member', problem: 'forbidden', input: () => ({ payment_method_id: 'pm_card_good' }) },
    { problem: 'payment-declined', input: () => ({ payment_method_id: 'pm_card_refused' }) },
  ],
  'payment_methods.create_setup_intent': [{ as: 'member', problem: 'forbidden', input: () => ({}) }],
  'payment_methods.detach': [
    { as: 'member', problem: 'forbidden', input: ({ card }) => ({ payment_method_row_id: card }) },
    { problem: 'not-found', input: ({ theirCard }) => ({ payment_method_row_id: theirCard }) },
    {
      problem: 'invalid-state',
      prepare: async ({ ours: { owner }, card }) => {
        await owner.client.call('payment_methods.set_default', { payment_method_row_id: card })
        await owner.client.call('billing.set_auto_topup', autoTopup)
      },
      input: ({ card }) => ({ payment_method_row_id: card }),
    },
  ],
  'payment_methods.set_default': [
    { as: 'member', problem: 'forbidden', input: ({ card }) => ({ payment_method_row_id: card }) },
    { problem: 'not-found', input: ({ theirCard }) => ({ payment_method_row_id: theirCard }) },
  ],
}
