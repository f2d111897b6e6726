/** One spectral index in a table of its group. Bands are named by their common names (STAC `common_name`). */
export type SpectralIndexRow = readonly [
  title: string,
  formula: string,
  /** Typical range of values. */
  range: readonly [low: number, high: number],
  colormap: string,
  /** `reflectance` where additive constants need samples from 0 to 1. */
  samples: 'any' | 'reflectance',
  source: string,
]
