import { newId } from '../../../src/platform/ids.ts'
import { updateBillingPlan } from '../../billing-helpers.ts'
import { square } from '../../geometries.ts'
import { setArchived, setStatus, type Refusal } from './refusal-fixture.ts'

const orderIn = (workspaceId: string) => ({
  workspaceId,
  groups: [{ geometry: square(10, 50, 0.1), dataProduct: 'sky:direct' }],
})
const unknownOrder = { order_id: newId(), reason: 'refused' }

/** The refusals of tasking, by operation id. */
export const taskingRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  'orders.tasking.place': [
    { problem: 'not-found', input: ({ theirs }) => orderIn(theirs.project) },
    { as: 'member', problem: 'not-a-member', input: ({ ours }) => orderIn(ours.project) },
    { as: 'capped', problem: 'spend-limit-exceeded', input: ({ ours }) => orderIn(ours.project) },
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
  ],
  'orders.tasking.quotation_decide': [
    { problem: 'not-found', input: () => ({ quotation_id: newId(), decision: 'ACCEPTED' }) },
  ],
  'admin.tasking.study_upload': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, ...unknownOrder, options: [] }),
    },
  ],
  'admin.tasking.quotation_upload': [
    {
      as: 'administrator',
      problem: 'not-found',
      input: ({ ours }) => ({ organization_id: ours.organization, ...unknownOrder, creditsPrice: 1 }),
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
  ],
}
