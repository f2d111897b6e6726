import type { TaskContext } from '../../../engine/task.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ProcessorEvent } from '../../../platform/integrations/payments/payments.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { findOrganizationOfCard } from '../../payment_methods/store.ts'
import { syncPaymentMethod } from '../sync-payment-method.ts'
import { applyDispute, parseDisputeEvent } from './apply-dispute.ts'
import { applyIntentState } from './apply-intent.ts'
import { applyRefund } from './apply-refund.ts'
import { findOwnIntent, type OwnIntent } from './own-intent.ts'
import {
  findUnappliedPaymentEvent,
  insertPaymentEvent,
  markPaymentEventApplied,
  type PaymentEventRow,
} from './store.payment-events.ts'
import type { TopupPayments } from './topup-payments.ts'
import { taskTypes } from '../../../engine/task-types.ts'

export interface PaymentEventDependencies {
  readonly database: Database
  readonly queue: QueueProducer
  readonly clock: Clock
}

/**
 * Stores an event of the processor and enqueues its task in one transaction, then it is acknowledged. Duplicates are
 * ignored.
 */
export async function receiveProcessorEvent(
  { database, queue, clock }: PaymentEventDependencies,
  event: ProcessorEvent,
): Promise<void> {
  const { id, type, object_id, created: created_at, data, sandbox } = event
  await database.unscoped.transaction(async (tx) => {
    const isNew = await insertPaymentEvent(tx, { id, type, object_id, data, created_at }, clock.now())
    // An event of a sandbox is applied while its clock is advanced; that of others at once.
    const owner = sandbox === undefined ? {} : { organization_id: sandbox }
    if (isNew) await queue.enqueue(tx, taskTypes.applyPaymentEvent, { event_id: id, ...owner })
  })
}

type ProcessorEventHandler = (job: TaskContext, event: PaymentEventRow, topups: TopupPayments) => Promise<void>

type OwnIntentHandler = (
  job: TaskContext,
  ownIntent: OwnIntent,
  topups: TopupPayments,
  event: PaymentEventRow,
) => Promise<void>

/** Handles events of intents that this server created. */
const handleIntentEvent =
  (apply: OwnIntentHandler): ProcessorEventHandler =>
  async (job, event, topups) => {
    const ownIntent = await findOwnIntent(job, event.object_id)
    if (ownIntent) await apply(job, ownIntent, topups, event)
  }

/** Handles events of saved cards. */
const handleCardEvent: ProcessorEventHandler = async (job, { object_id }) => {
  const organization = await findOrganizationOfCard(job.database.unscoped, job.integrations.payments.env, object_id)
  if (organization !== null) await syncPaymentMethod(job, organization, object_id)
}

const applyDisputeEvent: OwnIntentHandler = async (job, ownIntent, topups, { data }) => {
  const disputeEvent = parseDisputeEvent(data)
  if (disputeEvent) await applyDispute(job, ownIntent, disputeEvent, topups)
}

/** Event handlers by prefix of the event type. Each one applies the current state of the object of the event. */
const handlersByTypePrefix: readonly (readonly [type_prefix: string, apply: ProcessorEventHandler])[] = [
  ['payment_intent.', handleIntentEvent(applyIntentState)],
  ['charge.dispute.', handleIntentEvent(applyDisputeEvent)],
  ['charge.refund', handleIntentEvent(applyRefund)],
  ['refund.', handleIntentEvent(applyRefund)],
  ['payment_method.', handleCardEvent],
]

/** Retrieves the object of an event and applies its state; repeated and reordered events give the same result. */
export async function applyPaymentEvent(job: TaskContext, id: string, topups: TopupPayments): Promise<void> {
  const { unscoped } = job.database
  const event = await findUnappliedPaymentEvent(unscoped, id)
  if (!event) return
  const apply = handlersByTypePrefix.find(([prefix]) => event.type.startsWith(prefix))?.[1]
  await apply?.(job, event, topups)
  await markPaymentEventApplied(unscoped, id, job.clock.process.now())
}
