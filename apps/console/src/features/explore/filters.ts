/** The filters of a search, as they stand in the address. */
export interface ExploreFilters {
  /** ISO dates; null is open. */
  readonly from: string | null
  readonly to: string | null
  /** Percent; 100 is any. */
  readonly maxCloud: number
  readonly host: string | null
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const readDate = (value: unknown): string | null =>
  typeof value === 'string' && datePattern.test(value) ? value : null

/** Reads filters from an address; what is not a filter is ignored. */
export function parseFilters(search: Readonly<Record<string, unknown>>): ExploreFilters {
  const cloud = Number(search['cloud'] ?? 100)
  return {
    from: readDate(search['from']),
    to: readDate(search['to']),
    maxCloud: cloud >= 0 && cloud <= 100 ? cloud : 100,
    host: typeof search['host'] === 'string' ? search['host'] : null,
  }
}

/** The members of the address; defaults are left out. */
export const filtersToSearch = ({ from, to, maxCloud, host }: ExploreFilters): Record<string, string | number> => ({
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
  ...(maxCloud < 100 ? { cloud: maxCloud } : {}),
  ...(host ? { host } : {}),
})

/** The input of `catalog.search_stream` for filters and an area (west, south, east, north). */
export const toSearchInput = (
  { from, to, maxCloud, host }: ExploreFilters,
  bbox: readonly [number, number, number, number],
  limit: number,
): Record<string, unknown> => ({
  bbox,
  limit,
  ...(from || to ? { datetime: `${from ?? '..'}/${to ?? '..'}` } : {}),
  ...(maxCloud < 100 ? { query: { cloudCoverage: { LTE: maxCloud } } } : {}),
  ...(host ? { host_name: host } : {}),
})
