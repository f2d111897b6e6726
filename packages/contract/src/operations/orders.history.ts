import Type from 'typebox'
import { operation } from '../operation.ts'
import { orderingProblems } from '../problems.ts'
import { OrderTimeline, PlacedOrder } from '../schemas/order.ts'
import { Nullable, StrictObject, Uuid } from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'

export const ordersTimelineOperation = operation({
  id: 'orders.timeline',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List what has happened to an order, oldest first, and who has to act next.',
  input: StrictObject({ order_id: Uuid }),
  output: OrderTimeline,
  problems: ['not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})

export const ordersReorderOperation = operation({
  id: 'orders.reorder',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order the captures of an earlier order once more, at the prices of now.',
  input: StrictObject({
    order_id: Uuid,
    projectId: Type.Optional(
      Nullable(Uuid, { description: 'Project of the delivery; defaults to that of the earlier order.' }),
    ),
    ...spendFields,
  }),
  output: WithDryRun(PlacedOrder),
  status: 202,
  problems: [...orderingProblems, 'user-required', 'eula-not-accepted'],
  emits: ['order.created'],
  extension: true,
  idempotent: true,
  implemented: true,
})
