import type { Client } from '@swath/client/client.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { giveCard, putOnPlan } from '../../house-money.ts'
import { faultyHost, smallScenes } from '../../hosts/faulty-host.ts'
import { issueInvoice } from '../../invoices.ts'
import { capturesOf, placeScenes, waitForOrder } from '../../orders.ts'
import { makeOrganization, type TestOrganization } from '../../people.ts'
import { square } from '../../places.ts'
import type { TestHouse } from '../../setup.ts'

/** A new organization with credits and a card, for a call that is repeated. */
export interface Stage {
  readonly house: TestHouse
  readonly made: TestOrganization
  /** The caller; its idempotency keys belong to `organization`. */
  readonly client: Client
  readonly organization: string
}

/** Selects one of two different inputs; each call of either has a new effect. */
export type Wish = 0 | 1

export interface SpendExample {
  /** Defaults to the owner of the organization of the fixture. */
  readonly caller?: 'administrator'
  /** Creates a valid input and what it needs. Inputs of one variant have equal effects; the variants differ. */
  wish(stage: Stage, which: Wish): Promise<object>
  /** An input with an unknown id: 404. */
  readonly missing?: (stage: Stage) => object
}

/** Hosts of the examples: one accepts and delivers at once, one fails and would be retried much later. */
export const spendHosts = async () => [await faultyHost('good'), await faultyHost('failing', { place: ['fail'] })]

/** A retry policy without retries during a test. */
export const spendBackground = {
  poll_s: 0.1,
  retry: <Policy extends { delay_s: number }>(declared: Policy): Policy => ({ ...declared, delay_s: 600 }),
}

export async function openStage(house: TestHouse, example: SpendExample): Promise<Stage> {
  const made = await makeOrganization(house, 100_000)
  await giveCard(made.owner.client)
  if (example.caller !== 'administrator') {
    return { house, made, client: made.owner.client, organization: made.organization }
  }
  const { organization } = await house.admin.call('users.me', {})
  return { house, made, client: house.admin, organization: organization!.id }
}

const [scene] = smallScenes

/** One example for every operation that accepts an idempotency key. */
export const spends: Readonly<Record<string, SpendExample>> = {
  'admin.commitments.close_period': {
    caller: 'administrator',
    wish: async ({ house, made: { organization } }) => {
      await putOnPlan(house, organization, 'enterprise')
      const { commitment } = await house.admin.call<{ commitment: { id: string } }>('admin.commitments.create', {
        organization_id: organization,
        name: `Contract ${newId()}`,
        period_start: '2020-01-01T00:00:00.000Z',
        period_end: '2120-01-01T00:00:00.000Z',
        committed_aud: 1000,
        products: [{ product: newId(), negotiated_rate_aud: '1.5' }],
      })
      // A commitment cannot be created with a past period, so its end is moved in the database.
      await house.database.across.query(sql`
        update commitments set period_end = ${new Date('2021-01-01')} where id = ${commitment.id}`)
      return { organization_id: organization, commitment_id: commitment.id }
    },
    missing: ({ made: { organization } }) => ({ organization_id: organization, commitment_id: newId() }),
  },
  'admin.invoices.credit': {
    caller: 'administrator',
    wish: async ({ house, made: { organization } }, which) => ({
      organization_id: organization,
      invoice_id: await issueInvoice(house, organization, 1100),
      amount_aud: 5.5,
      reason: `example ${which}`,
    }),
    missing: ({ made: { organization } }) => ({
      organization_id: organization,
      invoice_id: newId(),
      reason: 'example',
    }),
  },
  'admin.orgs.credit_adjust': {
    caller: 'administrator',
    wish: async ({ made }, which) => ({
      organization_id: made.organization,
      amount_credits: 500 + which,
      reason: 'example',
    }),
    missing: () => ({ organization_id: newId(), amount_credits: 500, reason: 'example' }),
  },
  'billing.approvals.approve': {
    wish: async ({ made }, which) => {
      const asker = await made.join('admin')
      const { id } = await asker.client.call<{ id: string }>('billing.approvals.request', { credits: 1000 + which })
      return { approval_id: id }
    },
    missing: () => ({ approval_id: newId() }),
  },
  'billing.refunds.request': {
    wish: async ({ client }, which) => {
      const { id } = await client.call<{ id: string }>('billing.topup', { credits: 1000 })
      return { topup_id: id, credits: 100 + which }
    },
    missing: () => ({ topup_id: newId() }),
  },
  'billing.run_monthly_for_org': {
    wish: async ({ made }, which) => ({ organization_id: which === 0 ? made.organization : newId() }),
    missing: () => ({ organization_id: newId() }),
  },
  'billing.topup': {
    wish: async (_stage, which) => ({ credits: 1000 + 500 * which }),
    missing: () => ({ credits: 1000, payment_method_row_id: newId() }),
  },
  'orders.archive.place': {
    wish: async ({ client }, which) => ({
      captures: await capturesOf(client, 'good', [scene]),
      ...(which === 0 ? {} : { splitByDate: true }),
    }),
    missing: () => ({ captures: [{ id: scene, host: 'good', geometry: square(0, 0, 1) }], projectId: newId() }),
  },
  'orders.cancel': {
    wish: async ({ client }) => {
      const order_id = await placeScenes(client, 'failing', [scene])
      await waitForOrder(client, order_id, 'PLACEMENT_FAILED')
      return { order_id }
    },
    missing: () => ({ order_id: newId() }),
  },
}
