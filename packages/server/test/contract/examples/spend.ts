import type { Client } from '@swath/client/client.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { saveCard, updateBillingPlan } from '../../billing-helpers.ts'
import { createEndedCommitment } from '../../enterprise.ts'
import { createFaultyHost, smallScenes } from '../../hosts/faulty-host.ts'
import { createTaskingHost } from '../../hosts/tasking-host.ts'
import { issueInvoice } from '../../invoices.ts'
import { findCaptures, placeSceneOrder, toProductOrder, waitForOrder } from '../../orders.ts'
import { createTestOrganization, createTestUser, type TestOrganization } from '../../test-organizations.ts'
import { proposeScene, saveRestingSearch } from '../../standing-orders.ts'
import { square } from '../../geometries.ts'
import type { TestApp } from '../../test-app.ts'
import { createClipAreaRequest, createClipRequest, createJobRequest, deliverSmallScene } from '../../processing/jobs.ts'
import { requestQuotation, requestStudy, toTaskingOrder } from './tasking-decisions.ts'

/** A new organization with credits and a card, for a call that is repeated. */
export interface SpendFixture {
  readonly app: TestApp
  readonly org: TestOrganization
  /** The caller; its idempotency keys belong to `organization`. */
  readonly client: Client
  readonly organization: string
}

/** Selects one of two different inputs; each call of either has a new effect. */
export type InputVariant = 0 | 1

export interface SpendExample {
  /** Defaults to the owner of the organization of the fixture. */
  readonly caller?: 'administrator'
  /** Creates a valid input with its fixtures. Inputs of one variant have equal effects; the variants differ. */
  createInput(fixture: SpendFixture, variant: InputVariant): Promise<object>
  /** An input with an unknown id: 404. */
  readonly missing?: (fixture: SpendFixture) => object
}

/** Hosts of the examples: one accepts and delivers at once, one fails and would be retried much later. */
export const createSpendHosts = async () => [
  await createFaultyHost('good'),
  await createFaultyHost('failing', { place: ['fail'] }),
  await createTaskingHost('sky'),
]

/** A retry policy without retries during a test. */
export const noRetries = {
  poll_s: 0.1,
  retry: <Policy extends { delay_s: number }>(declared: Policy): Policy => ({ ...declared, delay_s: 600 }),
}

export async function createSpendFixture(app: TestApp, example: SpendExample): Promise<SpendFixture> {
  const org = await createTestOrganization(app, 100_000)
  await saveCard(org.owner.client)
  if (example.caller !== 'administrator') {
    return { app, org, client: org.owner.client, organization: org.organization }
  }
  const { organization } = await app.admin.call('users.me', {})
  return { app, org, client: app.admin, organization: organization!.id }
}

/** Another operator than the administrator. */
async function createOperator(app: TestApp): Promise<Client> {
  const { user, email, password } = await createTestUser(app)
  await app.database.unscoped.query(sql`update users set is_administrator = true where id = ${user}`)
  return app.createClientFor(email, password)
}

const [scene, otherScene] = smallScenes

/** One of 16 small squares in the middle of a polygon that do not touch each other. */
function takePart(geometry: Readonly<Record<string, unknown>>, position: number): Record<string, unknown> {
  const [ring] = geometry['coordinates'] as [[number, number][]]
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  const middle = (values: number[]): number => (Math.min(...values) + Math.max(...values)) / 2
  const size = (Math.max(...xs) - Math.min(...xs)) / 20
  const shift = (cell: number): number => (cell - 2) * 2 * size
  return { ...square(middle(xs) + shift(position % 4), middle(ys) + shift(Math.floor(position / 4)), size) }
}

/** One example for every operation that accepts an idempotency key. */
export const spendExamples: Readonly<Record<string, SpendExample>> = {
  'admin.commitments.close_period': {
    caller: 'administrator',
    createInput: async ({ app, org: { organization } }) => {
      await updateBillingPlan(app, organization, 'enterprise')
      return { organization_id: organization, commitment_id: await createEndedCommitment(app, organization, 100_000) }
    },
    missing: ({ org: { organization } }) => ({ organization_id: organization, commitment_id: newId() }),
  },
  'admin.credit_adjustments.approve': {
    caller: 'administrator',
    createInput: async ({ app, org: { organization: organization_id } }, variant) => {
      const operator = await createOperator(app)
      const amount_credits = 500 + variant
      const input = { organization_id, amount_credits, reason: 'example' }
      const { id } = await operator.call<{ id: string }>('admin.credit_adjustments.request', input)
      return { organization_id, adjustment_id: id, reason: 'example' }
    },
    missing: ({ org: { organization } }) => ({
      organization_id: organization,
      adjustment_id: newId(),
      reason: 'example',
    }),
  },
  'admin.invoices.credit': {
    caller: 'administrator',
    createInput: async ({ app, org: { organization } }, variant) => ({
      organization_id: organization,
      invoice_id: await issueInvoice(app, organization, 1100),
      amount_aud: 5.5,
      reason: `example ${variant}`,
    }),
    missing: ({ org: { organization } }) => ({
      organization_id: organization,
      invoice_id: newId(),
      reason: 'example',
    }),
  },
  'admin.orgs.credit_adjust': {
    caller: 'administrator',
    createInput: async ({ org }, variant) => ({
      organization_id: org.organization,
      amount_credits: 500 + variant,
      reason: 'example',
    }),
    missing: () => ({ organization_id: newId(), amount_credits: 500, reason: 'example' }),
  },
  'billing.approvals.approve': {
    createInput: async ({ org }, variant) => {
      const requester = await org.addMember('admin')
      const { id } = await requester.client.call<{ id: string }>('billing.approvals.request', {
        credits: 1000 + variant,
      })
      return { approval_id: id }
    },
    missing: () => ({ approval_id: newId() }),
  },
  'billing.refunds.request': {
    createInput: async ({ client }, variant) => {
      const { id } = await client.call<{ id: string }>('billing.topup', { credits: 1000 })
      return { topup_id: id, credits: 100 + variant }
    },
    missing: () => ({ topup_id: newId() }),
  },
  'billing.run_monthly_for_org': {
    createInput: async ({ org }, variant) => ({ organization_id: variant === 0 ? org.organization : newId() }),
    missing: () => ({ organization_id: newId() }),
  },
  'billing.topup': {
    createInput: async (_stage, variant) => ({ credits: 1000 + 500 * variant }),
    missing: () => ({ credits: 1000, payment_method_row_id: newId() }),
  },
  'clip.create_from_area': {
    caller: 'administrator',
    createInput: async ({ app, client, organization }, variant) => ({
      ...(await createClipAreaRequest(app, client, organization)),
      aoi_name: `Variant ${variant}`,
    }),
    missing: ({ organization }) => ({
      area: newId(),
      mosaic_types: ['visual'],
      aoi_geometry: square(0, 0, 1),
      organization_id: organization,
    }),
  },
  'clip.create_from_item': {
    createInput: async ({ client }, variant) => ({
      ...(await createClipRequest(client)),
      output_name: `Variant ${variant}`,
    }),
    missing: () => ({ source_item_id: newId(), aoi_geometry: square(0, 0, 1) }),
  },
  'processing.create': {
    createInput: ({ client, org: { project } }, variant) => createJobRequest(client, project, variant),
    missing: ({ org: { project } }) => ({ project_id: project, job_type_id: newId() }),
  },
  'processing.create_and_dispatch': {
    createInput: ({ client, org: { project } }, variant) => createJobRequest(client, project, variant),
    missing: ({ org: { project } }) => ({ project_id: project, job_type_id: newId() }),
  },
  'processing.dispatch': {
    createInput: async ({ client, org: { project } }, variant) => {
      const { job } = await client.call<{ job: { id: string } }>(
        'processing.create',
        await createJobRequest(client, project, variant),
      )
      return { job_id: job.id }
    },
    missing: () => ({ job_id: newId() }),
  },
  'processing.jobs.retry': {
    createInput: async ({ client, org: { project } }, variant) => {
      const { job } = await client.call<{ job: { id: string } }>(
        'processing.create',
        await createJobRequest(client, project, variant),
      )
      await client.call('processing.job.cancel', { job_id: job.id })
      return { job_id: job.id, reuse: false }
    },
    missing: () => ({ job_id: newId() }),
  },
  'processing.execute': {
    createInput: async ({ client, org: { project } }, variant) => ({
      process_id: 'format-conversion',
      workspaceId: project,
      inputs: { item: (await deliverSmallScene(client)).item, title: `Variant ${variant}` },
      reuse: false,
    }),
    missing: ({ org: { project } }) => ({ process_id: 'nothing', workspaceId: project }),
  },
  'orders.archive.place': {
    createInput: async ({ client }, variant) => ({
      captures: await findCaptures(client, 'good', [scene]),
      ...(variant === 0 ? {} : { splitByDate: true }),
    }),
    missing: () => ({ captures: [{ id: scene, host: 'good', geometry: square(0, 0, 1) }], projectId: newId() }),
  },
  'orders.reorder': {
    createInput: async ({ client }, variant) => {
      const order_id = await placeSceneOrder(client, 'good', [scene])
      return { order_id, ...(variant === 0 ? {} : { max_credits: 1_000_000 }) }
    },
    missing: () => ({ order_id: newId() }),
  },
  'orders.standing.create': {
    createInput: async ({ app, client }, variant) => ({
      saved_search_id: await saveRestingSearch(app, client, {
        name: newId(),
        source_ids: ['good'],
        filters: { bbox: [10, 50, 11, 51] },
      }),
      mode: variant === 0 ? 'ask' : 'buy',
      max_credits_per_scene: 100,
      max_credits_per_month: 1000,
    }),
    missing: () => ({ saved_search_id: newId(), mode: 'ask', max_credits_per_scene: 1, max_credits_per_month: 1 }),
  },
  'orders.standing.decide': {
    createInput: async ({ app, client, organization }, variant) => {
      // The next place each time: what is held already is not bought again.
      const [capture] = await findCaptures(client, 'good', [otherScene])
      const [count] = await app.database.unscoped.query<{ orders: number }>(sql`
        select count(*)::int as orders from standing_orders where organization_id = ${organization}`)
      return {
        ...(await proposeScene(app, client, { ...capture!, geometry: takePart(capture!.geometry, count!.orders) })),
        decision: 'ACCEPTED',
        ...(variant === 0 ? {} : { max_credits: 500_000 }),
      }
    },
    missing: () => ({ standing_order_id: newId(), source_id: 'good', scene_id: scene, decision: 'ACCEPTED' }),
  },
  'orders.place': {
    createInput: async ({ client, org: { project } }, variant) => {
      const [capture] = await findCaptures(client, 'good', [scene])
      const order = await toProductOrder(client, capture!)
      // As its routes do, so that the calls are equal.
      return { workspaceId: project, ...order, partial: true, displayName: `Variant ${variant}` }
    },
    missing: () => ({ workspaceId: newId(), dataProduct: newId(), params: { id: scene } }),
  },
  'orders.tasking.place': {
    createInput: async ({ org }, variant) => toTaskingOrder(org.project, 'direct', `Variant ${variant}`),
    missing: () => toTaskingOrder(newId(), 'direct'),
  },
  'orders.tasking.feasibility_decide': {
    createInput: ({ app, org }, variant) => requestStudy(app, org, variant),
    missing: () => ({ study_id: newId(), acceptedOptionId: 'nothing' }),
  },
  'orders.tasking.quotation_decide': {
    createInput: async ({ app, org }, variant) => ({
      ...(await requestQuotation(app, org)),
      decision: variant === 0 ? 'ACCEPTED' : 'REJECTED',
    }),
    missing: () => ({ quotation_id: newId(), decision: 'ACCEPTED' }),
  },
  'orders.cancel': {
    createInput: async ({ client }) => {
      const order_id = await placeSceneOrder(client, 'failing', [scene])
      await waitForOrder(client, order_id, 'PLACEMENT_FAILED')
      return { order_id }
    },
    missing: () => ({ order_id: newId() }),
  },
}
