import type { StacCollection } from '@swath/contract/schemas/stac.ts'
import { validationProblem } from '../../engine/problem.ts'
import { parseStrictTimeInterval, type TimeInterval } from '../items/datetime.ts'
import { splitBboxAtAntimeridian } from '../items/search/search.ts'
import { createFreeTextTest, parseFreeText } from './free-text.ts'
import { toFlatBbox } from './read-api-search.ts'

interface CollectionSearchInput {
  readonly bbox?: readonly number[] | null
  readonly datetime?: string | null
  readonly q?: readonly string[] | string | null
}

/**
 * The collections whose extent intersects a box and a time and that have a text, as the collection search extension defines it.
 * Throws `validation` for an invalid time.
 */
export function searchCollections(
  collections: readonly StacCollection[],
  { bbox, datetime, q }: CollectionSearchInput,
): StacCollection[] {
  const interval = datetime ? parseStrictTimeInterval(datetime) : { from: null, to: null }
  if (typeof interval === 'string') throw validationProblem([{ path: 'datetime', message: interval }])
  const boxes = bbox ? splitBboxAtAntimeridian(toFlatBbox(bbox)) : null
  const texts = parseFreeText(q)
  const hasText = texts === null ? null : createFreeTextTest(texts)
  return collections.filter(
    ({ extent, title, description }) =>
      (boxes === null || boxes.some((box) => overlaps(box, extent.spatial.bbox[0]!))) &&
      overlapsInterval(interval, extent.temporal.interval[0]!) &&
      (hasText === null || hasText([title, description])),
  )
}

const overlaps = (box: readonly number[], extent: readonly number[]): boolean =>
  box[0]! <= extent[2]! && box[2]! >= extent[0]! && box[1]! <= extent[3]! && box[3]! >= extent[1]!

/** An open end of either reaches everything. */
const overlapsInterval = ({ from, to }: TimeInterval, [start, end]: readonly (string | null)[]): boolean =>
  !(from && end && Date.parse(end) < from.getTime()) && !(to && start && Date.parse(start) > to.getTime())
