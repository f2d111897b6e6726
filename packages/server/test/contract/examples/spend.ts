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

/** A new organization with credits and a card, for one call that is tried again and again. */
export interface Stage {
  readonly house: TestHouse
  readonly made: TestOrganization
  /** Who calls; their keys count in `organization`. */
  readonly client: Client
  readonly organization: string
}

/** What two callers who ask for different things send; each of them has an effect, and each time another one. */
export type Wish = 0 | 1

export interface SpendExample {
  /** `owner` of the stage's organization when left out. */
  readonly caller?: 'administrator'
  /** A valid input; makes what it needs. Wishes of one number have equal effects, those of two are different inputs. */
  wish(stage: Stage, which: Wish): Promise<object>
  /** An input that names something which nobody has: 404. */
  readonly missing?: (stage: Stage) => object
}

/** Hosts that the examples need: one takes and delivers at once, one fails and would be asked again much later. */
export const spendHosts = async () => [await faultyHost('good'), await faultyHost('failing', { place: ['fail'] })]

/** The haste of the house that they need: what failed is not tried again while anybody looks. */
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

/** One example for every operation that accepts a key. */
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
      // Nobody waits a hundred years, and no contract is entered that has ended.
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
