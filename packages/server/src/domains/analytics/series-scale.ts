import type { Call } from '../../engine/call.ts'
import { chooseRasterAsset } from '../items/access.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import { findAssetsByItem, type AssetRow } from '../items/assets/store.assets.ts'
import type { ItemRow } from '../items/store.ts'
import { isProblemOfItem } from './series-items.ts'
import { findMeasuredTarget, type MeasuredValueParams } from './measured-value.ts'

/**
 * The parameters of a series whose values can be compared: where nothing says whether scale and offset are applied, they are if the
 * measured bands of its items have different ones.
 */
export async function withComparableScale<Params extends MeasuredValueParams>(
  call: Call,
  items: readonly ItemRow[],
  params: Params,
): Promise<Params> {
  if (typeof params.scaled === 'boolean' || params.index_name) return params
  const ids = items.map(({ id }) => id)
  const assets = await findAssetsByItem(call.db, call.organization, ids)
  const scales = items.map((item) => findMeasuredScales(item, assets.get(item.id) ?? [], params))
  const found = new Set(scales.filter((one) => one !== null))
  return found.size > 1 ? { ...params, scaled: true } : params
}

/** Scale and offset of the bands that are measured, as text; null for an item that cannot be measured. */
function findMeasuredScales(item: ItemRow, assets: readonly AssetRow[], params: MeasuredValueParams): string | null {
  try {
    const asset = chooseRasterAsset(assets, params.asset_key ?? null)
    const bands = applyCurrentBandNames(asset)
    const { bands: measured } = findMeasuredTarget(item, bands, params)
    return measured.map((band) => `${bands[band]!.scale} ${bands[band]!.offset}`).join()
  } catch (error) {
    if (isProblemOfItem(error)) return null
    throw error
  }
}
