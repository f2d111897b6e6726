import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { updateBillingPlan } from '../../billing-helpers.ts'
import { findDataProduct } from '../../orders.ts'
import { square } from '../../geometries.ts'
import { setArchived, setStatus, type Refusal } from './refusal-fixture.ts'
import { fillQuotes, requestExpiredQuote, requestQuote } from './refusal-quotes.ts'

/** The refusals of the operations on orders, by operation id. */
export const orderRefusals: Readonly<Record<string, readonly Refusal[]>> = {
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
    { as: 'key', problem: 'user-required', input: ({ productOrder }) => productOrder },
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
  'orders.reorder': [
    { as: 'key', problem: 'user-required', input: ({ order }) => ({ order_id: order }) },
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    { problem: 'spend-limit-exceeded', input: ({ order }) => ({ order_id: order, max_credits: 0 }) },
    {
      problem: 'invalid-state',
      prepare: ({ app, ours }) => setArchived(app, ours.project, true),
      input: ({ order }) => ({ order_id: order }),
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
    {
      problem: 'not-found',
      input: () => ({ groups: [{ geometry: square(10, 50, 0.1), dataProduct: 'sky:direct' }], template_id: newId() }),
    },
  ],
  'orders.cancel': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order }) },
    { problem: 'invalid-state', input: ({ order }) => ({ order_id: order }) },
  ],
  'orders.update': [
    { problem: 'not-found', input: ({ theirOrder }) => ({ order_id: theirOrder, tags: [] }) },
    { as: 'member', problem: 'not-a-member', input: ({ order }) => ({ order_id: order, tags: [] }) },
    { problem: 'not-found', input: ({ order }) => ({ order_id: order, budgetId: newId() }) },
    { problem: 'invalid-state', input: ({ order, capped }) => ({ order_id: order, budgetId: capped.user }) },
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
}
