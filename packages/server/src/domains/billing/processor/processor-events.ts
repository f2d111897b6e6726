import type { Job } from '../../../engine/task.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ProcessorEvent } from '../../../platform/outside/payments/payments.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import { findCardOwner } from '../../payment_methods/cards.ts'
import { followCard } from '../cards/follow-card.ts'
import { applyDispute, disputeFacts } from './apply-dispute.ts'
import { applyIntent } from './apply-intent.ts'
import { applyRefund } from './apply-refund.ts'
import { findOwnIntent, type OwnIntent } from './payment-owner.ts'
import { findOpenPaymentEvent, insertPaymentEvent, markApplied, type PaymentEventRow } from './store.payment-events.ts'

/** The task that applies an event. */
export const applyPaymentEventTask = 'billing.apply-payment-event'

export interface EventGround {
  readonly database: Database
  readonly queue: Queue
  readonly clock: Clock
}

/**
 * Stores an event of the processor and enqueues its task in one transaction, then it is acknowledged. Duplicates are
 * ignored.
 */
export async function receiveEvent({ database, queue, clock }: EventGround, event: ProcessorEvent): Promise<void> {
  const { id, type, object_id, created: created_at, data } = event
  await database.across.transaction(async (tx) => {
    const isNew = await insertPaymentEvent(tx, { id, type, object_id, data, created_at }, clock.now())
    if (isNew) await queue.enqueue(tx, applyPaymentEventTask, { event_id: id })
  })
}

type Apply = (job: Job, event: PaymentEventRow) => Promise<void>

/** Handles events of intents that this server created. */
const toIntent =
  (apply: (job: Job, own: OwnIntent, event: PaymentEventRow) => Promise<void>): Apply =>
  async (job, event) => {
    const own = await findOwnIntent(job, event.object_id)
    if (own) await apply(job, own, event)
  }

/** Handles events of saved cards. */
const toCard: Apply = async (job, { object_id }) => {
  const owner = await findCardOwner(job.database.across, job.outside.payments.env, object_id)
  if (owner !== null) await followCard(job, owner, object_id)
}

/** Event handlers by prefix of the event type. Each one applies the current state of the object of the event. */
const kinds: readonly (readonly [type_prefix: string, apply: Apply])[] = [
  ['payment_intent.', toIntent(applyIntent)],
  ['charge.dispute.', toIntent((job, own, { data }) => applyFacts(job, own, disputeFacts(data)))],
  ['charge.refund', toIntent(applyRefund)],
  ['refund.', toIntent(applyRefund)],
  ['payment_method.', toCard],
]

const applyFacts = async (job: Job, own: OwnIntent, facts: ReturnType<typeof disputeFacts>): Promise<void> => {
  if (facts) await applyDispute(job, own, facts)
}

/** Retrieves the object of an event and applies its state; repeated and reordered events give the same result. */
export async function applyPaymentEvent(job: Job, id: string): Promise<void> {
  const { across } = job.database
  const event = await findOpenPaymentEvent(across, id)
  if (!event) return
  const apply = kinds.find(([beginning]) => event.type.startsWith(beginning))?.[1]
  await apply?.(job, event)
  await markApplied(across, id, job.clock.process.now())
}
