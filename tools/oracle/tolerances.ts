import type { Resampling } from '@swath/raster'
import type { TileWay } from './gdal.ts'

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

/** Why gdalwarp is not simply asked for a tile: one sentence for each other way. Tolerances are the same in all of them. */
export const TILE_WAYS: Readonly<Record<Exclude<TileWay, 'plain'>, string>> = {
  whole:
    'the picture ends inside: gdalwarp is told the scale of the whole tile, since it stretches kernels to what is left of it',
  alpha: 'the alpha band is lossy too: gdalwarp is asked for nearest pixels of it, since it mixes alpha like a colour',
  padded:
    'the picture ends inside: gdalwarp averages it with an empty margin, since it weighs the outermost pixels by more than 1',
  aligned:
    'the picture ends between pixels: averages in those next to it do not count, since only rounding noise covers them',
  local: 'the map is curved: gdalwarp is asked cell by cell, since one kernel for the whole tile smears most of it',
}

/** The same of all tiles of a file whose datum PROJ would shift otherwise. */
export const DATUM_WAY = 'the datum is shifted by parameters: gdalwarp is told ours, since PROJ has others'

/**
 * Tiles of JPEG are decoded with the fast transform: so many steps more are lawful there, for this share of the samples.
 * What is read, measured and copied is decoded exactly.
 */
export const LOSSY_TILES = { steps: 3, share: 0.995 } as const

/** Relative, of minimum, maximum, mean and standard deviation. */
export const STATISTICS_SHARE = 1e-9

/** Levels by which the mean of two by two pixels may differ. */
export const OVERVIEW_STEPS = 1
