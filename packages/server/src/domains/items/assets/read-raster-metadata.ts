import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { computeLonLatBounds, toProjjson, type BandStatistics, type Raster } from '@swath/raster'
import { listPaletteClasses } from './classes.ts'
import type { RasterClass } from '../../../platform/integrations/classification-classes.ts'
import { takeUniqueName, type TakenNames } from '../../../engine/input/unique-name.ts'
import type { RasterBandMetadata, RasterMetadata } from './raster-metadata.ts'

/** Band names from the supplier of a file. */
export interface BandNameOverride {
  readonly name: string | null
  readonly common_name: string | null
  readonly classes?: readonly RasterClass[]
}

const toJsonNumber = (value: number): number | 'nan' | 'inf' | '-inf' =>
  Number.isNaN(value) ? 'nan' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value

/**
 * The metadata of an opened raster. Names and statistics passed here (in band order; the COG writer's `CogResult` has
 * percentiles that files lack) override those of the file. Throws a `RasterFailure` (`no_georeference`) for a file
 * without georeferencing.
 */
export function readRasterMetadata(
  raster: Raster,
  overrides: readonly BandNameOverride[] = [],
  statistics: readonly BandStatistics[] = [],
): RasterMetadata {
  const [a, b, c, d, e, f] = raster.affine
  const corners = [
    [0, 0],
    [raster.width, 0],
    [0, raster.height],
    [raster.width, raster.height],
  ].map(([column, row]) => [a + b * column! + c * row!, d + e * column! + f * row!] as const)
  return {
    width: raster.width,
    height: raster.height,
    data_type: raster.sampleType,
    nodata: raster.nodata === null ? null : toJsonNumber(raster.nodata),
    epsg: raster.crs.epsg,
    crs_name: raster.crs.name,
    projjson: raster.crs.epsg === null ? toProjjson(raster.crs) : null,
    transform: [b, c, a, e, f, d],
    box: coordinateExtent(corners),
    bounds: [...computeLonLatBounds(raster)],
    overviews: raster.levels.length - 1,
    bands: readBandMetadata(raster, overrides, statistics),
  }
}

/**
 * The bands of an opened raster; names and statistics passed here override those of the file. Of two bands of one name the second
 * gets a number, so that a formula can name each.
 */
export const readBandMetadata = (
  raster: Raster,
  overrides: readonly BandNameOverride[] = [],
  statistics: readonly BandStatistics[] = [],
): RasterBandMetadata[] => {
  const taken: TakenNames = new Map()
  return raster.bands.map((band, index) => {
    const measured = statistics[index] ?? band.statistics
    const classes = overrides[index]?.classes ?? listPaletteClasses(raster, measured)
    const name = overrides[index]?.name ?? band.name
    return {
      name: name === null ? null : takeUniqueName(name, taken),
      common_name: overrides[index]?.common_name ?? null,
      colour: band.colour,
      scale: band.scale,
      offset: band.offset,
      statistics: measured,
      ...(classes ? { classes, categorical: true } : {}),
    }
  })
}
