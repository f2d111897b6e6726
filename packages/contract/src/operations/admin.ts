import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { PlanId } from '../shapes/billing.ts'
import { Credits, Described, Input, Uuid } from '../shapes/primitives.ts'

export const adminOrgsCreditAdjust = operation({
  id: 'admin.orgs.credit_adjust',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Add credits to the wallet of an organization or take them away, with a reason.',
  input: Input({
    organization_id: Uuid,
    amount_credits: Type.Integer({
      minimum: -1_000_000_000,
      maximum: 1_000_000_000,
      not: { const: 0 },
      description: 'Not zero; below zero takes credits away.',
    }),
    reason: Type.String({ minLength: 1, maxLength: limits.text_length }),
  }),
  output: Type.Object({
    transaction_id: Uuid,
    organization_id: Uuid,
    amount_credits: Credits,
    available_credits: Credits,
  }),
  problems: ['not-found', 'insufficient-credits'],
  idempotent: true,
  extension: true,
  answered: true,
})

export const adminOrgsSetPlan = operation({
  id: 'admin.orgs.set_plan',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Move an organization to another plan; its items get the retention of that plan, counted from now.',
  input: Input({
    organization_id: Uuid,
    plan: Described('On `enterprise` it is invoiced, on any other plan it pays as it goes.', PlanId),
    reason: Type.String({ minLength: 1, maxLength: limits.text_length }),
  }),
  output: Type.Object({
    organization_id: Uuid,
    plan: PlanId,
    previous_plan: PlanId,
  }),
  problems: ['not-found'],
  emits: ['organization.plan_changed'],
  extension: true,
  answered: true,
})
