import Type from 'typebox'
import { operation } from '../operation.ts'
import { Count, StrictObject, OptionalNullable } from '../schemas/primitives.ts'

export const webhooksDrainOperation = operation({
  id: 'webhooks.drain',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Send the webhook deliveries that are due.',
  input: StrictObject({ limit: OptionalNullable(Type.Integer({ minimum: 1, maximum: 2000 })) }),
  output: Type.Object({ attempted_count: Count, delivered_count: Count, failed_count: Count }),
  implemented: true,
})
