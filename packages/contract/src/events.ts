import Type, { type TSchema } from 'typebox'

export interface EventRow {
  readonly summary: string
  readonly data: TSchema
}

const anyData = Type.Object({}, { additionalProperties: true })
const orderStatus = {
  fromStatus: Type.Union([Type.String(), Type.Null()]),
  toStatus: Type.String(),
  creditsCaptured: Type.Integer({ minimum: 0 }),
  creditsRefunded: Type.Integer({ minimum: 0 }),
  failureReason: Type.Union([Type.String(), Type.Null()]),
}
const orderData = Type.Object(orderStatus)
const row = (summary: string, data: TSchema = anyData): EventRow => ({ summary, data })

/** Every kind of event with the shape of its `data`. */
export const events = {
  'order.created': row('An order was accepted and its credits are held.', orderData),
  'order.placed': row('The host took the order.', orderData),
  'order.being_fulfilled': row(
    'The first batch of a delivery is stored.',
    Type.Object({ ...orderStatus, newItemCount: Type.Integer({ minimum: 1 }) }),
  ),
  'order.fulfilled': row('Everything was delivered and charged.', orderData),
  'order.failed': row('The order failed for good and its hold was released.', orderData),
  'order.cancelled': row('The order was cancelled and its hold released.', orderData),
  'feasibility.requested': row('A feasibility study was asked for.'),
  'feasibility.answered': row('A feasibility study is ready to decide.'),
  'quotation.requested': row('A quotation is ready to decide.'),
  'quotation.accepted': row('A quotation was accepted.'),
  'quotation.rejected': row('A quotation was rejected.'),
  'job.created': row('A processing job was created and its credits are held.'),
  'job.started': row('A worker began the job.'),
  'job.captured': row('The hold of the job was settled.'),
  'job.released': row('The hold of the job was released.'),
  'job.completed': row('The job is done.', Type.Object({ item_ids: Type.Array(Type.String()) })),
  'job.failed': row('The job failed.'),
  'item.created': row('An item was created or delivered.'),
  'item.updated': row('An item was changed.'),
  'item.deleted': row('An item was deleted.'),
  'asset.deleted': row('An asset was deleted.'),
  'upload.completed': row('An upload was ingested.'),
  'collection.created': row('A collection was created.'),
  'collection.updated': row('A collection was changed.'),
  'project.created': row('A project was created.'),
  'analytics.executed': row('An analytics method ran.'),
  'organization.plan_changed': row(
    'The organization is on another plan; its items have the retention of that plan.',
    Type.Object({
      plan: Type.String(),
      previous_plan: Type.String(),
      reason: Type.Enum(['first_payment', 'administrator']),
      note: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  'topup.succeeded': row('A top-up was charged.'),
  'credits.purchased': row('Credits were bought and granted.'),
  'credits.low_balance': row('The balance fell below its threshold.'),
  'credits.depleted': row('The balance reached zero.'),
  'credits.expiring': row('Credits are about to end.'),
  'hold.ending': row('What is held can be kept no longer: whatever it pays for has to end now.'),
  'hold.expired': row('A hold ended because its time was over; nothing was charged.'),
  'topup.failed': row('A top-up was declined.'),
  'topup.refunded': row('Bought credits were given back to their card.'),
  'topup.refund_failed': row('The processor refused a refund; its credits are back.'),
  'dispute.opened': row('A card holder disputes a charge; its credits wait.'),
  'dispute.closed': row('The bank has decided about a disputed charge.'),
  'payment.refunded': row('Money of an order that a card had paid for went back to the card.'),
  'payment_method.attached': row('A payment method was attached.'),
  'payment_method.detached': row('A payment method was detached.'),
  'commitment.created': row('The contract of an enterprise was entered.'),
  'commitment.amended': row('A contract was changed from now on.'),
  'commitment.closed': row('The period of a contract was closed, and what was missing of its minimum is charged.'),
  'invoice.issued': row('The invoice of a month was issued.'),
  'invoice.credited': row('An invoice was given back, whole or in part.'),
  'invoice.paid': row('An invoice was paid.'),
  'payment_method.expiring': row('A card is about to end.'),
} as const satisfies Record<string, EventRow>

export type EventKind = keyof typeof events
