import type { Call } from '../../engine/call.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { ListPriceRates } from '../rate-cards/list-rates.ts'
import { foldProductVersions, type ProductTermsByName } from '../rate-cards/product-terms.ts'
import { listPriceRates } from '../rate-cards/store.price-rates.ts'

/** A rate for one product that replaces the list price under a commitment. */
export interface NegotiatedRate {
  readonly commitment_id: string
  readonly unit: string
  readonly rate_credits: number
}

/** The rates that replace those that hosts declare, for one organization at one time. */
export interface PriceRates {
  readonly listed: ListPriceRates
  readonly negotiated: NegotiatedRates
  /** The terms, other than rates, that operators have set for data products. */
  readonly products: ProductTermsByName
}

export const noPriceRates: PriceRates = { listed: new Map(), negotiated: new Map(), products: new Map() }

/** The negotiated rates of an organization, by product. */
export type NegotiatedRates = ReadonlyMap<string, NegotiatedRate>

/** The list rates and product terms in force, and the negotiated rates of an organization at a time. */
export async function readPriceRates(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<PriceRates> {
  const { listed, negotiated, product_versions } = await listPriceRates(db, organization, now)
  const rates = new Map<string, NegotiatedRate>()
  for (const { product, commitment_id, unit, rate_credits } of negotiated) {
    if (!rates.has(product)) rates.set(product, { commitment_id, unit, rate_credits: Number(rate_credits) })
  }
  return {
    listed: new Map(listed.map(({ product, ...rate }) => [product, rate])),
    negotiated: rates,
    products: foldProductVersions(product_versions),
  }
}

/** The current rates of the caller's organization; none for a caller without one, who cannot buy and sees declared prices. */
export async function readRatesOfCaller(
  call: Pick<Call, 'principal' | 'db' | 'organization' | 'clock'>,
): Promise<PriceRates> {
  if (call.principal.organization === null) return noPriceRates
  return readPriceRates(call.db, call.organization, call.clock.now())
}

/** The terms that operators have set for data products, at the time of the organization. */
export const readProductTerms = async (
  call: Pick<Call, 'db' | 'organization' | 'clock'>,
): Promise<ProductTermsByName> => (await readPriceRates(call.db, call.organization, call.clock.now())).products
