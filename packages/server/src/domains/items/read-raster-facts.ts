import { boxAround } from '@swath/geo/bbox.ts'
import { lonLatBounds, type BandStatistics, type Raster } from '@swath/raster'
import { projjsonOf } from './projjson.ts'
import type { BandFacts, RasterFacts } from './raster-facts.ts'

/** What the giver of a file knows of its bands, in band order. */
export interface NamedBand {
  readonly name: string | null
  readonly common_name: string | null
}

const textOfNumber = (value: number): number | 'nan' | 'inf' | '-inf' =>
  Number.isNaN(value) ? 'nan' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value

/**
 * The facts of an opened raster. Names and statistics given here (in band order; the writer's `CogResult` has
 * percentiles that no file carries) win over those in the file. Throws a `RasterFailure` (`no_georeference`) where the
 * file does not say where it lies.
 */
export function rasterFactsOf(
  raster: Raster,
  named: readonly NamedBand[] = [],
  statistics: readonly BandStatistics[] = [],
): RasterFacts {
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
    nodata: raster.nodata === null ? null : textOfNumber(raster.nodata),
    epsg: raster.crs.epsg,
    crs_name: raster.crs.name,
    projjson: raster.crs.epsg === null ? projjsonOf(raster.crs) : null,
    transform: [b, c, a, e, f, d],
    box: boxAround(corners),
    bounds: [...lonLatBounds(raster)],
    overviews: raster.levels.length - 1,
    bands: bandFactsOf(raster, named, statistics),
  }
}

/** The bands of an opened raster; names and statistics given here win over those in the file. */
export const bandFactsOf = (
  raster: Raster,
  named: readonly NamedBand[] = [],
  statistics: readonly BandStatistics[] = [],
): BandFacts[] =>
  raster.bands.map((band, index) => ({
    name: named[index]?.name ?? band.name,
    common_name: named[index]?.common_name ?? null,
    colour: band.colour,
    scale: band.scale,
    offset: band.offset,
    statistics: statistics[index] ?? band.statistics,
  }))
