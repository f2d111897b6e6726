import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Credits, Input, Uuid } from '../shapes/primitives.ts'

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
