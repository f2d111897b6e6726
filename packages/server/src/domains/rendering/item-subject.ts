import type { Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { rasterOf } from '../items/asset-source.ts'
import { openBudget, type ReadKind } from '../items/read-limits.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import type { ItemRow } from '../items/store.ts'
import { withProblems } from './failures.ts'
import { pictureOfItem, type AskedPicture } from './item-picture.ts'
import { readSubject, subjectOfLook, type Subject } from './subject.ts'

/** What of an item is measured. */
export interface MeasuredItem {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  readonly subject: Subject
}

/**
 * What a caller wants to measure of an item that it may read: the expression or bands, else what the named profile draws,
 * else every band of the asset that is drawn without a word. Throws what `pictureOfItem` throws.
 */
export async function measuredItem(
  call: Call,
  item: ItemRow,
  asked: AskedPicture,
  kind: ReadKind,
): Promise<MeasuredItem> {
  const { profile, asset_key } = asked
  const { asset, bands, look } = await pictureOfItem(call, item, { profile, asset_key })
  const isNamed = profile && !asked.expression && !asked.bands
  const subject = isNamed ? subjectOfLook(look) : readSubject(asked, bands)
  return { raster: await withProblems(() => rasterOf(call, asset, openBudget(kind))), bands, subject }
}
