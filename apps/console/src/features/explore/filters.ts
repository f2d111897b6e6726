import type { Geometry, InputOf } from '@swath/client/operations.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaToAddress, readAreaAddress } from '../../area/area-address.ts'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
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
  /** Degrees; null is any. */
  readonly maxOffNadir: number | null
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
  const { area, from, to, host, cloud, gsd, nadir, price, sort } = search
  return {
    area: readAreaAddress(area),
    from: readDate(from),
    to: readDate(to),
    host: typeof host === 'string' ? host : null,
    maxCloud: readNumber(cloud),
    maxGsd: readNumber(gsd),
    maxOffNadir: readNumber(nadir),
    maxCredits: readNumber(price),
    sort: isSort(sort) ? sort : 'newest',
  }
}

/** The members of the address; defaults are left out. */
export function filtersToSearch(filters: ExploreFilters): Record<string, string | number> {
  const { area, from, to, host, maxCloud, maxGsd, maxOffNadir, maxCredits, sort } = filters
  const members = {
    area: area && areaToAddress(area),
    from,
    to,
    host,
    cloud: maxCloud,
    gsd: maxGsd,
    nadir: maxOffNadir,
    price: maxCredits,
    sort: sort === 'newest' ? null : sort,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Record<
    string,
    string | number
  >
}

/** Where is searched. The other filters hide scenes of the answer, so that they act at once and can say what they hide. */
export const toSearchInput = ({ area }: ExploreFilters, bounds: LonLatBounds, limit: number) => ({
  limit,
  ...(area ? { intersects: area } : { bbox: bounds }),
})

/** The dates as a search asks for them; null for any. */
export const toDatetime = ({ from, to }: ExploreFilters): string | null =>
  from || to ? `${from ?? '..'}/${to ?? '..'}` : null

/** The dates and comparisons of a search. */
function toConditions(filters: ExploreFilters) {
  const { maxCloud, maxGsd } = filters
  const datetime = toDatetime(filters)
  const query = {
    ...(maxCloud === null ? {} : { cloudCoverage: { LTE: maxCloud } }),
    ...(maxGsd === null ? {} : { resolution: { LTE: maxGsd } }),
  }
  return { ...(datetime ? { datetime } : {}), ...(Object.keys(query).length > 0 ? { query } : {}) }
}

/** What a comparison of prices asks for, but the area. */
export const toComparisonInput = (filters: ExploreFilters) => ({
  ...toConditions(filters),
  ...(filters.host ? { source_ids: [filters.host] } : {}),
})

/** One call that finds what is shown, up to the price: for the command line. */
export function toWholeInput(filters: ExploreFilters, bounds: LonLatBounds, limit: number) {
  const { host } = filters
  return {
    ...toSearchInput(filters, bounds, limit),
    ...toConditions(filters),
    ...(host ? { host_name: host } : {}),
  }
}

/** The same search as the platform saves it. */
export function toSavedInput(
  filters: ExploreFilters,
  [west, south, east, north]: LonLatBounds,
): Pick<InputOf<'catalog.search.save'>, 'source_ids' | 'filters'> {
  const { area, host } = filters
  const where = area ? { intersects: area as unknown as Geometry } : { bbox: [west, south, east, north] }
  return { source_ids: host ? [host] : null, filters: { ...where, ...toConditions(filters) } }
}
