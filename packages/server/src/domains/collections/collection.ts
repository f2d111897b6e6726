import type { Collection } from '@swath/contract/schemas/collection.ts'
import type { CollectionRow } from './store.ts'

/** Converts a row to the API representation: timestamps as ISO 8601 text. */
export const toCollection = (row: CollectionRow): Collection => ({
  ...row,
  deleted_at: row.deleted_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
