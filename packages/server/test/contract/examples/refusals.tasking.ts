import { limits } from '@swath/contract/limits.ts'
import { runForEach } from '../../citus/statements.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import { newId } from '../../../src/platform/ids.ts'
import { updateBillingPlan } from '../../billing-helpers.ts'
import { square } from '../../geometries.ts'
import type { TestApp } from '../../test-app.ts'
import type { TestOrganization } from '../../test-organizations.ts'
import { expireQuote } from './refusal-quotes.ts'
import { setArchived, setStatus, type Refusal } from './refusal-fixture.ts'
import { expireDecision, placeUnquotedOrder, requestQuotation, requestStudy } from './tasking-decisions.ts'

const orderIn = (workspaceId: string) => ({
  workspaceId,
  groups: [{ geometry: square(10, 50, 0.1), dataProduct: 'sky:direct' }],
})
async function quoteTasks({ owner, project }: TestOrganization): Promise<{ quote_id: string }> {
  const { quote_id } = await owner.client.call('orders.quote', { groups: orderIn(project).groups } as never)
  return { quote_id }
}
/** An order that waits for a quotation, so it is neither studied nor acquired. */
const unquotedOrder = async (org: TestOrganization) => ({
  organization_id: org.organization,
  order_id: await placeUnquotedOrder(org),
  reason: 'refused',
})
const templateInput = {
  name: 'One too many',
  resolution: '50cm',
  sensor: 'optical',
  capture_frequency: 'once',
  datum: 'WGS84',
  file_format: 'COG',
}

const fillTemplates = (app: TestApp, { organization }: TestOrganization): Promise<unknown> =>
  runForEach(
    app.database.unscoped,
    [1, limits.max_tasking_templates],
    (number) => sql`
      insert into tasking_templates (organization_id, id, name, settings, created_at, updated_at)
      values (${organization}, ${newId()}, ${`Template ${number}`}, '{}', now(), now())`,
  )

const unknownOrder = { order_id: newId(), reason: 'refused' }

/** The input that accepts the price of a new order. */
type RequestDecision = (app: TestApp, org: TestOrganization) => Promise<object>

/** The refusals of an accepted price; the first field of the input is the id of the decision. */
const priceRefusals = (
  accept: 'orders.tasking.feasibility_decide' | 'orders.tasking.quotation_decide',
  request: RequestDecision,
): readonly Refusal[] => [
  { as: 'member', problem: 'not-a-member', input: ({ app, ours }) => request(app, ours) },
  { as: 'capped', problem: 'spend-limit-exceeded', input: ({ app, ours }) => request(app, ours) },
  {
    problem: 'already-decided',
    input: async ({ app, ours }) => {
      const decision = await request(app, ours)
      await ours.owner.client.call(accept, decision)
      return decision
    },
  },
  {
    problem: 'quote-expired',
    input: async ({ app, ours }) => {
      const decision = await request(app, ours)
      await expireDecision(app, Object.values(decision)[0] as string)
      return decision
    },
  },
  {
    problem: 'invalid-state',
    prepare: ({ app, ours }) => setArchived(app, ours.project, false),
    input: async ({ app, ours }) => {
      const decision = await request(app, ours)
      await setArchived(app, ours.project, true)
      return decision
    },
  },
  ...unpaidRefusals(request),
]

const unpaidRefusals = (request: RequestDecision): readonly Refusal[] => [
  {
    as: 'poor',
    problem: 'payment-declined',
    prepare: async ({ app, poor: { organization } }) => {
      await setStatus(app, organization, 'active')
      await updateBillingPlan(app, organization, 'free')
    },
    input: ({ app, poor }) => request(app, poor),
  },
  {
    as: 'poor',
    problem: 'insufficient-credits',
    prepare: ({ app, poor: { organization } }) => updateBillingPlan(app, organization, 'prepaid'),
    input: ({ app, poor }) => request(app, poor),
  },
  {
    as: 'poor',
    problem: 'past-due',
    input: async ({ app, poor }) => {
      const decision = await request(app, poor)
      await setStatus(app, poor.organization, 'suspended')
      return decision
    },
    prepare: ({ app, poor }) => setStatus(app, poor.organization, 'active'),
  },
]

/** The refusals of tasking, by operation id. */
export const taskingRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  'orders.tasking.place': [
    { problem: 'not-found', input: ({ theirs }) => orderIn(theirs.project) },
    { as: 'member', problem: 'not-a-member', input: ({ ours }) => orderIn(ours.project) },
    { as: 'capped', problem: 'spend-limit-exceeded', input: ({ ours }) => orderIn(ours.project) },
    {
      problem: 'conflicting-parameters',
      input: async ({ ours }) => ({ ...orderIn(ours.project), ...(await quoteTasks(ours)) }),
    },
    { problem: 'quote-expired', input: async ({ app, ours }) => expireQuote(app, await quoteTasks(ours)) },
    {
      problem: 'invalid-state',
      prepare: ({ app, ours }) => setArchived(app, ours.project, true),
      input: ({ ours }) => orderIn(ours.project),
    },
    {
      as: 'poor',
      problem: 'payment-declined',
      prepare: async ({ app, poor: { organization } }) => {
        await setStatus(app, organization, 'active')
        await updateBillingPlan(app, organization, 'free')
      },
      input: ({ poor }) => orderIn(poor.project),
    },
    {
      as: 'poor',
      problem: 'insufficient-credits',
      prepare: ({ app, poor: { organization } }) => updateBillingPlan(app, organization, 'prepaid'),
      input: ({ poor }) => orderIn(poor.project),
    },
    {
      as: 'poor',
      problem: 'past-due',
      prepare: ({ app, poor }) => setStatus(app, poor.organization, 'suspended'),
      input: ({ poor }) => orderIn(poor.project),
    },
  ],
  'orders.tasking.feasibility_decide': [
    { problem: 'not-found', input: () => ({ study_id: newId(), acceptedOptionId: 'nothing' }) },
    ...priceRefusals('orders.tasking.feasibility_decide', requestStudy),
  ],
  'orders.tasking.quotation_decide': [
    { problem: 'not-found', input: () => ({ quotation_id: newId(), decision: 'ACCEPTED' }) },
    ...priceRefusals('orders.tasking.quotation_decide', requestQuotation),
  ],
  'orders.tasking.templates.delete': [
    {
      problem: 'not-found',
      input: async ({ theirs }) => {
        const saved = await theirs.owner.client.call<{ id: string }>('orders.tasking.templates.save', templateInput)
        return { template_id: saved.id }
      },
    },
  ],
  'orders.tasking.templates.save': [
    {
      problem: 'quota-exceeded',
      input: async ({ app, ours }) => {
        await fillTemplates(app, ours)
        return templateInput
      },
    },
  ],
  'admin.tasking.study_upload': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, ...unknownOrder, options: [] }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ ours }) => ({ ...(await unquotedOrder(ours)), options: [] }),
    },
  ],
  'admin.tasking.quotation_upload': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, ...unknownOrder, creditsPrice: 1 }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ ours }) => ({
        ...(await unquotedOrder(ours)),
        creditsPrice: 1,
        decide_by: '2020-01-01T00:00:00Z',
      }),
    },
  ],
  'admin.tasking.order_transition': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({
        organization_id: ours.organization,
        ...unknownOrder,
        transition: 'task',
        reason_code: 'planned',
      }),
    },
    {
      as: 'administrator',
      problem: 'invalid-state',
      input: async ({ ours }) => ({ ...(await unquotedOrder(ours)), transition: 'task', reason_code: 'planned' }),
    },
  ],
}
