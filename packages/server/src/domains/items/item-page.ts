import { written, type WrittenAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Item } from '@swath/contract/shapes/item.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { itemOf } from './item.ts'
import { bytesOf, countFitting, pageSizes, partsOf, type PageSizes } from './page-size.ts'
import { findPageRows, type ItemRow, type MeasuredRow } from './store.ts'

/** Offset of the next page; null if there is none. */
export const nextOffset = (offset: number, returned: number, total: number): number | null =>
  returned > 0 && offset + returned < total ? offset + returned : null

/**
 * A response with a page of items under a name: a plain value, or, if large, JSON text that is read in parts after memory
 * was reserved; reading stops if the caller disconnects. The page ends early if its items are too large.
 */
export async function answerItems<Name extends string, Around extends object>(
  call: Pick<Call, 'db' | 'reserve' | 'signal'>,
  page: readonly MeasuredRow[],
  name: Name,
  around: (returned: number) => Around,
  sizes: PageSizes = pageSizes,
): Promise<({ [name in Name]: Item[] } & Around) | WrittenAnswer> {
  if (page.every((row) => row.whole)) {
    const items = { [name]: page.map((row) => itemOf(plain(row))) } as { [name in Name]: Item[] }
    return { ...items, ...around(page.length) }
  }
  const fitting = page.slice(0, countFitting(page, sizes.longest_bytes))
  call.reserve(bytesOf(fitting))
  const texts: string[] = []
  for (const part of partsOf(fitting, sizes.part_bytes)) {
    call.signal.throwIfAborted()
    for (const row of await wholeRows(call.db, part)) texts.push(JSON.stringify(itemOf(row)))
  }
  const rest = JSON.stringify(around(fitting.length)).slice(1)
  return written(`{${JSON.stringify(name)}:[`, { texts }, `],${rest}`)
}

/** Rows of a page, cut short if they are too large to be read at once. */
export async function firstRows(
  db: Queryable,
  page: readonly MeasuredRow[],
  { part_bytes }: PageSizes = pageSizes,
): Promise<ItemRow[]> {
  if (page.every((row) => row.whole)) return page.map(plain)
  return wholeRows(db, page.slice(0, countFitting(page, part_bytes)))
}

/** In order; concurrently deleted rows are omitted. */
async function wholeRows(db: Queryable, rows: readonly MeasuredRow[]): Promise<ItemRow[]> {
  const found = new Map((await findPageRows(db, rows)).map((row) => [row.id, row]))
  return rows.flatMap(({ id }) => found.get(id) ?? [])
}

function plain(row: MeasuredRow): ItemRow {
  const { organization_id: _, bytes: __, whole: ___, ...item } = row
  return item
}
