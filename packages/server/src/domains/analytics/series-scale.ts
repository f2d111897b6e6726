import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireRasterAsset } from '../items/access.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import type { ItemRow } from '../items/store.ts'
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
  const found = new Set<string>()
  for (const item of items) {
    const scales = await findMeasuredScales(call, item, params)
    if (scales !== null) found.add(scales)
  }
  return found.size > 1 ? { ...params, scaled: true } : params
}

/** Scale and offset of the bands that are measured, as text; null for an item that cannot be measured. */
async function findMeasuredScales(call: Call, item: ItemRow, params: MeasuredValueParams): Promise<string | null> {
  try {
    const asset = await requireRasterAsset(call, item, params.asset_key ?? null)
    const bands = applyCurrentBandNames(asset)
    const { bands: measured } = findMeasuredTarget(item, bands, params)
    return measured.map((band) => `${bands[band]!.scale} ${bands[band]!.offset}`).join()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
