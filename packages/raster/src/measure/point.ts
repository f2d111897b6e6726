import { applyAffine, invertAffine } from '@swath/geo/affine.ts'
import { fromLonLat } from '../crs/crs.ts'
import { lonLatExtent, unwrapAfter } from '../crs/extent.ts'
import { RasterFailure } from '../failures.ts'
import { readWindow } from '../tiff/read.ts'
import type { Raster } from '../types.ts'

/**
 * The samples of the full picture at a place on the earth, one a band; null where there is no valid pixel. Failures:
 * `outside` where the picture does not reach, `no_georeference`, `request`, and those of readWindow.
 */
export async function readPoint(
  raster: Raster,
  longitude: number,
  latitude: number,
  options: { bands?: readonly number[]; signal?: AbortSignal } = {},
): Promise<number[] | null> {
  if (!raster.georeferenced) throw new RasterFailure('no_georeference', 'the file does not say where its pixels lie')
  const { west, east } = lonLatExtent(raster)
  const turned = raster.crs.geographic ? unwrapAfter((west + east) / 2, longitude) : longitude
  const place = fromLonLat(raster.crs, turned, latitude)
  const [column, row] = applyAffine(invertAffine(raster.affine)!, ...place).map(Math.floor) as [number, number]
  if (!(column >= 0 && row >= 0 && column < raster.width && row < raster.height)) {
    throw new RasterFailure('outside', 'the picture does not reach this place')
  }
  const { data, mask } = await readWindow(raster, {
    window: [column, row, column + 1, row + 1],
    bands: options.bands,
    signal: options.signal,
  })
  return mask[0] === 0 ? null : Array.from(data)
}
