import { createClient, type Client } from '@swath/client/client.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { faultyHost, smallScenes } from '../../hosts/faulty-host.ts'
import { giveCard, putOnPlan } from '../../house-money.ts'
import { issueInvoice } from '../../invoices.ts'
import { capturesOf, placeScenes, waitForOrder, type Capture } from '../../orders.ts'
import { makeOrganization, makePerson, type Person, type TestOrganization } from '../../people.ts'
import type { TestHouse } from '../../setup.ts'

/** Organizations, members and entities for every refusal of a call. */
export interface Scene {
  readonly house: TestHouse
  readonly ours: TestOrganization
  readonly theirs: TestOrganization
  /** Without credits, and with a card that is declined. */
  readonly poor: TestOrganization
  /** A member of `ours` in no project, without an administrative role. */
  readonly member: Person
  /** A member of `ours` with a spend limit of zero. */
  readonly capped: Person
  /** An API key of the owner of `ours` with the scopes of `permissions`. */
  readonly key: Client
  /** Captures of a working host, and of one whose catalogue is unavailable. */
  readonly captures: readonly Capture[]
  readonly unreachable: readonly Capture[]
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
  input(scene: Scene): object | Promise<object>
  /** Sets up the state before the call. */
  readonly given?: (scene: Scene) => Promise<unknown>
  /** Tables that record a declined card, beside the tables of the processor; with the reason. */
  readonly records?: { readonly tables: readonly string[]; readonly reason: string }
}

/** The hosts of the refusals. */
export const refusalHosts = async () => [await faultyHost('good'), await faultyHost('down', { catalog: 'fail' })]

const [scene] = smallScenes
const permissions = ['orders:write', 'organizations:write', 'billing:write']

export async function setScene(house: TestHouse): Promise<Scene> {
  const [ours, theirs, poor] = [
    await makeOrganization(house, 100_000),
    await makeOrganization(house, 100_000),
    await makeOrganization(house, 0),
  ]
  const [owner, stranger] = [ours.owner.client, theirs.owner.client]
  const { key } = await owner.call<{ key: string }>('api_keys.create', { name: 'refused', permissions })
  const captures = await capturesOf(owner, 'good', [scene])
  const [order, theirOrder] = [await placeScenes(owner, 'good', [scene]), await placeScenes(stranger, 'good', [scene])]
  await waitForOrder(owner, order, 'FULFILLED')
  await waitForOrder(stranger, theirOrder, 'FULFILLED')
  await giveCard(poor.owner.client, 'pm_card_declined')
  const capped = await ours.join('admin')
  await owner.call('organizations.members.set_spend_limit', { userId: capped.user, spendLimitCredits: 0 })
  await owner.call('projects.add_member', { project_id: ours.project, user_id: capped.user, role: 'editor' })
  return {
    house,
    ours,
    theirs,
    poor,
    member: await ours.join('member'),
    capped,
    key: createClient({ base: house.url, token: key }),
    captures,
    unreachable: captures.map((capture) => ({ ...capture, host: 'down' })),
    order,
    theirOrder,
    card: await giveCard(owner),
    theirCard: await giveCard(stranger),
    commitment: await makeCommitment(house, ours.organization),
  }
}

const contract = { name: 'Refused', period_start: '2026-01-01T00:00:00Z', period_end: '2100-01-01T00:00:00Z' }
const products = [{ product: 'Photographs', negotiated_rate_aud: '2.1255' }]

async function makeCommitment(house: TestHouse, organization: string): Promise<string> {
  await putOnPlan(house, organization, 'enterprise')
  const terms = { organization_id: organization, ...contract, committed_aud: 1000, products }
  const made = await house.admin.call<{ commitment: { id: string } }>('admin.commitments.create', terms)
  return made.commitment.id
}

export async function clientOf(scene: Scene, caller: Caller): Promise<Client> {
  if (caller === 'outsider') return (await makePerson(scene.house)).client
  const { ours, theirs, member, capped, key, poor, house } = scene
  const clients = {
    owner: ours.owner.client,
    theirs: theirs.owner.client,
    member: member.client,
    capped: capped.client,
    key,
    poor: poor.owner.client,
    administrator: house.admin,
  }
  return clients[caller]
}

const nobody = (): Refusal => ({
  as: 'administrator',
  problem: 'not-found',
  input: () => ({ organization_id: newId() }),
})

const archive = (house: TestHouse, project: string, is_archived: boolean): Promise<unknown> =>
  house.database.across.query(sql`update projects set is_archived = ${is_archived} where id = ${project}`)

const setStatus = (house: TestHouse, organization: string, status: string): Promise<unknown> =>
  house.database.across.query(sql`update organizations set status = ${status} where organization_id = ${organization}`)

/** Creates a top-up approval request of a user. */
async function askedBy(person: Person): Promise<{ approval_id: string }> {
  const { id } = await person.client.call<{ id: string }>('billing.approvals.request', { credits: 500 })
  return { approval_id: id }
}

async function rejected(by: Person, person: Person): Promise<{ approval_id: string }> {
  const asked = await askedBy(person)
  await by.client.call('billing.approvals.reject', asked)
  return asked
}

async function expired(house: TestHouse, person: Person): Promise<{ approval_id: string }> {
  const asked = await askedBy(person)
  await house.database.across.query(sql`
    update topup_approvals set expires_at = created_at where id = ${asked.approval_id}`)
  return asked
}

async function toppedUp(owner: Person): Promise<string> {
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
      given: ({ house, ours }) =>
        house.admin.call('admin.commitments.create', {
          organization_id: ours.organization,
          ...contract,
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
      input: () => ({ organization_id: newId(), ...contract, committed_aud: 1, products }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ theirs }) => ({ organization_id: theirs.organization, ...contract, committed_aud: 1, products }),
    },
    {
      as: 'administrator',
      problem: 'name-taken',
      input: ({ ours }) => ({ organization_id: ours.organization, ...contract, committed_aud: 1, products }),
    },
  ],
  'admin.invoices.credit': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: async ({ house, ours, theirs }) => ({
        organization_id: theirs.organization,
        invoice_id: await issueInvoice(house, ours.organization, 1100),
        reason: 'x',
      }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ house, ours }) => ({
        organization_id: ours.organization,
        invoice_id: await issueInvoice(house, ours.organization, 1100),
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
      input: async ({ house, ours: { organization } }) => {
        const invoice_id = await issueInvoice(house, organization, 1100)
        await house.admin.call('admin.invoices.credit', { organization_id: organization, invoice_id, reason: 'x' })
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
    { problem: 'not-found', input: ({ theirs }) => askedBy(theirs.owner) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => askedBy(ours.owner) },
    // A requester cannot approve the request.
    { problem: 'forbidden', input: ({ ours }) => askedBy(ours.owner) },
    { as: 'key', problem: 'user-required', input: ({ capped }) => askedBy(capped) },
    { problem: 'already-decided', input: ({ capped, ours }) => rejected(ours.owner, capped) },
    { problem: 'gone-expired', input: ({ house, capped }) => expired(house, capped) },
  ],
  'billing.approvals.reject': [
    { problem: 'not-found', input: ({ theirs }) => askedBy(theirs.owner) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => askedBy(ours.owner) },
    { as: 'key', problem: 'user-required', input: ({ capped }) => askedBy(capped) },
    { problem: 'already-decided', input: ({ capped, ours }) => rejected(ours.owner, capped) },
    { problem: 'gone-expired', input: ({ house, capped }) => expired(house, capped) },
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
    nobody(),
    {
      as: 'administrator',
      problem: 'already-decided',
      input: async ({ house }) => {
        const { organization } = await makeOrganization(house, 0)
        await house.admin.call('billing.free_tier.approve', { organization_id: organization })
        return { organization_id: organization }
      },
    },
  ],
  'billing.free_tier.grant_all': [],
  'billing.free_tier.revoke': [
    nobody(),
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: ({ theirs }) => ({ organization_id: theirs.organization }),
    },
  ],
  'billing.jobs.settle_unsettled': [nobody()],
  'billing.ledger.export': [{ as: 'member', problem: 'forbidden', input: () => ({}) }],
  'billing.reconciliation.backfill_missing': [nobody()],
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
  'billing.reconciliation.remove_stale': [nobody()],
  'billing.reconciliation.run': [nobody()],
  'billing.reconciliation.run_all': [],
  'billing.reconciliation.zero_negative_nets': [nobody()],
  'billing.refunds.request': [
    { problem: 'not-found', input: async ({ theirs }) => ({ topup_id: await toppedUp(theirs.owner) }) },
    { as: 'member', problem: 'forbidden', input: async ({ ours }) => ({ topup_id: await toppedUp(ours.owner) }) },
    { as: 'key', problem: 'user-required', input: async ({ ours }) => ({ topup_id: await toppedUp(ours.owner) }) },
    {
      problem: 'invalid-state',
      input: async ({ ours }) => ({ topup_id: await toppedUp(ours.owner), credits: 501 }),
    },
  ],
  'billing.run_monthly_cron': [],
  'billing.run_monthly_for_org': [
    { problem: 'not-found', input: ({ theirs }) => ({ organization_id: theirs.organization }) },
    { as: 'member', problem: 'forbidden', input: ({ ours }) => ({ organization_id: ours.organization }) },
    {
      as: 'poor',
      problem: 'invalid-state',
      given: ({ house, poor }) => setStatus(house, poor.organization, 'deleted'),
      input: ({ poor }) => ({ organization_id: poor.organization }),
    },
  ],
  'billing.set_auto_topup': [
    { as: 'member', problem: 'forbidden', input: () => autoTopup },
    {
      problem: 'invalid-state',
      given: ({ house, ours }) =>
        house.database.across.query(sql`
          update payment_methods set is_default = false where organization_id = ${ours.organization}`),
      input: () => autoTopup,
    },
  ],
  'billing.topup': [
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
    { problem: 'upstream', input: ({ unreachable: captures }) => ({ captures }) },
    {
      problem: 'invalid-state',
      given: ({ house, ours }) => archive(house, ours.project, true),
      input: ({ captures, ours }) => ({ captures, projectId: ours.project }),
    },
    { as: 'poor', problem: 'payment-declined', input: ({ captures }) => ({ captures }) },
    {
      as: 'poor',
      problem: 'insufficient-credits',
      given: async ({ house, poor: { organization } }) => {
        await setStatus(house, organization, 'active')
        await putOnPlan(house, organization, 'prepaid')
      },
      input: ({ captures }) => ({ captures }),
    },
    {
      as: 'poor',
      problem: 'past-due',
      given: ({ house, poor }) => setStatus(house, poor.organization, 'suspended'),
      input: ({ captures }) => ({ captures }),
    },
  ],
  'orders.cancel': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    { problem: 'invalid-state', input: ({ order }) => ({ order_id: order }) },
  ],
  'orders.download': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    {
      as: 'theirs',
      problem: 'invalid-state',
      given: ({ house, theirs }) =>
        house.database.across.query(
          sql`update assets set ready = false where organization_id = ${theirs.organization}`,
        ),
      input: ({ theirOrder }) => ({ order_id: theirOrder }),
    },
    {
      as: 'theirs',
      problem: 'past-due',
      given: ({ house, theirs }) => setStatus(house, theirs.organization, 'deleted'),
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
      given: async ({ ours: { owner }, card }) => {
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

const unknownToProcessor = 'needs a processor without the customer or the card: tested in billing/cards'
const away = 'the embedded processor is always available; unavailability is tested beside the code'

const noWallet = 'declared for all charging operations; a top-up spends no credits'

/** Declared refusals that no call can trigger here, with the reason. */
export const elsewhere: Readonly<Record<string, string>> = {
  'billing.approvals.approve insufficient-credits': noWallet,
  'billing.approvals.approve past-due': noWallet,
  'billing.approvals.approve payment-action-required': 'leaves a recovery point: unpaid-keys.test.ts',
  'billing.approvals.approve payment-declined': 'consumes the approval: unpaid-keys.test.ts',
  'billing.approvals.approve spend-limit-exceeded': noWallet,
  'billing.approvals.approve upstream': away,
  'billing.topup payment-action-required': 'leaves a recovery point: unpaid-keys.test.ts',
  'billing.topup upstream': away,
  'orders.archive.place forbidden': 'declared for all purchases; no delivery target is read-only',
  'orders.archive.place payment-action-required': 'leaves a recovery point: unpaid-keys.test.ts',
  'orders.download bandwidth-breaker': 'needs the egress of a day: domains/usage/egress.test.ts',
  'orders.download budget-exceeded': 'needs an order with more files than a ZIP may hold',
  'orders.download download-cap': 'needs the downloads of a day: domains/usage/egress.test.ts',
  'payment_methods.attach upstream': away,
  'payment_methods.create_setup_intent payment-declined': unknownToProcessor,
  'payment_methods.create_setup_intent upstream': away,
  'payment_methods.detach payment-declined': unknownToProcessor,
  'payment_methods.detach upstream': away,
  'payment_methods.set_default payment-declined': unknownToProcessor,
  'payment_methods.set_default upstream': away,
}
