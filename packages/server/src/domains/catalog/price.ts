import { limits } from '@swath/contract/limits.ts'
import type { ServicePrice } from '@swath/contract/schemas/price.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { overlapArea_km2 } from '@swath/geo/polygon-clip.ts'
import type { HostPrice } from '../../platform/integrations/imagery-host.ts'
import { noPriceRates, type PriceRates } from '../contracts/rates.ts'
import { computeLineAmount } from '../ledger/rounding.ts'
import { applyListRate } from '../rate-cards/list-rates.ts'

/** True for a Polygon or MultiPolygon; input was validated before, so its rings are valid. */
export const isAreaGeometry = (geometry: unknown): geometry is AreaGeometry =>
  typeof geometry === 'object' &&
  geometry !== null &&
  'type' in geometry &&
  (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon')

/** Four decimals: a square of ten metres. The charged area is the printed one. */
export const roundArea_km2 = (km2: number): number => Math.round(km2 * 10_000) / 10_000

/** Area of the intersection with a footprint, in square kilometres; 0 if they do not intersect. */
export const intersectionAreaKm2 = (area: AreaGeometry, footprint: AreaGeometry): number =>
  roundArea_km2(overlapArea_km2(area, footprint))

export interface AreaCharge {
  readonly charged_km2: number
  readonly credits: number
}

/** Area (at least the minimum) times rate, rounded up to an integer number of credits; 0 without a price. */
export function calculateCharge(price: HostPrice | null, area_km2: number): AreaCharge {
  if (price === null) return { charged_km2: area_km2, credits: 0 }
  const charged_km2 = roundArea_km2(Math.max(area_km2, price.minimum_km2))
  return { charged_km2, credits: computeLineAmount(charged_km2, price.rate_credits) }
}

export const creditsToAud = (credits: number): number => credits / limits.credits_per_aud

/** The price to charge, and the commitment of the buyer that fixes its rate, if any. */
export interface ResolvedPrice {
  /** The list price in force: that of the rate card, or as the host declares it. */
  readonly list_price: HostPrice | null
  readonly price: HostPrice | null
  readonly commitment_id: string | null
}

/** The list price in force, with the rate of a commitment that covers its product. */
export function resolvePrice(declared: HostPrice | null, { listed, negotiated }: PriceRates): ResolvedPrice {
  if (declared === null) return { list_price: null, price: null, commitment_id: null }
  const list_price = applyListRate(declared, listed)
  const contractRate = negotiated.get(list_price.product)
  if (contractRate?.unit !== 'km2') return { list_price, price: list_price, commitment_id: null }
  return {
    list_price,
    price: { ...list_price, rate_credits: contractRate.rate_credits },
    commitment_id: contractRate.commitment_id,
  }
}

/** The price of a scene for its whole footprint or for the requested area. */
export function priceScene(
  declared: HostPrice | null,
  footprint: unknown,
  area: unknown,
  rates: PriceRates = noPriceRates,
): ServicePrice {
  const { list_price, price, commitment_id } = resolvePrice(declared, rates)
  if (price === null) return { credits: 0, aud: 0 }
  if (!isAreaGeometry(footprint)) return { credits: 0, aud: 0 }
  const footprint_km2 = roundArea_km2(geometryArea_km2(footprint))
  const { charged_km2, credits } = calculateCharge(
    price,
    isAreaGeometry(area) ? intersectionAreaKm2(area, footprint) : footprint_km2,
  )
  return {
    credits,
    aud: creditsToAud(credits),
    unit: 'km2',
    rate_credits: price.rate_credits,
    minimum_km2: price.minimum_km2,
    charged_km2,
    product: price.product,
    licences: [...price.licences],
    ...(commitment_id ? { commitment_id, list_rate_credits: list_price!.rate_credits } : {}),
  }
}
