/** What was compared in one file, and what did not agree. */
export interface Findings {
  readonly violations: string[]
  /** For each tile for which gdalwarp is not simply asked the sentence that explains it. */
  readonly explained: string[]
  tiles: number
  levels: number
  bands: number
  overviews: number
}

export function startFindings(): Findings {
  return { violations: [], explained: [], tiles: 0, levels: 0, bands: 0, overviews: 0 }
}

/** A small share as people write it. */
export function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toPrecision(2)} %`
}
