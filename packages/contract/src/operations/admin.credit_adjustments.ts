import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { CreditAdjustmentAmount } from '../schemas/billing.ts'
import {
  OperatorDecisionStatus,
  operatorDecisionFields,
  OrganizationName,
} from '../schemas/operators/operator-decisions.ts'
import { Credits, Nullable, Uuid, OperatorReason, StrictObject, OptionalNullable } from '../schemas/primitives.ts'
import { createSpendFields, WithDryRun } from '../schemas/spend.ts'

/** An adjustment of a wallet that one operator requests and another one decides. */
const CreditAdjustment = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  organization_name: OrganizationName,
  amount_credits: Credits,
  ...operatorDecisionFields,
  transaction_id: Nullable(Uuid, { description: 'The journal entry of an approved adjustment.' }),
})

const ids = { organization_id: Uuid, adjustment_id: Uuid }

export const adminCreditAdjustmentsRequestOperation = operation({
  id: 'admin.credit_adjustments.request',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Request an adjustment of a wallet of any amount, which another operator has to approve.',
  input: StrictObject({
    organization_id: Uuid,
    amount_credits: CreditAdjustmentAmount,
    reason: OperatorReason,
  }),
  output: CreditAdjustment,
  problems: ['not-found'],
  extension: true,
})

export const adminCreditAdjustmentsListOperation = operation({
  id: 'admin.credit_adjustments.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List requested adjustments of wallets, newest first.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    status: OptionalNullable(OperatorDecisionStatus),
    ...offsetPaging(),
  }),
  output: ListEnvelope('adjustments', CreditAdjustment),
  paging: 'offset',
  extension: true,
})

export const adminCreditAdjustmentsApproveOperation = operation({
  id: 'admin.credit_adjustments.approve',
  scope: 'admin:write',
  callers: 'users',
  effect: 'spend',
  summary: 'Approve an adjustment that another operator has requested, which writes it to the journal.',
  input: StrictObject({
    ...ids,
    reason: OperatorReason,
    ...createSpendFields('Refuse the call with `spend-limit-exceeded` if it would add or remove more than this.'),
  }),
  output: WithDryRun(CreditAdjustment),
  problems: ['not-found', 'forbidden', 'already-decided', 'insufficient-credits', 'spend-limit-exceeded'],
  idempotent: true,
  extension: true,
})

export const adminCreditAdjustmentsRejectOperation = operation({
  id: 'admin.credit_adjustments.reject',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Reject an adjustment that was requested, or take back a request of your own.',
  input: StrictObject({ ...ids, reason: OperatorReason }),
  output: CreditAdjustment,
  problems: ['not-found', 'already-decided'],
  extension: true,
})
