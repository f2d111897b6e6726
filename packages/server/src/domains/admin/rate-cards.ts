import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { listDataProducts } from '../glossary/data-products.ts'
import { toAudRate, toCreditsRate } from '../ledger/aud.ts'
import {
  markRateCardDecided,
  findRateCard,
  insertRateCard,
  listRateCardsInForce,
  type RateCardRow,
} from '../rate-cards/store.ts'
import {
  parseEffectiveDate,
  readProcessClockTime,
  decideCommercialTermsVersion,
  toCommercialTermsVersionFields,
  type CommercialTermsVersionKind,
} from './effective-versions.ts'

/** The representation of a rate card. */
const toRateCard = (row: RateCardRow, inForce: ReadonlySet<string>) => ({
  ...row,
  ...toCommercialTermsVersionFields(row),
  unit: 'km2' as const,
  rate_credits: Number(row.rate_credits),
  rate_aud: toAudRate(row.rate_credits),
  in_force: inForce.has(row.id),
})

/** The representations of rate cards, which state whether each is in force now. */
export async function toRateCards(call: Pick<Call, 'clocks'>, db: SqlStatementRunner, rows: readonly RateCardRow[]) {
  const inForce = new Set((await listRateCardsInForce(db, readProcessClockTime(call))).map(({ id }) => id))
  return rows.map((row) => toRateCard(row, inForce))
}

export interface RateCardRequest {
  readonly product: string
  readonly rate_aud: string
  readonly minimum_km2?: number | null
  readonly effective_from: string
  readonly reason: string
}

/** Requests a list price. Throws `not-found` for a product that no host sells, or `validation`. */
export async function requestRateCardApproval(call: Call, request: RateCardRequest): Promise<RateCardRow> {
  const { product, rate_aud, minimum_km2 = null, reason } = request
  const isSold = listDataProducts(call.integrations.hosts.values()).some(({ price }) => price?.product === product)
  if (!isSold) throw new Problem('not-found', `No host sells a product with the name "${product}".`)
  const effective_from = parseEffectiveDate(call, request.effective_from)
  const card = { id: newId(), product, rate_credits: toCreditsRate(rate_aud), minimum_km2, effective_from, reason }
  return call.unscoped.transaction((tx) =>
    insertRateCard(tx, { ...card, requested_by: call.principal.id, requested_at: readProcessClockTime(call) }),
  )
}

const rateCardKind: CommercialTermsVersionKind<RateCardRow> = {
  label: 'list price',
  find: findRateCard,
  decide: markRateCardDecided,
}

/** Approves or rejects a rate card, which is returned; throws what `decideCommercialTermsVersion` throws. */
export async function decideRateCard(
  call: Call,
  { rate_card_id: id, reason }: { readonly rate_card_id: string; readonly reason: string },
  status: 'approved' | 'rejected',
) {
  const [card] = await toRateCards(call, call.unscoped, [
    await decideCommercialTermsVersion(call, rateCardKind, { id, reason, status }),
  ])
  return card!
}
