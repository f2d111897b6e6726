import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { monotonic_ms } from '../../platform/clock.ts'
import { requireCollection } from '../collections/access.ts'
import { requireItem } from '../items/access.ts'
import type { TimeInterval } from '../items/datetime.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import { parseSearchInterval } from '../items/search/search.ts'
import type { ItemRow } from '../items/store.ts'
import { listItemsOfCollection } from './store.items.ts'

/** The items of a series: exactly one of the first three is set. */
export interface SeriesItemsParams {
  readonly item_ids?: readonly string[] | null
  readonly item_id?: string | null
  readonly collection_id?: string | null
  readonly datetime?: string | null
}

const max_items = 100

/**
 * The items of a series that the caller may read, newest first: those named, or the newest hundred of a collection. Throws
 * `validation` unless exactly one of the parameters names items, and what `requireItem` and `requireCollection` throw.
 */
export async function listSeriesItems(call: Call, params: SeriesItemsParams): Promise<ItemRow[]> {
  const { item_ids, item_id, collection_id } = params
  const given = [item_ids, item_id, collection_id].filter((value) => value !== null && value !== undefined)
  if (given.length !== 1)
    throw validationProblem([{ path: 'item_ids', message: 'name items by one of item_ids, item_id and collection_id' }])
  const interval = parseInterval(params.datetime)
  const named = [...new Set(item_ids ?? (item_id ? [item_id] : []))]
  const items: ItemRow[] = []
  for (const id of named) items.push(await requireItem(call, id, 'read'))
  if (item_ids) return items.filter((item) => isWithin(item, interval)).toSorted(newestFirst)
  const collection = item_id ? items[0]!.collection_id : (await requireCollection(call, collection_id!, 'read')).id
  if (collection === null) return items.filter((item) => isWithin(item, interval))
  const scope = { collection, now: call.clock.now(), ...interval, limit: max_items }
  const ids = await listItemsOfCollection(call.db, call.organization, scope)
  return Promise.all(ids.map((id) => requireItem(call, id, 'read')))
}

function parseInterval(datetime: string | null | undefined): TimeInterval {
  const errors: { path: string; message: string }[] = []
  const interval = parseSearchInterval(datetime, errors)
  if (errors.length > 0) throw validationProblem(errors)
  return interval
}

/** The acquisition time of an item: its start, for one that covers an interval; null if it is unknown. */
const getAcquisitionTime = ({ datetime, start_datetime }: ItemRow): Date | null => datetime ?? start_datetime

/** Items without a time are the oldest, as in searches. */
const acquisition_ms = (item: ItemRow): number => getAcquisitionTime(item)?.getTime() ?? -Infinity

const newestFirst = (a: ItemRow, b: ItemRow): number =>
  acquisition_ms(a) === acquisition_ms(b) ? 0 : acquisition_ms(b) - acquisition_ms(a)

const isWithin = (item: ItemRow, { from, to }: TimeInterval): boolean =>
  (from === null || acquisition_ms(item) >= from.getTime()) && (to === null || acquisition_ms(item) <= to.getTime())

export interface ItemSeries<Value> {
  /** Oldest first. */
  readonly series: ({ item_id: string; datetime: string } & Value)[]
  readonly skipped: { item_id: string; reason: string }[]
  readonly truncated: boolean
}

/** No item is begun later than this after the start. */
const max_ms = rasterReadLimits.measurement.ms
/** Problems that say nothing about the item. */
const generalProblems = new Set(['rate-limited', 'unavailable'])

/** True for what is wrong with one item, which a series leaves out. */
export const isProblemOfItem = (error: unknown): error is Problem =>
  error instanceof Problem && !generalProblems.has(error.problem)

/** Measures items one after the other, newest first, as long as time suffices. An item that cannot be measured is skipped. */
export async function measureItemSeries<Value extends object>(
  newestFirstItems: readonly ItemRow[],
  measure: (item: ItemRow) => Promise<Value>,
): Promise<ItemSeries<Value>> {
  const end_ms = monotonic_ms() + max_ms
  const measured: ItemSeries<Value>['series'] = []
  const skipped: ItemSeries<Value>['skipped'] = []
  for (const item of newestFirstItems) {
    if (monotonic_ms() > end_ms) break
    const time = getAcquisitionTime(item)
    if (time === null) {
      skipped.push({ item_id: item.id, reason: 'The item does not say when it was taken. Set its time.' })
      continue
    }
    try {
      measured.push({ item_id: item.id, datetime: time.toISOString(), ...(await measure(item)) })
    } catch (error) {
      if (!isProblemOfItem(error)) throw error
      skipped.push({ item_id: item.id, reason: error.message })
    }
  }
  const truncated = measured.length + skipped.length < newestFirstItems.length
  return { series: measured.toReversed(), skipped: skipped.toReversed(), truncated }
}
