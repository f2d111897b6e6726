import type { Resampling } from '@swath/raster'
import type { WarpMethod } from './gdal.ts'

/**
 * Tolerances of samples compared with GDAL. A level is 1 for integers and a thousandth of the tile's range for floating
 * point.
 */
export const tileTolerances: Readonly<Record<Resampling, { readonly levels: number; readonly share: number }>> = {
  nearest: { levels: 0, share: 0.999 },
  bilinear: { levels: 1, share: 1 },
  cubic: { levels: 2, share: 0.999 },
  average: { levels: 2, share: 0.999 },
}

/** Why a tile is not created with the `plain` method. Tolerances are the same for all methods. */
export const methodExplanations: Readonly<Record<Exclude<WarpMethod, 'plain'>, string>> = {
  whole:
    'the image ends inside the tile: gdalwarp gets the scale of the whole tile, since it stretches kernels to the rest',
  alpha: 'the alpha band is lossy, too: nearest pixels of it are used, since gdalwarp interpolates alpha like a colour',
  padded:
    'the image ends inside the tile: gdalwarp averages it with an empty margin, since it weights the outermost pixels by more than 1',
  aligned: 'the image ends between pixels: averages next to it do not count, since they are rounding noise',
  local:
    'the scale varies within the tile: gdalwarp runs cell by cell, since one kernel for the whole tile blurs most of it',
}

/** The same for all tiles of a file whose datum PROJ would shift differently. */
export const datumExplanation = 'the datum is shifted by parameters: gdalwarp gets ours, since PROJ has others'

/**
 * JPEG tiles are decoded with the fast transform, which allows these additional steps for this share of the samples. For
 * windows, statistics and copies JPEG is decoded exactly.
 */
export const lossyTiles = { steps: 3, share: 0.995 } as const

/** Relative tolerance of minimum, maximum, mean and standard deviation. */
export const statistics_share = 1e-9

/** Tolerance in levels of the mean of two by two pixels. */
export const overview_steps = 1
