import type { CaptureError, EstimateLine, InputOf, OrderEstimate } from '@swath/client/operations.ts'
import type { CartLine } from '../../cart/cart.ts'
import { cartTexts } from '../../texts/cart.ts'

type Captures = NonNullable<InputOf<'orders.quote'>['captures']>

/** The captures of the lines; a line without an area cannot be priced. */
export const toCaptures = (lines: readonly CartLine[]): Captures =>
  lines.flatMap(({ id, host_name, area, footprint }) => {
    const geometry = area ?? footprint
    return geometry ? [{ id, host: host_name, geometry: { ...geometry } }] : []
  })

/** A line of the cart with its price from the server. */
export interface PricedLine {
  readonly line: CartLine
  readonly price: EstimateLine | null
  readonly error: CaptureError | null
}

export interface LineGroup {
  /** The date of a date group; null if each scene is priced by itself. */
  readonly date: string | null
  readonly charged_km2: number | null
  readonly credits: number | null
  readonly lines: readonly PricedLine[]
}

const noArea = (line: CartLine): CaptureError => ({
  id: line.id,
  host: line.host_name,
  code: 'not-a-polygon',
  message: cartTexts.noArea,
})

/** The lines in the groups of the estimate; those that cannot be ordered come last. */
export function groupLines(
  lines: readonly CartLine[],
  estimate: OrderEstimate | undefined,
  isSplit: boolean,
): readonly LineGroup[] {
  const priced = lines.map((line): PricedLine => {
    const isSame = ({ id, host }: { id: string; host: string | null }): boolean =>
      id === line.id && (host === null || host === line.host_name)
    const error = line.area || line.footprint ? (estimate?.errors.find(isSame) ?? null) : noArea(line)
    return { line, price: estimate?.lines.find(isSame) ?? null, error }
  })
  if (!isSplit || !estimate) return [{ date: null, charged_km2: null, credits: null, lines: priced }]
  const groups = estimate.groups.map((group) => ({
    date: group.date ?? null,
    charged_km2: group.aoi_km2,
    credits: group.credits,
    lines: priced.filter(
      ({ price }) => price && group.captures.includes(price.id) && price.datetime.slice(0, 10) === group.date,
    ),
  }))
  const rest = priced.filter(({ price }) => !price)
  return rest.length === 0 ? groups : [...groups, { date: null, charged_km2: null, credits: null, lines: rest }]
}

/** Licences under which every priced scene can be ordered, the standard one first; free scenes keep their own. */
export function commonLicences(lines: readonly EstimateLine[]): readonly string[] {
  const offers = lines.filter(({ credits }) => credits > 0).map(({ licences }) => licences)
  return offers.length === 0 ? [] : offers.reduce((left, right) => left.filter((one) => right.includes(one)))
}

/** True if the minimum area of the product is charged. */
export const isMinimumCharged = (area_km2: number, minimum_km2: number): boolean =>
  // Areas have four decimals; a sum of them has rounding errors.
  minimum_km2 - area_km2 > 1e-4
