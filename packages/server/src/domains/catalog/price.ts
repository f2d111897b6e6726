import { limits } from '@swath/contract/limits.ts'
import type { ServicePrice } from '@swath/contract/shapes/price.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaOf } from '@swath/geo/area.ts'
import { overlapArea } from '@swath/geo/polygon-clip.ts'
import type { HostPrice } from '../../platform/outside/imagery-host.ts'
import type { Rates } from '../billing/commitments/rates.ts'
import { lineAmount } from '../billing/rounding.ts'

/** True for a Polygon or MultiPolygon; input was validated before, so its rings are valid. */
export const isArea = (geometry: unknown): geometry is AreaGeometry =>
  typeof geometry === 'object' &&
  geometry !== null &&
  'type' in geometry &&
  (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon')

/** Four decimals: a square of ten metres. The charged area is the printed one. */
export const rounded = (km2: number): number => Math.round(km2 * 10_000) / 10_000

/** Geodesic area of the intersection with a footprint, in square kilometres; 0 if they do not intersect. */
export const areaWithinKm2 = (area: AreaGeometry, footprint: AreaGeometry): number =>
  rounded(overlapArea(area, footprint))

export interface Charge {
  readonly charged_km2: number
  readonly credits: number
}

/** Area (at least the minimum) times rate, rounded up to an integer number of credits; 0 without a price. */
export function chargeOf(price: HostPrice | null, area_km2: number): Charge {
  if (price === null) return { charged_km2: area_km2, credits: 0 }
  const charged_km2 = rounded(Math.max(area_km2, price.minimum_km2))
  return { charged_km2, credits: lineAmount(charged_km2, price.rate_credits) }
}

export const audOf = (credits: number): number => credits / limits.credits_per_aud

/** The price to charge, and the commitment of the buyer that fixes its rate, if any. */
export interface OfferedPrice {
  readonly price: HostPrice | null
  readonly commitment_id: string | null
}

/** The list price, with the rate of a commitment that covers its product. */
export function offeredPrice(list_price: HostPrice | null, rates: Rates): OfferedPrice {
  const fixed = rates.get(list_price?.product ?? '')
  if (list_price === null || fixed?.unit !== 'km2') return { price: list_price, commitment_id: null }
  return { price: { ...list_price, rate_credits: fixed.rate_credits }, commitment_id: fixed.commitment_id }
}

/** The price of a scene for its whole footprint or for the requested area. */
export function priceTag(
  list_price: HostPrice | null,
  footprint: unknown,
  area: unknown,
  rates: Rates = new Map(),
): ServicePrice {
  const { price, commitment_id } = offeredPrice(list_price, rates)
  if (price === null) return { credits: 0, aud: 0 }
  if (!isArea(footprint)) return { credits: 0, aud: 0 }
  const whole = rounded(areaOf(footprint))
  const { charged_km2, credits } = chargeOf(price, isArea(area) ? areaWithinKm2(area, footprint) : whole)
  return {
    credits,
    aud: audOf(credits),
    unit: 'km2',
    rate_credits: price.rate_credits,
    minimum_km2: price.minimum_km2,
    charged_km2,
    product: price.product,
    licences: [...price.licences],
    ...(commitment_id ? { commitment_id, list_rate_credits: list_price!.rate_credits } : {}),
  }
}
