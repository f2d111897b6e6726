import type { OutputOf } from '@swath/client/operations.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { formatPercent } from '../../ui/format.ts'
import type { PartInArea } from './cover.ts'

/** `Covers 87 % of the area · at most 12 % cloud in it`; in a row of a list `Covers 87 % · at most 12 % cloud in it`. */
export function describePart({ covered, cloud }: PartInArea, { isShort = false } = {}): string {
  const cover = exploreTexts[isShort ? 'coversShort' : 'covers'](formatPercent(covered))
  if (!cloud) return cover
  // Rounded away from what would promise too much.
  return `${cover} · ${exploreTexts.cloudInArea(Math.floor(cloud[0]), Math.ceil(cloud[1]))}`
}

type AreaScore = OutputOf<'catalog.aoi_score'>['scores'][number]

type DescribedScore = Pick<AreaScore, 'cloud_percent' | 'source' | 'reason'>

/** The cloud that was measured in the area, as `13 %, from the cloud mask`, or why it was not; null without pixels. */
export function describeScore({ cloud_percent, source, reason }: DescribedScore): string | null {
  if (source === null) return reason === null ? null : exploreTexts.cloudNotMeasured(reason)
  // Rounded up, so that it does not promise too much.
  return cloud_percent === null ? null : exploreTexts.cloudMeasured[source](formatPercent(Math.ceil(cloud_percent)))
}
