/** The numbers of comparisons in one file, and the violations. */
export interface OracleFindings {
  readonly violations: string[]
  /** The explanation for each tile that gdalwarp did not create with the `plain` method. */
  readonly explained: string[]
  tiles: number
  levels: number
  bands: number
  overviews: number
}

export function createFindings(): OracleFindings {
  return { violations: [], explained: [], tiles: 0, levels: 0, bands: 0, overviews: 0 }
}

/** A share in percent with two significant digits. */
export function formatPercent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toPrecision(2)} %`
}
