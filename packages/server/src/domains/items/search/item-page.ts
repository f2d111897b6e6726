import { createSerializedJson, type SerializedJson } from '../../../engine/operation-response.ts'
import type { Call } from '../../../engine/call.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { toItem } from '../item.ts'
import {
  sumRowBytes,
  countRowsWithinBytes,
  defaultPageByteLimits,
  splitRowsByBytes,
  type PageByteLimits,
} from './page-size.ts'
import { findItemsWithLargeColumns, type ItemRow, type ItemIdWithSize, type ItemRowWithSize } from '../store.ts'

/**
 * A response with a page of items under a name: a plain value, or, if large, JSON text that is read in parts after memory
 * was reserved; reading stops if the caller disconnects. The page ends early if its items are too large.
 */
export async function createItemPageResponse<Name extends string, PageMembers extends object>(
  call: Pick<Call, 'db' | 'reserveResponseBytes' | 'signal'>,
  name: Name,
  {
    page,
    pageMembers,
    sizes = defaultPageByteLimits,
  }: {
    readonly page: readonly ItemRowWithSize[]
    readonly pageMembers: (returned: number) => PageMembers
    readonly sizes?: PageByteLimits
  },
): Promise<({ [name in Name]: Item[] } & PageMembers) | SerializedJson> {
  if (page.every((row) => row.whole)) {
    const items = { [name]: page.map((row) => toItem(toItemRow(row))) } as { [name in Name]: Item[] }
    return { ...items, ...pageMembers(page.length) }
  }
  const fittingRows = page.slice(0, countRowsWithinBytes(page, sizes.max_bytes))
  call.reserveResponseBytes(sumRowBytes(fittingRows))
  const texts: string[] = []
  for (const part of splitRowsByBytes(fittingRows, sizes.part_bytes)) {
    call.signal.throwIfAborted()
    for (const row of await readWholeRows(call.db, part)) texts.push(JSON.stringify(toItem(row)))
  }
  const rest = JSON.stringify(pageMembers(fittingRows.length)).slice(1)
  return createSerializedJson(`{${JSON.stringify(name)}:[`, { texts }, `],${rest}`)
}

/** Rows of a page, cut short if they are too large to be read at once. */
export async function readItemRowsWithinLimit(
  db: SqlStatementRunner,
  page: readonly ItemRowWithSize[],
  { part_bytes }: PageByteLimits = defaultPageByteLimits,
): Promise<ItemRow[]> {
  return page.every((row) => row.whole) ? page.map(toItemRow) : readFirstItems(db, page, part_bytes)
}

/** The first of some items, as many as can be read at once. */
export const readFirstItems = (
  db: SqlStatementRunner,
  ids: readonly ItemIdWithSize[],
  max_bytes: number = defaultPageByteLimits.part_bytes,
): Promise<ItemRow[]> => readWholeRows(db, ids.slice(0, countRowsWithinBytes(ids, max_bytes)))

/** Reads rows in this order, without concurrently deleted ones. Pages of operators may have several organizations. */
async function readWholeRows(db: SqlStatementRunner, rows: readonly ItemIdWithSize[]): Promise<ItemRow[]> {
  const found = new Map<string, ItemRow>()
  for (const [organization, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const ids = own.map(({ id }) => id)
    for (const row of await findItemsWithLargeColumns(db, organization, ids)) found.set(row.id, row)
  }
  return rows.flatMap(({ id }) => found.get(id) ?? [])
}

function toItemRow(row: ItemRowWithSize): ItemRow {
  const { organization_id: _, bytes: __, whole: ___, ...item } = row
  return item
}
