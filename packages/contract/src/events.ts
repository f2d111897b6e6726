import Type, { type TSchema } from 'typebox'

export interface EventDefinition {
  readonly summary: string
  readonly data: TSchema
}

const anyEventData = Type.Object({}, { additionalProperties: true })
const orderStatusFields = {
  fromStatus: Type.Union([Type.String(), Type.Null()]),
  toStatus: Type.String(),
  creditsCaptured: Type.Integer({ minimum: 0 }),
  creditsRefunded: Type.Integer({ minimum: 0 }),
  failureReason: Type.Union([Type.String(), Type.Null()]),
}
const orderEventData = Type.Object(orderStatusFields)
const eulaEventData = Type.Object({ documentId: Type.String(), title: Type.String(), version: Type.String() })
const taskingEventData = Type.Object({
  fromSubStatus: Type.Union([Type.String(), Type.Null()]),
  toSubStatus: Type.String(),
  reasonCode: Type.Union([Type.String(), Type.Null()]),
})
const defineEvent = (summary: string, data: TSchema = anyEventData): EventDefinition => ({ summary, data })

/** Every event type with the schema of its `data`. */
export const events = {
  'order.created': defineEvent('An order was accepted and its credits are held.', orderEventData),
  'order.placed': defineEvent('The host accepted the order.', orderEventData),
  'order.being_fulfilled': defineEvent(
    'The first batch of a delivery was stored.',
    Type.Object({ ...orderStatusFields, newItemCount: Type.Integer({ minimum: 1 }) }),
  ),
  'order.fulfilled': defineEvent('The order was delivered in full and charged.', orderEventData),
  'order.failed': defineEvent('The order failed permanently and its hold was released.', orderEventData),
  'order.cancelled': defineEvent('The order was cancelled and its hold released.', orderEventData),
  'feasibility.requested': defineEvent('A feasibility study was requested.'),
  'feasibility.answered': defineEvent('A feasibility study is ready for a decision.'),
  'quotation.requested': defineEvent('A quotation is ready for a decision.'),
  'quotation.accepted': defineEvent('A quotation was accepted.'),
  'quotation.rejected': defineEvent('A quotation was rejected.'),
  'tasking.progressed': defineEvent('The acquisition of a tasking order reached its next stage.', taskingEventData),
  'tasking.replanned': defineEvent(
    'A collection did not satisfy the constraints; the next pass is planned.',
    taskingEventData,
  ),
  'job.created': defineEvent('A processing job was created and its credits are held.'),
  'job.started': defineEvent('A worker started the job.'),
  'job.captured': defineEvent('The hold of the job was settled.'),
  'job.released': defineEvent('The hold of the job was released.'),
  'job.completed': defineEvent('The job completed.', Type.Object({ item_ids: Type.Array(Type.String()) })),
  'job.failed': defineEvent('The job failed.'),
  'item.created': defineEvent('An item was created or delivered.'),
  'item.updated': defineEvent('An item was updated.'),
  'item.deleted': defineEvent('An item was deleted.'),
  'asset.deleted': defineEvent('An asset was deleted.'),
  'upload.completed': defineEvent('An upload was ingested.'),
  'collection.created': defineEvent('A collection was created.'),
  'collection.updated': defineEvent('A collection was updated.'),
  'project.created': defineEvent('A project was created.'),
  'saved_search.matched': defineEvent(
    'New scenes of a saved search were found at a source.',
    Type.Object({ name: Type.String(), source_id: Type.String(), scene_ids: Type.Array(Type.String()) }),
  ),
  'saved_search.deleted': defineEvent('A saved search was deleted.'),
  'standing_order.proposed': defineEvent(
    'A new scene waits for a decision: the standing order asks, or `reason` says why it could not be ordered.',
    Type.Object({
      source_id: Type.String(),
      scene_id: Type.String(),
      credits: Type.Integer({ minimum: 0 }),
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  'standing_order.cap_reached': defineEvent(
    'A standing order has reached its cap and stops until the next month.',
    Type.Object({
      max_credits_per_month: Type.Integer({ minimum: 0 }),
      month_credits: Type.Integer({ minimum: 0 }),
      until: Type.String(),
    }),
  ),
  'standing_order.suspended': defineEvent(
    'A standing order cannot order any more and was suspended.',
    Type.Object({ reason: Type.String() }),
  ),
  'analytics.executed': defineEvent('An analytics method was executed.'),
  'organization.plan_changed': defineEvent(
    'The plan of the organization was changed; its items have the retention of the new plan.',
    Type.Object({
      plan: Type.String(),
      previous_plan: Type.String(),
      reason: Type.Enum(['first_payment', 'administrator']),
      note: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  'topup.succeeded': defineEvent('A top-up was charged.'),
  'credits.purchased': defineEvent('Credits were bought and granted.'),
  'credits.low_balance': defineEvent('The balance fell below its threshold.'),
  'credits.depleted': defineEvent('The balance reached zero.'),
  'credits.expiring': defineEvent('Credits are about to expire.'),
  'hold.ending': defineEvent(
    'A hold is about to expire and cannot be renewed: the order or job that it pays for has to end now.',
  ),
  'hold.expired': defineEvent('A hold expired; nothing was charged.'),
  'topup.failed': defineEvent('A top-up was declined.'),
  'topup.refunded': defineEvent('Purchased credits were refunded to the card that paid for them.'),
  'topup.refund_failed': defineEvent('The payment processor rejected a refund; its credits are available again.'),
  'dispute.opened': defineEvent('A cardholder disputed a charge; the credits of the charge are held.'),
  'dispute.closed': defineEvent('The bank decided a disputed charge.'),
  'payment.refunded': defineEvent('The card payment of an order was refunded to the card, in full or in part.'),
  'payment_method.attached': defineEvent('A payment method was attached.'),
  'payment_method.detached': defineEvent('A payment method was detached.'),
  'commitment.created': defineEvent('A commitment of an enterprise organization was created.'),
  'commitment.amended': defineEvent('A commitment was amended; the change applies from now on.'),
  'commitment.closed': defineEvent(
    'The period of a commitment was closed and the shortfall against its minimum was charged.',
  ),
  'invoice.issued': defineEvent('The invoice for a month was issued.'),
  'invoice.credited': defineEvent('An invoice was credited, in full or in part.'),
  'invoice.paid': defineEvent('An invoice was paid.'),
  'eula.accepted': defineEvent('A version of a licence agreement was accepted for the organization.', eulaEventData),
  'eula.withdrawn': defineEvent('The acceptance of a version of a licence agreement was withdrawn.', eulaEventData),
  'payment_method.expiring': defineEvent('A card is about to expire.'),
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof events
