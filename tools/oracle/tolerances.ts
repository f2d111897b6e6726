import type { Resampling } from '@swath/raster'

/**
 * How far our pixels may be from GDAL's. A level is 1 for whole numbers and a thousandth of the tile's range for floating
 * point.
 */
export const TILE_RULES: Readonly<Record<Resampling, { readonly levels: number; readonly share: number }>> = {
  nearest: { levels: 0, share: 0.999 },
  bilinear: { levels: 1, share: 1 },
  cubic: { levels: 2, share: 0.999 },
  average: { levels: 2, share: 0.999 },
}

/**
 * Tiles of JPEG are decoded with the fast transform: so many steps more are lawful there, for this share of the samples.
 * What is read, measured and copied is decoded exactly.
 */
export const LOSSY_TILES = { steps: 3, share: 0.995 } as const

/** Relative, of minimum, maximum, mean and standard deviation. */
export const STATISTICS_SHARE = 1e-9

/** Levels by which the mean of two by two pixels may differ. */
export const OVERVIEW_STEPS = 1
