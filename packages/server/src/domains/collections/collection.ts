import type { Collection } from '@swath/contract/shapes/collection.ts'
import type { CollectionRow } from './store.ts'

/** A collection as callers see it: the row with its times as text. */
export const collectionOf = (row: CollectionRow): Collection => ({
  ...row,
  deleted_at: row.deleted_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
