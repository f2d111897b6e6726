import { type TaskContext, createTaskActor } from '../../../engine/task.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent, PaymentProcessorEvent } from '../../../platform/integrations/payments/payments.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { findOrganizationOfCard } from '../../payment_methods/store.ts'
import { syncPaymentMethod } from '../sync-payment-method.ts'
import { applyPaymentProcessorDispute, parseDisputeEvent } from './apply-dispute.ts'
import { type OwnPaymentIntent, findOwnPaymentIntent } from './own-intent.ts'
import {
  type PaymentEventRow,
  findUnappliedPaymentEvent,
  insertPaymentEvent,
  markPaymentEventApplied,
} from './store.payment-events.ts'
import type { TopupPaymentEffects } from './topup-payments.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { recordCardRefund } from '../card-refund.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { findCreditHold } from '../../ledger/store.holds.ts'
import { findCardAuthorisation } from '../store.authorisations.ts'

/** Applies the current state of an intent, whatever state the event has. */
async function applyIntentState(
  job: TaskContext,
  ownIntent: OwnPaymentIntent,
  topups: TopupPaymentEffects,
): Promise<void> {
  const { intent, organization, topup_id, authorisation_id } = ownIntent
  const actor = createTaskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    if (topup_id !== null) await topups.applyIntent(tx, actor, topup_id, intent)
    if (authorisation_id !== null) await applyToAuthorisation(tx, actor, authorisation_id, intent)
  })
}

/** Only a cancellation that this server did not request matters: the work it pays for must stop. */
async function applyToAuthorisation(tx: Tx, actor: Actor, id: string, intent: PaymentIntent): Promise<void> {
  await lockLedger(tx, actor.organization)
  const row = await findCardAuthorisation(tx, actor.organization, id)
  if (row?.state !== 'authorised' || row.intent !== intent.id || intent.status !== 'canceled') return
  const hold = row.hold_id === null ? null : await findCreditHold(tx, actor.organization, row.hold_id)
  if (!hold || hold.outcome !== null) return
  const data = {
    reference_type: row.reference_type,
    reason: 'The card authorisation was cancelled at the payment processor.',
  }
  await emitEvent(tx, actor, {
    kind: 'hold.ending',
    entity_type: row.reference_type,
    entity_id: row.reference_id,
    data,
  })
}

/** Records refunds that were made at the processor and not by this server. */
async function applyRefund(job: TaskContext, ownIntent: OwnPaymentIntent, topups: TopupPaymentEffects): Promise<void> {
  const { intent, organization, topup_id, authorisation_id } = ownIntent
  if (intent.status !== 'succeeded') return
  const actor = createTaskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    if (topup_id !== null) await topups.recordExternalRefund(tx, actor, topup_id, intent)
    else if (authorisation_id !== null) await recordCardRefund(tx, actor, authorisation_id, intent)
  })
}

export interface PaymentEventDependencies {
  readonly database: Database
  readonly queue: QueueProducer
  readonly clock: Clock
}

/**
 * Stores an event of the processor and enqueues its task in one transaction, then it is acknowledged. Duplicates are
 * ignored.
 */
export async function receivePaymentProcessorEvent(
  { database, queue, clock }: PaymentEventDependencies,
  event: PaymentProcessorEvent,
): Promise<void> {
  const { id, type, object_id, created: created_at, data, sandbox } = event
  await database.unscoped.transaction(async (tx) => {
    const isNew = await insertPaymentEvent(tx, { id, type, object_id, data, created_at }, clock.now())
    // An event of a sandbox is applied while its clock is advanced; that of others at once.
    const owner = sandbox === undefined ? {} : { organization_id: sandbox }
    if (isNew) await queue.enqueue(tx, backgroundTaskTypes.applyPaymentEvent, { event_id: id, ...owner })
  })
}

type ProcessorEventHandler = (job: TaskContext, event: PaymentEventRow, topups: TopupPaymentEffects) => Promise<void>

type OwnIntentHandler = (
  job: TaskContext,
  ownIntent: OwnPaymentIntent,
  topups: TopupPaymentEffects,
  event: PaymentEventRow,
) => Promise<void>

/** Handles events of intents that this server created. */
const handleIntentEvent =
  (apply: OwnIntentHandler): ProcessorEventHandler =>
  async (job, event, topups) => {
    const ownIntent = await findOwnPaymentIntent(job, event.object_id)
    if (ownIntent) await apply(job, ownIntent, topups, event)
  }

/** Handles events of saved cards. */
const handleCardEvent: ProcessorEventHandler = async (job, { object_id }) => {
  const organization = await findOrganizationOfCard(job.database.unscoped, job.integrations.payments.env, object_id)
  if (organization !== null) await syncPaymentMethod(job, organization, object_id)
}

const applyDisputeEvent: OwnIntentHandler = async (job, ownIntent, topups, { data }) => {
  const disputeEvent = parseDisputeEvent(data)
  if (disputeEvent) await applyPaymentProcessorDispute(job, ownIntent, disputeEvent, topups)
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
export async function applyPaymentEvent(job: TaskContext, id: string, topups: TopupPaymentEffects): Promise<void> {
  const { unscoped } = job.database
  const event = await findUnappliedPaymentEvent(unscoped, id)
  if (!event) return
  const apply = handlersByTypePrefix.find(([prefix]) => event.type.startsWith(prefix))?.[1]
  await apply?.(job, event, topups)
  await markPaymentEventApplied(unscoped, id, job.clock.process.now())
}
