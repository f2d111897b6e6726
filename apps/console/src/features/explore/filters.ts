import type { Geometry, InputOf } from '@swath/client/operations.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { areaToUrl, readAreaFromUrl } from '../../area/area-url.ts'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
import { isSort, type Sort } from './sort-scenes.ts'
import { readUrlText } from '../../api/read-text.ts'

/** The filters of a search, as they stand in the URL. */
export interface ExploreFilters {
  readonly area: AreaGeometry | null
  /** ISO dates; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly host: string | null
  /** The satellite, or the instrument where no satellite is stated. */
  readonly sensor: string | null
  /** An SPDX id, `various` or `proprietary`. */
  readonly licence: string | null
  /** Percent; null is any. */
  readonly maxCloud: number | null
  /** Metres of a pixel; null is any. */
  readonly maxGsd: number | null
  /** Degrees; null is any. */
  readonly maxOffNadir: number | null
  /** Degrees above the horizon; null is any. */
  readonly minSun: number | null
  /** Percent of the area; null is any. */
  readonly minCover: number | null
  readonly maxCredits: number | null
  readonly ownership: Ownership | null
  /** Hides scenes that do not state a filtered property; otherwise they are shown with a note. */
  readonly isStated: boolean
  /** The list is in groups of one date and pass. */
  readonly isGrouped: boolean
  readonly sort: Sort
}

/** `owned`: the organization has bought the scene; `new`: it has not. */
export type Ownership = 'owned' | 'new'

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const readDate = (value: unknown): string | null =>
  typeof value === 'string' && datePattern.test(value) ? value : null
const readOwnership = (value: unknown): Ownership | null => (value === 'owned' || value === 'new' ? value : null)
const readNumber = (value: unknown): number | null => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN
  return value !== '' && number >= 0 ? number : null
}

/** Reads filters from the query parameters; anything that is not a filter is ignored. */
export function parseFilters(search: Readonly<Record<string, unknown>>): ExploreFilters {
  const { area, from, to, host, sensor, licence, cloud, gsd, nadir, sun, cover, price, owned, sort } = search
  return {
    area: readAreaFromUrl(area),
    from: readDate(from),
    to: readDate(to),
    host: readUrlText(host),
    sensor: readUrlText(sensor),
    licence: readUrlText(licence),
    maxCloud: readNumber(cloud),
    maxGsd: readNumber(gsd),
    maxOffNadir: readNumber(nadir),
    minSun: readNumber(sun),
    minCover: readNumber(cover),
    maxCredits: readNumber(price),
    ownership: readOwnership(owned),
    isStated: search['stated'] === 'only',
    isGrouped: search['group'] === 'pass',
    sort: isSort(sort) ? sort : 'newest',
  }
}

/** The members of the URL; defaults are left out. */
export function filtersToSearch(filters: ExploreFilters): Record<string, string | number> {
  const { area, from, to, host, sensor, licence, sort } = filters
  const members = {
    area: area && areaToUrl(area),
    from,
    to,
    host,
    sensor,
    licence,
    cloud: filters.maxCloud,
    gsd: filters.maxGsd,
    nadir: filters.maxOffNadir,
    sun: filters.minSun,
    cover: filters.minCover,
    price: filters.maxCredits,
    owned: filters.ownership,
    stated: filters.isStated ? 'only' : null,
    group: filters.isGrouped ? 'pass' : null,
    sort: sort === 'newest' ? null : sort,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Record<
    string,
    string | number
  >
}

/**
 * The place of a search. The other filters hide scenes of the response, so that they act at once and can say how many
 * they hide.
 */
export const toSearchInput = ({ area }: ExploreFilters, bounds: LonLatBounds, limit: number) => ({
  limit,
  ...(area ? { intersects: area } : { bbox: bounds }),
})

/** The dates and comparisons that every host can search by: other properties are not queryable everywhere. */
export function toConditions({ from, to, maxCloud, maxGsd }: ExploreFilters) {
  const datetime = from || to ? `${from ?? '..'}/${to ?? '..'}` : null
  const query = {
    ...(maxCloud === null ? {} : { cloudCoverage: { LTE: maxCloud } }),
    ...(maxGsd === null ? {} : { resolution: { LTE: maxGsd } }),
  }
  return { ...(datetime ? { datetime } : {}), ...(Object.keys(query).length > 0 ? { query } : {}) }
}

/** The input of a price comparison, without the area. */
export const toComparisonInput = (filters: ExploreFilters) => ({
  ...toConditions(filters),
  ...(filters.host ? { source_ids: [filters.host] } : {}),
})

/**
 * One call that finds the shown scenes, without the filters that only hide scenes of the response: for the command
 * line.
 */
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

/** Whether some filters that are set are not part of the saved search. */
export const isPartlySaved = (filters: ExploreFilters): boolean =>
  [
    filters.sensor,
    filters.licence,
    filters.maxOffNadir,
    filters.minSun,
    filters.minCover,
    filters.maxCredits,
    filters.ownership,
  ].some((value) => value !== null)
