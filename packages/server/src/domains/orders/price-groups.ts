import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import type { HostPrice, HostScene } from '../../platform/integrations/imagery-host.ts'
import { calculateCharge, creditsToAud } from '../catalog/price.ts'

/** A capture with its own price. */
interface PricedCapture {
  readonly id: string
  readonly host: { readonly name: string }
  readonly scene: Pick<HostScene, 'collection' | 'datetime'>
  readonly price: HostPrice | null
  readonly area_km2: number
  readonly credits: number
}

const acquisitionDate = (capture: PricedCapture): string => capture.scene.datetime.slice(0, 10)

export interface PricedGroup<Capture> {
  readonly group: PriceGroup
  readonly shares: readonly (readonly [Capture, number])[]
}

/** One group per product, or per product and date; a date is priced as one area with one minimum. */
export function groupCapturesForPricing<Capture extends PricedCapture>(
  captures: readonly Capture[],
  splitByDate: boolean,
): PricedGroup<Capture>[] {
  const groups = Map.groupBy(captures, (capture) =>
    [capture.host.name, capture.scene.collection, splitByDate ? acquisitionDate(capture) : ''].join('\u0000'),
  )
  return [...groups.values()].map((members) => (splitByDate ? priceByDate(members) : priceByCapture(members)))
}

/** Each capture at its own price, with its own minimum. */
function priceByCapture<Capture extends PricedCapture>(members: readonly Capture[]): PricedGroup<Capture> {
  const credits = members.reduce((sum, capture) => sum + capture.credits, 0)
  const km2 = members.reduce((sum, { price, area_km2 }) => sum + calculateCharge(price, area_km2).charged_km2, 0)
  return {
    group: {
      captures: members.map(({ id }) => id),
      aoi_km2: Math.round(km2 * 10_000) / 10_000,
      credits,
      aud: creditsToAud(credits),
    },
    shares: members.map((capture) => [capture, capture.credits]),
  }
}

function priceByDate<Capture extends PricedCapture>(members: readonly Capture[]): PricedGroup<Capture> {
  const first = members[0]!
  const area_km2 = members.reduce((sum, capture) => sum + capture.area_km2, 0)
  const { charged_km2, credits } = calculateCharge(first.price, area_km2)
  return {
    group: {
      captures: members.map(({ id }) => id),
      aoi_km2: charged_km2,
      credits,
      aud: creditsToAud(credits),
      date: acquisitionDate(first),
    },
    shares: divideByArea(members, area_km2, credits),
  }
}

/** Divides credits by area, as integers; the last capture takes the remainder. */
function divideByArea<Capture extends PricedCapture>(
  members: readonly Capture[],
  area_km2: number,
  credits: number,
): PricedGroup<Capture>['shares'] {
  let remaining_credits = credits
  return members.map((capture, index) => {
    const share = index === members.length - 1 ? remaining_credits : Math.floor((credits * capture.area_km2) / area_km2)
    remaining_credits -= share
    return [capture, share]
  })
}
