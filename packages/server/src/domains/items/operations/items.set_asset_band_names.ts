import { itemsSetAssetBandNamesOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem, type FieldError } from '../../../engine/problem.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { requireAsset, requireItem } from '../access.ts'
import { emitItemEvent } from '../item-events.ts'
import { requireAssetOfLockedItem, updateStacAssets, lockItemForAssetChange } from '../assets/asset-change.ts'
import { updateBandNames } from '../assets/store.asset-lifecycle.ts'
import type { AssetRow } from '../assets/store.assets.ts'

export const handler = defineHandler(itemsSetAssetBandNamesOperation, async (call, input) => {
  const readableItem = await requireItem(call, input.item_id, 'write')
  const { id } = await requireAsset(call, readableItem, input.asset_id)
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, readableItem.project_id)
    const item = await lockItemForAssetChange(tx, call, readableItem.id)
    const asset = await requireAssetOfLockedItem(tx, call, item.id, id)
    const errors = bandNameErrors(input.band_names, countBands(asset))
    if (errors.length > 0) throw validationProblem(errors)
    await updateBandNames(tx, {
      organization: call.organization,
      id,
      band_names: input.band_names,
      now: call.clock.now(),
    })
    await updateStacAssets(tx, call, item)
    await emitItemEvent(tx, call, {
      kind: 'item.updated',
      item,
      extraData: { asset_id: id, asset_key: asset.key, changed: ['band_names'] },
    })
  })
  return { id }
})

/** Number of bands of an asset; null if unknown. */
function countBands({ raster, stac }: AssetRow): number | null {
  if (raster) return raster.bands.length
  const bands = stac['eo:bands'] ?? stac['raster:bands']
  return Array.isArray(bands) ? bands.length : null
}

/** One unique name per band, because formulas and profiles refer to bands by name. */
function bandNameErrors(names: readonly string[], bands: number | null): FieldError[] {
  if (bands !== null && names.length !== bands) {
    return [{ path: 'band_names', message: `has ${names.length} names for ${bands} bands` }]
  }
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ path: `band_names.${index}`, message: 'is already the name of another band' }]
      : [],
  )
}
