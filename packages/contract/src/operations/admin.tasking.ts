import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { OrderStatus } from '../schemas/order.ts'
import {
  Count,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'
import { FeasibilityStudy, Quotation } from '../schemas/tasking.ts'

// The side of the provider, for products that no host answers by itself.

const orderFields = { organization_id: Uuid, order_id: Uuid }
const DecideBy = WithDescription(
  'Until when the customer may decide; by default a week from now.',
  OptionalNullable(Timestamp),
)
const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Reason = Type.String({ minLength: 1, maxLength: limits.max_text_length })

const UploadedOption = StrictObject({
  description: Text,
  acquisitionStart: OptionalNullable(Timestamp),
  acquisitionEnd: OptionalNullable(Timestamp),
  creditsPrice: WithDescription('Null: a quotation follows.', OptionalNullable(Count)),
})

export const adminTaskingStudyUploadOperation = operation({
  id: 'admin.tasking.study_upload',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Answer the feasibility study of a tasking order with options, or end the order as not feasible.',
  input: StrictObject({
    ...orderFields,
    options: Type.Array(UploadedOption, { maxItems: 50, description: 'None: the order is not feasible.' }),
    decide_by: DecideBy,
    reason: Reason,
  }),
  output: Type.Object({ order_id: Uuid, study: Nullable(FeasibilityStudy) }),
  problems: ['not-found', 'invalid-state'],
  emits: ['feasibility.answered', 'order.failed'],
  extension: true,
})

export const adminTaskingQuotationUploadOperation = operation({
  id: 'admin.tasking.quotation_upload',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Offer a price for a tasking order; an earlier quotation that is not decided is superseded.',
  input: StrictObject({
    ...orderFields,
    creditsPrice: WithDescription('The price of the order.', Count),
    decide_by: DecideBy,
    reason: Reason,
  }),
  output: Type.Object({ order_id: Uuid, quotation: Quotation }),
  problems: ['not-found', 'invalid-state'],
  emits: ['quotation.requested'],
  extension: true,
})

export const adminTaskingOrderTransitionOperation = operation({
  id: 'admin.tasking.order_transition',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Move a tasking order to its next stage for a provider that reports by hand, or fail what is not delivered.',
  input: StrictObject({
    ...orderFields,
    transition: WithDescription(
      'A transition of the sub-status, or `fail`: nothing more is delivered.',
      Type.Enum(['schedule', 'task', 'collect', 'replan', 'downlink', 'process', 'fail']),
    ),
    reason_code: Type.String({
      pattern: '^[a-z][a-z_-]{0,99}$',
      description: 'Such as `cloud_cover` or `competition`.',
    }),
    reason: Reason,
  }),
  output: Type.Object({ order_id: Uuid, status: OrderStatus, subStatus: Nullable(Type.String()) }),
  problems: ['not-found', 'invalid-state'],
  emits: ['tasking.progressed', 'tasking.replanned', 'order.failed', 'order.fulfilled'],
  extension: true,
})
