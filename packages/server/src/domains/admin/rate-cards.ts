import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { listDataProducts } from '../glossary/data-products.ts'
import { toAudRate, toCreditsRate } from '../ledger/aud.ts'
import {
  decideRateCard,
  findRateCard,
  insertRateCard,
  listRateCardsInForce,
  type RateCardRow,
} from '../rate-cards/store.ts'
import { requireOperatorPerson } from './credit-adjustments.ts'

/** Prices belong to no organization: their dates are compared with the clock of the process. */
const timeOf = ({ clocks }: Pick<Call, 'clocks'>): Date => clocks.process.now()

/** The representation of a rate card. */
const toRateCard = (row: RateCardRow, inForce: ReadonlySet<string>) => ({
  ...row,
  unit: 'km2' as const,
  rate_credits: Number(row.rate_credits),
  rate_aud: toAudRate(row.rate_credits),
  effective_from: row.effective_from.toISOString(),
  in_force: inForce.has(row.id),
  requested_at: row.requested_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
})

/** The representations of rate cards, which say what is in force now. */
export async function toRateCards(call: Pick<Call, 'clocks'>, db: Queryable, rows: readonly RateCardRow[]) {
  const inForce = new Set((await listRateCardsInForce(db, timeOf(call))).map(({ id }) => id))
  return rows.map((row) => toRateCard(row, inForce))
}

export interface RateCardRequest {
  readonly product: string
  readonly rate_aud: string
  readonly minimum_km2?: number | null
  readonly effective_from: string
  readonly reason: string
}

/** Requests a list price. Throws `not-found` for a product that no host sells, `user-required` or `validation`. */
export async function requestRateCard(call: Call, request: RateCardRequest): Promise<RateCardRow> {
  requireOperatorPerson(call)
  const { product, rate_aud, minimum_km2 = null, reason } = request
  const isSold = listDataProducts(call.integrations.hosts.values()).some(({ price }) => price?.product === product)
  if (!isSold) throw new Problem('not-found', `No host sells a product with the name "${product}".`)
  const now = timeOf(call)
  const effective_from = new Date(request.effective_from)
  if (effective_from < now) throw validationProblem([{ path: 'effective_from', message: 'is in the past' }])
  const card = { id: newId(), product, rate_credits: toCreditsRate(rate_aud), minimum_km2, effective_from, reason }
  return call.unscoped.transaction((tx) =>
    insertRateCard(tx, { ...card, requested_by: call.principal.id, requested_at: now }),
  )
}

/**
 * Approves or rejects a list price. Throws `not-found`, `user-required` or `already-decided`, and for an approval `forbidden` for
 * the operator who requested it, or `invalid-state` after its effective date: a price never changes for the past.
 */
export async function settleRateCard(
  call: Call,
  { rate_card_id, reason }: { readonly rate_card_id: string; readonly reason: string },
  status: 'approved' | 'rejected',
): Promise<RateCardRow> {
  requireOperatorPerson(call)
  const card = await findRateCard(call.unscoped, rate_card_id)
  if (!card) throw new Problem('not-found', `No rate card has the id "${rate_card_id}".`)
  const now = timeOf(call)
  if (card.status === 'pending' && status === 'approved') requireApprovable(call, card, now)
  const decision = { status, decided_by: call.principal.id, decided_at: now, decision_reason: reason }
  const decided = await call.unscoped.transaction((tx) => decideRateCard(tx, card.id, decision))
  if (!decided) throw new Problem('already-decided', 'The rate card was approved or rejected already.')
  return decided
}

function requireApprovable({ principal }: Call, card: RateCardRow, now: Date): void {
  if (card.requested_by === principal.id)
    throw new Problem('forbidden', 'A list price is approved by another operator than the one who requested it.')
  if (card.effective_from < now)
    throw new Problem('invalid-state', 'Its effective date has passed: request it again with a later one.')
}
