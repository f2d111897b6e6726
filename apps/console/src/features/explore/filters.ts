import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { formatArea, parseArea } from '../../area/area-address.ts'
import { isSort, type Sort } from './sort-scenes.ts'

/** The filters of a search, as they stand in the address. */
export interface ExploreFilters {
  readonly area: AreaGeometry | null
  /** ISO dates; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly host: string | null
  /** Percent; null is any. */
  readonly maxCloud: number | null
  /** Metres of a pixel; null is any. */
  readonly maxGsd: number | null
  readonly maxCredits: number | null
  readonly sort: Sort
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const readDate = (value: unknown): string | null =>
  typeof value === 'string' && datePattern.test(value) ? value : null
const readNumber = (value: unknown): number | null => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN
  return value !== '' && number >= 0 ? number : null
}

/** Reads filters from an address; what is not a filter is ignored. */
export function parseFilters(search: Readonly<Record<string, unknown>>): ExploreFilters {
  const { area, from, to, host, cloud, gsd, price, sort } = search
  return {
    area: parseArea(area),
    from: readDate(from),
    to: readDate(to),
    host: typeof host === 'string' ? host : null,
    maxCloud: readNumber(cloud),
    maxGsd: readNumber(gsd),
    maxCredits: readNumber(price),
    sort: isSort(sort) ? sort : 'newest',
  }
}

/** The members of the address; defaults are left out. */
export function filtersToSearch(filters: ExploreFilters): Record<string, string | number> {
  const { area, from, to, host, maxCloud, maxGsd, maxCredits, sort } = filters
  const members = {
    area: area && formatArea(area),
    from,
    to,
    host,
    cloud: maxCloud,
    gsd: maxGsd,
    price: maxCredits,
    sort: sort === 'newest' ? null : sort,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Record<
    string,
    string | number
  >
}

type Bounds = readonly [west: number, south: number, east: number, north: number]

/** What the server searches: where and when. The other filters hide scenes of its answer, so that they act at once. */
export const toSearchInput = ({ area, from, to, host }: ExploreFilters, bounds: Bounds, limit: number) => ({
  limit,
  ...(area ? { intersects: area } : { bbox: bounds }),
  ...(from || to ? { datetime: `${from ?? '..'}/${to ?? '..'}` } : {}),
  ...(host ? { host_name: host } : {}),
})
