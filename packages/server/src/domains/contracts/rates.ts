import type { Call } from '../../engine/call.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { listNegotiatedRates } from './store.rates.ts'

/** A rate for one product that replaces the list price under a commitment. */
export interface NegotiatedRate {
  readonly commitment_id: string
  readonly unit: string
  readonly rate_credits: number
}

/** The negotiated rates of an organization, by product. */
export type NegotiatedRates = ReadonlyMap<string, NegotiatedRate>

/** The negotiated rates of an organization at a time, by product. */
export async function readNegotiatedRates(
  db: Queryable,
  organization: string,
  now: OrganizationTime,
): Promise<NegotiatedRates> {
  const rates = new Map<string, NegotiatedRate>()
  for (const { product, commitment_id, unit, rate_credits } of await listNegotiatedRates(db, organization, now)) {
    if (!rates.has(product)) rates.set(product, { commitment_id, unit, rate_credits: Number(rate_credits) })
  }
  return rates
}

/** The current negotiated rates of the caller's organization; empty for a caller without an organization. */
export async function readRatesOfCaller(
  call: Pick<Call, 'principal' | 'db' | 'organization' | 'clock'>,
): Promise<NegotiatedRates> {
  if (call.principal.organization === null) return new Map()
  return readNegotiatedRates(call.db, call.organization, call.clock.now())
}
