import type { Raster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { rasterOf } from '../items/asset-source.ts'
import { openBudget, type ReadKind } from '../items/read-limits.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import type { ItemRow } from '../items/store.ts'
import { withProblems } from './failures.ts'
import { pictureOfItem, type AskedPicture } from './item-picture.ts'
import { readSubject, subjectOfLook, type Subject } from './subject.ts'

/** The raster of an item that is measured, and its bands or expression. */
export interface MeasuredItem {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  readonly subject: Subject
}

/**
 * Resolves what is measured of an item that the caller may read: the expression or bands, else what the named profile
 * renders, else every band of the default asset. Throws what `resolveItemRendering` throws.
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
