import type { HostPrice } from '../../platform/integrations/imagery-host.ts'

/** A list price that replaces the one that the host of a product declares. */
export interface ListPriceRate {
  readonly rate_credits: number
  /** Null: the minimum of the host. */
  readonly minimum_km2: number | null
  /** `YYYY-MM-DD`, UTC. */
  readonly valid_from: string
}

/** List rates by product; products without a rate card have the price that their host declares. */
export type ListPriceRates = ReadonlyMap<string, ListPriceRate>

/** The declared price of a product with the rate of its rate card, if it has one. */
export function applyListRate(declared: HostPrice, rates: ListPriceRates): HostPrice {
  const rate = rates.get(declared.product)
  if (!rate) return declared
  const { rate_credits, minimum_km2, valid_from } = rate
  return { ...declared, rate_credits, minimum_km2: minimum_km2 ?? declared.minimum_km2, valid_from }
}
