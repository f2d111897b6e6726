import Type from 'typebox'
import { operation } from '../operation.ts'
import { AdjustedCredits, PlanId } from '../schemas/billing.ts'
import { Credits, OperatorReason, WithDescription, StrictObject, Uuid } from '../schemas/primitives.ts'
import { spendFieldsWith, WithDryRun } from '../schemas/spend.ts'

export const adminOrgsCreditAdjustOperation = operation({
  id: 'admin.orgs.credit_adjust',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Add credits to the wallet of an organization, or remove them; large amounts need two operators.',
  input: StrictObject({
    organization_id: Uuid,
    amount_credits: AdjustedCredits,
    reason: OperatorReason,
    ...spendFieldsWith('Refuse the call with `spend-limit-exceeded` if it would add or remove more than this.'),
  }),
  output: WithDryRun(
    Type.Object({
      transaction_id: Uuid,
      organization_id: Uuid,
      amount_credits: Credits,
      available_credits: Credits,
    }),
  ),
  problems: ['not-found', 'forbidden', 'insufficient-credits', 'spend-limit-exceeded'],
  idempotent: true,
  extension: true,
  implemented: true,
})

export const adminOrgsSetPlanOperation = operation({
  id: 'admin.orgs.set_plan',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Change the plan of an organization; its items get the retention of the new plan, starting now.',
  input: StrictObject({
    organization_id: Uuid,
    plan: WithDescription('`enterprise` is invoiced monthly; every other plan is pay-as-you-go.', PlanId),
    reason: OperatorReason,
  }),
  output: Type.Object({
    organization_id: Uuid,
    plan: PlanId,
    previous_plan: PlanId,
  }),
  problems: ['not-found'],
  emits: ['organization.plan_changed'],
  extension: true,
  implemented: true,
})
