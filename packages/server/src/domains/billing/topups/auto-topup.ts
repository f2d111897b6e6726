import { createTaskActor, type TaskContext } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../../engine/actor.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { findDefaultCard } from '../../payment_methods/store.ts'
import { emitAutoTopupFailed } from './auto-topup-declines.ts'
import { createOrRetrieveTopupIntent } from './charge-topup.ts'
import { isPaymentProcessorRejection } from '../../card-payments/payment-problems.ts'
import { sumAutoTopupsSince, findAutoTopupSettings, type AutoTopupSettingsRow } from './store.auto-topups.ts'
import { updateTopup, findTopup, type TopupRow } from './store.topups.ts'
import { exceedsDailyTopupLimit, findStartOfUtcDay } from './topup-limits.ts'
import { insertUnchargedTopup, enqueueCloseTopup, failTopup, completeTopup } from './topup.ts'

/**
 * Tops up a wallet that has fallen below its threshold. Each crossing is one task, and the top-up has the id of the task:
 * a retry after a crash continues it and never starts a second one.
 */
export async function runAutoTopup(job: TaskContext, organization: string): Promise<void> {
  const db = job.database.forOrganization(organization)
  const actor = createTaskActor(job, organization)
  const row = await db.transaction((tx) => startAutoTopup(tx, actor, job.id, job.integrations.payments.env))
  if (row === null) return
  const outcome = await createOrRetrieveTopupIntent({ db, organization, integrations: job.integrations }, row).catch(
    (error: unknown) => {
      if (isPaymentProcessorRejection(error)) return { code: error.code, intent: error.intent }
      throw error
    },
  )
  const isPaid = 'status' in outcome && outcome.status === 'succeeded'
  const isProcessing = 'status' in outcome && outcome.status === 'processing'
  await db.transaction(async (tx) => {
    if (isPaid) await completeTopup(tx, actor, row.id, outcome)
    else if (isProcessing) await saveIntent(tx, actor, row, outcome)
    else await failAndClose(tx, actor, row, 'status' in outcome ? toFailureReason(outcome) : outcome)
  })
}

/** A required challenge counts as a decline, because no cardholder is present. */
const toFailureReason = ({ id, status, decline_code }: PaymentIntent) => ({
  code: status === 'requires_action' ? 'authentication_required' : (decline_code ?? status),
  intent: id,
})

async function failAndClose(
  tx: Tx,
  actor: Actor,
  row: TopupRow,
  reason: { readonly code: string | null; readonly intent: string | null },
): Promise<void> {
  const failed = await failTopup(tx, actor, row.id, reason)
  if (failed && reason.intent !== null) await enqueueCloseTopup(tx, actor, row.id)
}

async function saveIntent(tx: Tx, actor: Actor, row: TopupRow, { id: intent }: PaymentIntent): Promise<void> {
  await updateTopup(tx, {
    organization: actor.organization,
    id: row.id,
    from: ['starting'],
    change: { intent },
    at: actor.clock.now(),
  })
}

/** The top-up of this crossing; null if none is to be made, or it has ended. */
async function startAutoTopup(tx: Tx, actor: Actor, id: string, env: string): Promise<TopupRow | null> {
  const { organization } = actor
  await lockLedger(tx, organization)
  const existing = await findTopup(tx, organization, id)
  if (existing) return existing.state === 'starting' || existing.state === 'action' ? existing : null
  const settings = await findAutoTopupSettings(tx, organization)
  if (!settings?.enabled) return null
  const now = actor.clock.now()
  const { available_credits } = await readWalletBalance(tx, organization, now)
  if (available_credits >= settings.threshold_credits) return null
  const { charged_cents, under_way } = await sumAutoTopupsSince(tx, organization, findStartOfUtcDay(now))
  if (under_way) return null
  const { topup_amount_credits: credits } = settings
  const card = await findDefaultCard(tx, organization, env)
  const reason = card === null ? 'no_card' : await findExceededLimit(tx, actor, settings, charged_cents)
  if (card && reason === null) return insertUnchargedTopup(tx, actor, { id, kind: 'auto', credits, card_id: card.id })
  await emitAutoTopupFailed(tx, actor, { credits, aud: credits / 100, reason })
  return null
}

/** The limit of a day that another top-up would exceed; null if there is none. */
async function findExceededLimit(
  tx: Tx,
  actor: Actor,
  { topup_amount_credits: credits, daily_charge_cap_cents: cap }: AutoTopupSettingsRow,
  charged_cents: number,
): Promise<'daily_charge_cap' | 'daily_topup_limit' | null> {
  if (cap !== null && charged_cents + credits > cap) return 'daily_charge_cap'
  return (await exceedsDailyTopupLimit(tx, actor, credits)) ? 'daily_topup_limit' : null
}
