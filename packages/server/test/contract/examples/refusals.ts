import { createClient, type Client } from '@swath/client/client.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createFaultyHost, smallScenes } from '../../hosts/faulty-host.ts'
import { saveCard, updateBillingPlan } from '../../billing-helpers.ts'
import { issueInvoice } from '../../invoices.ts'
import {
  findCaptures,
  findDataProduct,
  placeSceneOrder,
  toProductOrder,
  waitForOrder,
  type CaptureInput,
  type ProductOrderInput,
} from '../../orders.ts'
import {
  createTestOrganization,
  createTestUser,
  type TestUser,
  type TestOrganization,
} from '../../test-organizations.ts'
import type { TestApp } from '../../test-app.ts'
import { fillQuotes, requestExpiredQuote, requestQuote } from './refusal-quotes.ts'

/** Organizations, members and entities for every refusal of a call. */
export interface RefusalFixture {
  readonly app: TestApp
  readonly ours: TestOrganization
  readonly theirs: TestOrganization
  /** Without credits, and with a card that is declined. */
  readonly poor: TestOrganization
  /** A member of `ours` in no project, without an administrative role. */
  readonly member: TestUser
  /** A member of `ours` with a spend limit of zero. */
  readonly capped: TestUser
  /** An API key of the owner of `ours` with the scopes of `permissions`. */
  readonly key: Client
  /** Captures of a working host, and of one whose catalogue is unavailable. */
  readonly captures: readonly CaptureInput[]
  readonly unreachable: readonly CaptureInput[]
  /** The same as the order of a data product, in `ours` and in `poor`. */
  readonly productOrder: ProductOrderInput & { readonly workspaceId: string }
  readonly poorProductOrder: ProductOrderInput & { readonly workspaceId: string }
  /** A delivered order of `ours` and of `theirs`. */
  readonly order: string
  readonly theirOrder: string
  readonly card: string
  readonly theirCard: string
  readonly commitment: string
}

export type Caller = 'owner' | 'member' | 'capped' | 'key' | 'poor' | 'theirs' | 'outsider' | 'administrator'

export interface Refusal {
  /** Defaults to the owner of `ours`. */
  readonly as?: Caller
  readonly problem: ProblemName
  input(scene: RefusalFixture): object | Promise<object>
  /** Sets up the state before the call. */
  readonly prepare?: (scene: RefusalFixture) => Promise<unknown>
  /** Tables that record a declined card, beside the tables of the processor; with the reason. */
  readonly records?: { readonly tables: readonly string[]; readonly reason: string }
}

/** The hosts of the refusals. */
export const createRefusalHosts = async () => [
  await createFaultyHost('good'),
  await createFaultyHost('down', { catalog: 'fail' }),
]

const [scene] = smallScenes
const permissions = ['orders:write', 'organizations:write', 'billing:write']

export async function createRefusalFixture(app: TestApp): Promise<RefusalFixture> {
  const [ours, theirs, poor] = [
    await createTestOrganization(app, 100_000),
    await createTestOrganization(app, 100_000),
    await createTestOrganization(app, 0),
  ]
  const [owner, stranger] = [ours.owner.client, theirs.owner.client]
  const { key } = await owner.call<{ key: string }>('api_keys.create', { name: 'refused', permissions })
  const captures = await findCaptures(owner, 'good', [scene])
  const productOrder = await toProductOrder(owner, captures[0]!)
  const [order, theirOrder] = [
    await placeSceneOrder(owner, 'good', [scene]),
    await placeSceneOrder(stranger, 'good', [scene]),
  ]
  await waitForOrder(owner, order, 'FULFILLED')
  await waitForOrder(stranger, theirOrder, 'FULFILLED')
  await saveCard(poor.owner.client, 'pm_card_declined')
  const capped = await ours.addMember('admin')
  await owner.call('organizations.members.set_spend_limit', { userId: capped.user, spendLimitCredits: 0 })
  await owner.call('projects.add_member', { project_id: ours.project, user_id: capped.user, role: 'editor' })
  return {
    app,
    ours,
    theirs,
    poor,
    member: await ours.addMember('member'),
    capped,
    key: createClient({ baseUrl: app.url, token: key }),
    captures,
    productOrder: { ...productOrder, workspaceId: ours.project },
    poorProductOrder: { ...productOrder, workspaceId: poor.project },
    unreachable: captures.map((capture) => ({ ...capture, host: 'down' })),
    order,
    theirOrder,
    card: await saveCard(owner),
    theirCard: await saveCard(stranger),
    commitment: await createCommitment(app, ours.organization),
  }
}

const commitmentDefaults = { name: 'Refused', period_start: '2026-01-01T00:00:00Z', period_end: '2100-01-01T00:00:00Z' }
const products = [{ product: 'Photographs', negotiated_rate_aud: '2.1255' }]

async function createCommitment(app: TestApp, organization: string): Promise<string> {
  await updateBillingPlan(app, organization, 'enterprise')
  const commitmentInput = { organization_id: organization, ...commitmentDefaults, committed_aud: 1000, products }
  const org = await app.admin.call<{ commitment: { id: string } }>('admin.commitments.create', commitmentInput)
  return org.commitment.id
}

export async function clientFor(scene: RefusalFixture, caller: Caller): Promise<Client> {
  if (caller === 'outsider') return (await createTestUser(scene.app)).client
  const { ours, theirs, member, capped, key, poor, app } = scene
  const clients = {
    owner: ours.owner.client,
    theirs: theirs.owner.client,
    member: member.client,
    capped: capped.client,
    key,
    poor: poor.owner.client,
    administrator: app.admin,
  }
  return clients[caller]
}

const unknownOrganization = (): Refusal => ({
  as: 'administrator',
  problem: 'not-found',
  input: () => ({ organization_id: newId() }),
})

const setArchived = (app: TestApp, project: string, is_archived: boolean): Promise<unknown> =>
  app.database.unscoped.query(sql`update projects set is_archived = ${is_archived} where id = ${project}`)

const setStatus = (app: TestApp, organization: string, status: string): Promise<unknown> =>
  app.database.unscoped.query(sql`update organizations set status = ${status} where organization_id = ${organization}`)

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
      problem: 'insufficient-credits',
      input: ({ poor }) => ({ organization_id: poor.organization, amount_credits: -1, reason: 'x' }),
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
  ],
  'billing.run_monthly_cron': [],
  'billing.run_monthly_for_org': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => ({ organization_id: ours.organization }) },
    {
      as: 'poor',
      problem: 'invalid-state',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'deleted'),
      input: ({ poor }) => ({ organization_id: poor.organization }),
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
      records: { tables: ['topups', 'events'], reason: 'the failed attempt is recorded and published as topup.failed' },
    },
  ],
  'orders.archive.place': [
    { as: 'key', problem: 'user-required', input: ({ captures }) => ({ captures }) },
    { problem: 'not-found', input: ({ captures, theirs }) => ({ captures, projectId: theirs.project }) },
    { as: 'member', problem: 'not-a-member', input: ({ captures, ours }) => ({ captures, projectId: ours.project }) },
    {
      as: 'capped',
      problem: 'spend-limit-exceeded',
      input: ({ captures, ours }) => ({ captures, projectId: ours.project }),
    },
    { problem: 'spend-limit-exceeded', input: ({ captures }) => ({ captures, max_credits: 0 }) },
    {
      problem: 'conflicting-parameters',
      input: async (fixture) => ({ captures: fixture.captures, ...(await requestQuote(fixture)) }),
    },
    { problem: 'quote-expired', input: requestExpiredQuote },
    { problem: 'upstream', input: ({ unreachable: captures }) => ({ captures }) },
    {
      problem: 'invalid-state',
      prepare: ({ app, ours }) => setArchived(app, ours.project, true),
      input: ({ captures, ours }) => ({ captures, projectId: ours.project }),
    },
    { as: 'poor', problem: 'payment-declined', input: ({ captures }) => ({ captures }) },
    {
      as: 'poor',
      problem: 'insufficient-credits',
      prepare: async ({ app, poor: { organization } }) => {
        await setStatus(app, organization, 'active')
        await updateBillingPlan(app, organization, 'prepaid')
      },
      input: ({ captures }) => ({ captures }),
    },
    {
      as: 'poor',
      problem: 'past-due',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'suspended'),
      input: ({ captures }) => ({ captures }),
    },
  ],
  'orders.place': [
    { problem: 'not-found', input: ({ productOrder, theirs }) => ({ ...productOrder, workspaceId: theirs.project }) },
    { problem: 'not-found', input: ({ productOrder }) => ({ ...productOrder, dataProduct: newId() }) },
    { as: 'member', problem: 'not-a-member', input: ({ productOrder }) => productOrder },
    { as: 'capped', problem: 'spend-limit-exceeded', input: ({ productOrder }) => productOrder },
    { problem: 'spend-limit-exceeded', input: ({ productOrder }) => ({ ...productOrder, max_credits: 0 }) },
    {
      problem: 'conflicting-parameters',
      input: async (fixture) => ({ ...fixture.productOrder, ...(await requestQuote(fixture)) }),
    },
    {
      problem: 'quote-expired',
      input: async (fixture) => ({
        workspaceId: fixture.ours.project,
        dataProduct: fixture.productOrder.dataProduct,
        ...(await requestExpiredQuote(fixture)),
      }),
    },
    {
      problem: 'upstream',
      input: async ({ ours, productOrder }) => ({
        ...productOrder,
        dataProduct: await findDataProduct(ours.owner.client, 'down', 'naip'),
      }),
    },
    {
      problem: 'invalid-state',
      prepare: ({ app, ours }) => setArchived(app, ours.project, true),
      input: ({ productOrder }) => productOrder,
    },
    {
      as: 'poor',
      problem: 'payment-declined',
      prepare: async ({ app, poor: { organization } }) => {
        await setStatus(app, organization, 'active')
        await updateBillingPlan(app, organization, 'free')
      },
      input: ({ poorProductOrder }) => poorProductOrder,
    },
    {
      as: 'poor',
      problem: 'insufficient-credits',
      prepare: ({ app, poor: { organization } }) => updateBillingPlan(app, organization, 'prepaid'),
      input: ({ poorProductOrder }) => poorProductOrder,
    },
    {
      as: 'poor',
      problem: 'past-due',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'suspended'),
      input: ({ poorProductOrder }) => poorProductOrder,
    },
  ],
  'orders.quote': [
    {
      as: 'theirs',
      problem: 'quota-exceeded',
      prepare: fillQuotes,
      input: ({ captures }) => ({ captures }),
    },
    { problem: 'upstream', input: ({ unreachable: captures }) => ({ captures }) },
  ],
  'orders.cancel': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    { problem: 'invalid-state', input: ({ order }) => ({ order_id: order }) },
  ],
  'orders.update': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder, tags: [] }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order, tags: [] }) },
  ],
  'orders.download': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    {
      as: 'theirs',
      problem: 'invalid-state',
      prepare: ({ app, theirs }) =>
        app.database.unscoped.query(
          sql`update assets set ready = false where organization_id = ${theirs.organization}`,
        ),
      input: ({ theirOrder }) => ({ order_id: theirOrder }),
    },
    {
      as: 'theirs',
      problem: 'past-due',
      prepare: ({ app, theirs }) => setStatus(app, theirs.organization, 'deleted'),
      input: ({ theirOrder }) => ({ order_id: theirOrder }),
    },
  ],
  'organizations.create': [
    { problem: 'invalid-state', input: () => ({ name: 'Second' }) },
    { as: 'outsider', problem: 'forbidden', input: () => ({ name: 'Large', enterprise_billing: true }) },
    { as: 'key', problem: 'user-required', input: () => ({ name: 'Second' }) },
  ],
  'organizations.members.add': [
    {
      problem: 'not-found',
      input: ({ theirs }) => ({ organization_id: theirs.organization, email: 'a@example.org' }),
    },
    { as: 'member', problem: 'forbidden', input: () => ({ email: 'a@example.org' }) },
    { as: 'key', problem: 'user-required', input: () => ({ email: 'a@example.org' }) },
    { problem: 'name-taken', input: ({ theirs }) => ({ email: theirs.owner.email }) },
  ],
  'organizations.members.set_spend_limit': [
    { problem: 'not-found', input: ({ theirs }) => ({ userId: theirs.owner.user, spendLimitCredits: 5 }) },
    { as: 'capped', problem: 'not-found', input: () => ({ userId: newId(), spendLimitCredits: 5 }) },
    { as: 'member', problem: 'forbidden', input: ({ member }) => ({ userId: member.user }) },
    { as: 'key', problem: 'user-required', input: ({ member }) => ({ userId: member.user }) },
  ],
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
