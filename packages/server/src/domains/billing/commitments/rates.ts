import type { Call } from '../../../engine/call.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { listRates } from './store.rates.ts'

/** A rate that a contract fixes for one product instead of the list's. */
export interface NegotiatedRate {
  readonly commitment_id: string
  readonly unit: string
  readonly rate_credits: number
}

/** Rates that contracts of a buyer fix, by product. */
export type Rates = ReadonlyMap<string, NegotiatedRate>

/** What an organization pays instead of the list price at a moment, by product. */
export async function negotiatedRates(db: Queryable, organization: string, now: OrganizationTime): Promise<Rates> {
  const rates = new Map<string, NegotiatedRate>()
  for (const { product, commitment_id, unit, rate_credits } of await listRates(db, organization, now)) {
    if (!rates.has(product)) rates.set(product, { commitment_id, unit, rate_credits: Number(rate_credits) })
  }
  return rates
}

/** What the caller's organization pays instead of the list price now; who belongs to none pays that. */
export async function ratesOfCaller(call: Pick<Call, 'principal' | 'db' | 'organization' | 'clock'>): Promise<Rates> {
  if (call.principal.organization === null) return new Map()
  return negotiatedRates(call.db, call.organization, call.clock.now())
}
