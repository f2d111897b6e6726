/** The statistics of the values inside an area. */
export interface ZoneValues {
  readonly name: string
  readonly band_name?: string | null
  readonly count: number
  readonly valid_percent: number
  readonly sum: number | null
  readonly mean: number | null
  readonly min: number | null
  readonly max: number | null
  readonly std: number | null
  readonly median: number | null
  readonly percentiles: Readonly<Record<string, number>>
}

export interface Zone {
  /** The id that the caller gave it. */
  readonly id: string | null
  readonly approximate: boolean
  readonly values: readonly ZoneValues[]
}

/** The result of `zonal_stats`. */
export interface ZonalResult {
  readonly weighted: boolean
  readonly zones: readonly Zone[]
}

export interface AreaSeriesEntry {
  readonly item_id: string
  readonly datetime: string
  readonly values: readonly ZoneValues[]
}

/** The result of `time_series`. */
export interface AreaSeriesResult {
  readonly series: readonly AreaSeriesEntry[]
  readonly skipped: readonly { readonly item_id: string; readonly reason: string }[]
  readonly truncated: boolean
}

interface ResultFile {
  /** Signed: it needs no token. */
  readonly url: string
  readonly expires_at: string
}

/** The result of `change_detection`. */
export interface ChangeResult {
  readonly index_name: string
  readonly change_threshold: number
  readonly statistics: {
    readonly compared_count: number
    readonly changed_count: number
    readonly increased_count: number
    readonly decreased_count: number
    readonly changed_percent: number
    readonly mean_change: number | null
    readonly min_change: number | null
    readonly max_change: number | null
    readonly changed_area_m2: number | null
  }
  readonly change_raster: ResultFile
  readonly change_image: ResultFile
}

/** Formats a measurement with four significant digits, its usual accuracy. */
export const formatMeasured = (value: number | null | undefined): string =>
  value === null || value === undefined ? '—' : value.toLocaleString('en', { maximumSignificantDigits: 4 })

/** The URL of a signed file at this origin: another one in it is that of a proxy. */
export const toLocalUrl = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '')
