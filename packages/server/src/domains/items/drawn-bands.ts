import { invariant } from '../../engine/problem.ts'
import type { BandFacts } from './raster-facts.ts'
import type { AssetRow } from './store.assets.ts'

/** The bands of a raster asset under the names they go by today, which may have been set after the file was stored. */
export function drawnBands(asset: AssetRow): BandFacts[] {
  invariant(asset.raster !== null, 'only a raster has bands')
  return asset.raster.bands.map((band, index) => ({ ...band, name: asset.band_names[index] ?? band.name }))
}
