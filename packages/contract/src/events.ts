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

/** Every event type with the schema of its `data`. */
export const events = {
  'order.created': row('An order was accepted and its credits are held.', orderData),
  'order.placed': row('The host accepted the order.', orderData),
  'order.being_fulfilled': row(
    'The first batch of a delivery was stored.',
    Type.Object({ ...orderStatus, newItemCount: Type.Integer({ minimum: 1 }) }),
  ),
  'order.fulfilled': row('The order was delivered in full and charged.', orderData),
  'order.failed': row('The order failed permanently and its hold was released.', orderData),
  'order.cancelled': row('The order was cancelled and its hold released.', orderData),
  'feasibility.requested': row('A feasibility study was requested.'),
  'feasibility.answered': row('A feasibility study is ready for a decision.'),
  'quotation.requested': row('A quotation is ready for a decision.'),
  'quotation.accepted': row('A quotation was accepted.'),
  'quotation.rejected': row('A quotation was rejected.'),
  'job.created': row('A processing job was created and its credits are held.'),
  'job.started': row('A worker started the job.'),
  'job.captured': row('The hold of the job was settled.'),
  'job.released': row('The hold of the job was released.'),
  'job.completed': row('The job completed.', Type.Object({ item_ids: Type.Array(Type.String()) })),
  'job.failed': row('The job failed.'),
  'item.created': row('An item was created or delivered.'),
  'item.updated': row('An item was updated.'),
  'item.deleted': row('An item was deleted.'),
  'asset.deleted': row('An asset was deleted.'),
  'upload.completed': row('An upload was ingested.'),
  'collection.created': row('A collection was created.'),
  'collection.updated': row('A collection was updated.'),
  'project.created': row('A project was created.'),
  'analytics.executed': row('An analytics method was executed.'),
  'organization.plan_changed': row(
    'The plan of the organization was changed; its items have the retention of the new plan.',
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
  'credits.expiring': row('Credits are about to expire.'),
  'hold.ending': row(
    'A hold is about to expire and cannot be renewed: the order or job that it pays for has to end now.',
  ),
  'hold.expired': row('A hold expired; nothing was charged.'),
  'topup.failed': row('A top-up was declined.'),
  'topup.refunded': row('Purchased credits were refunded to the card that paid for them.'),
  'topup.refund_failed': row('The payment processor rejected a refund; its credits are available again.'),
  'dispute.opened': row('A cardholder disputed a charge; the credits of the charge are held.'),
  'dispute.closed': row('The bank decided a disputed charge.'),
  'payment.refunded': row('The card payment of an order was refunded to the card, in full or in part.'),
  'payment_method.attached': row('A payment method was attached.'),
  'payment_method.detached': row('A payment method was detached.'),
  'commitment.created': row('A commitment of an enterprise organization was created.'),
  'commitment.amended': row('A commitment was amended; the change applies from now on.'),
  'commitment.closed': row('The period of a commitment was closed and the shortfall against its minimum was charged.'),
  'invoice.issued': row('The invoice for a month was issued.'),
  'invoice.credited': row('An invoice was credited, in full or in part.'),
  'invoice.paid': row('An invoice was paid.'),
  'payment_method.expiring': row('A card is about to expire.'),
} as const satisfies Record<string, EventRow>

export type EventKind = keyof typeof events
