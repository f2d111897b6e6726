import { createHash } from 'node:crypto'
import type { Call } from '../../../engine/call.ts'
import { refusedData, refusedPoint } from '../../../engine/once.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { ChargeTerms, Intent } from '../../../platform/outside/payments/payments.ts'
import { askIntent, termsOfCharge } from '../cards/charge-card.ts'
import { actionRequired, declined, isRefusal, paymentProblem } from '../cards/payment-problems.ts'
import { changeTopup, findTopup, type TopupRow } from './store.topups.ts'
import { closeLater, failTopup, finishTopup } from './topup.ts'

/** The charge request of a top-up. */
export const topupCharge = (
  { db, organization }: Pick<Call, 'db' | 'organization'>,
  row: TopupRow,
): Promise<ChargeTerms> =>
  termsOfCharge(db, organization, row.payment_method_id, {
    amount_cents: row.credits,
    capture: 'automatic',
    metadata: { organization_id: organization, topup_id: row.id },
  })

/** Processors accept 255 characters; the organization id is prefixed, because two organizations may use the same key. */
const longest_key = 200

/**
 * Derives the processor's idempotency key from the caller's, so that even a server that lost the top-up would not charge
 * twice. Later attempts under the same key are numbered, because the processor would repeat its first response.
 */
export function topupKey(organization: string, { id, idempotency_key: given, attempt }: TopupRow): string {
  if (given === null) return id
  const key = given.length > longest_key ? createHash('sha256').update(given).digest('hex') : given
  return attempt === 1 ? `${organization}:${key}` : `${attempt}:${organization}:${key}`
}

/**
 * Charges the card of a started top-up and grants its credits; returns the updated row, which is still in progress if the
 * bank is processing. Throws `payment-action-required` (a retry continues), `payment-declined` (the top-up has failed) or
 * `upstream` (the result is unknown; a retry asks again).
 */
export async function chargeTopup(call: Call, row: TopupRow): Promise<TopupRow> {
  const intent = await askCard(call, row).catch(async (error: unknown) => {
    const problem = paymentProblem(error)
    if (isRefusal(error) && problem instanceof Problem) await refuse(call, row, error, problem)
    throw problem
  })
  return (await proceed[intent.status]?.(call, row, intent)) ?? unexpected(intent)
}

/** The payment intent of a top-up. */
export const askCard = (call: Pick<Call, 'db' | 'organization' | 'outside'>, row: TopupRow): Promise<Intent> =>
  askIntent(call.outside.payments, row.intent, () => topupCharge(call, row), topupKey(call.organization, row))

type Step = (call: Call, row: TopupRow, intent: Intent) => Promise<TopupRow>

const no: Step = async (call, row, intent) => {
  const problem = declined(intent.decline_code)
  await refuse(call, row, { code: intent.decline_code ?? intent.status, intent: intent.id }, problem)
  throw problem
}

/** Handlers by status of the payment intent. */
const proceed: Readonly<Partial<Record<Intent['status'], Step>>> = {
  succeeded: (call, row, intent) =>
    call.transaction(async (tx) => {
      const done = await finishTopup(tx, call, row.id, intent)
      await call.claim?.reach(tx, 'paid', { topup_id: row.id })
      return done!
    }),
  requires_action: async (call, row, intent) => {
    await keep(call, row, 'action', intent)
    throw actionRequired(intent, call.baseUrl)
  },
  processing: (call, row, intent) => keep(call, row, 'starting', intent),
  requires_payment_method: no,
  canceled: no,
}

const unexpected = (intent: Intent): never => {
  throw new Problem('upstream', `The payment processor returned the unexpected status "${intent.status}".`)
}

async function keep(call: Call, row: TopupRow, state: 'starting' | 'action', intent: Intent): Promise<TopupRow> {
  const now = call.clock.now()
  const change = { state, intent: intent.id }
  const kept = await changeTopup(call.db, call.organization, row.id, ['starting', 'action'], change, now)
  // It ended in the meantime, by a webhook or by its timeout.
  return kept ?? settled(call, (await findTopup(call.db, call.organization, row.id))!)
}

const refuse = (
  call: Call,
  row: TopupRow,
  { code, intent }: { readonly code: string | null; readonly intent: string | null },
  problem: Problem,
): Promise<void> =>
  call.transaction(async (tx) => {
    const failed = await failTopup(tx, call, row.id, { code, intent })
    if (failed && intent !== null) await closeLater(tx, call, row.id)
    await freeClaim(tx, call, row, problem)
  })

/** After a decline: the key of a top-up can be used again, but an approval is used up. */
async function freeClaim(tx: Tx, call: Call, { id, kind }: TopupRow, problem: Problem): Promise<void> {
  if (kind === 'approval') await call.claim?.reach(tx, 'charge_failed', { topup_id: id })
  else await call.claim?.reach(tx, refusedPoint, refusedData(problem))
}

/** The row of an ended top-up that was paid. Throws `payment-declined` for a failed one, once. */
export async function settled(call: Call, row: TopupRow): Promise<TopupRow> {
  if (row.state !== 'failed') return row
  const problem = declined(row.failure_code)
  await call.transaction((tx) => freeClaim(tx, call, row, problem))
  throw problem
}
