import { itemsSetAssetBandNames } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { requireAsset, requireItem } from './access.ts'
import { announceItem } from './announce.ts'
import { assetOfLocked, describeAssets, lockForAssets } from './asset-change.ts'
import { setBandNames } from './store.asset-life.ts'
import type { AssetRow } from './store.assets.ts'

export const nameAssetBands = handler(itemsSetAssetBandNames, async (call, input) => {
  const found = await requireItem(call, input.item_id, 'write')
  const { id } = await requireAsset(call, found, input.asset_id)
  await call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, found.project_id)
    const item = await lockForAssets(tx, call, found.id)
    const asset = await assetOfLocked(tx, call, item.id, id)
    const faults = faultsOf(input.band_names, bandCountOf(asset))
    if (faults.length > 0) throw validationProblem(faults)
    await setBandNames(tx, call.organization, id, input.band_names, call.clock.now())
    await describeAssets(tx, call, item)
    await announceItem(tx, call, 'item.updated', item, { asset_id: id, asset_key: asset.key, changed: ['band_names'] })
  })
  return { id }
})

/** Number of bands of an asset; null if unknown. */
function bandCountOf({ raster, stac }: AssetRow): number | null {
  if (raster) return raster.bands.length
  const bands = stac['eo:bands'] ?? stac['raster:bands']
  return Array.isArray(bands) ? bands.length : null
}

/** One unique name per band, because formulas and profiles refer to bands by name. */
function faultsOf(names: readonly string[], bands: number | null): Fault[] {
  if (bands !== null && names.length !== bands) {
    return [{ path: 'band_names', message: `has ${names.length} names for ${bands} bands` }]
  }
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ path: `band_names.${index}`, message: 'is already the name of another band' }]
      : [],
  )
}
