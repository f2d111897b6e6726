import { assertInvariant } from '../../../engine/problem.ts'
import { readStacClasses } from './classes.ts'
import type { RasterBandMetadata } from './raster-metadata.ts'
import { eoCommonNames } from '../stac/stac-asset.ts'
import type { AssetRow } from './store.assets.ts'

/**
 * The bands of a raster asset with their current names, which may have been set after the file was stored: a band that was
 * renamed to `nir` gets that common name. Classes of its STAC asset are those of the band.
 */
export function applyCurrentBandNames(asset: AssetRow): RasterBandMetadata[] {
  assertInvariant(asset.raster !== null, 'only a raster has bands')
  const { bands } = asset.raster
  return bands.map((band, index) => {
    const name = asset.band_names[index] ?? band.name
    const classes = readStacClasses(asset.stac, index, bands.length)
    return {
      ...band,
      ...(classes ? { classes, categorical: true } : {}),
      name,
      common_name: name !== null && eoCommonNames.has(name) ? name : band.common_name,
    }
  })
}
