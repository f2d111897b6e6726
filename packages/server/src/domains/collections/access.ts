import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { requireProject } from '../projects/access.ts'
import { findCollection, type CollectionRow } from './store.ts'

export const missingCollection = (id: string): Problem => new Problem('not-found', `No collection has the id "${id}".`)

/**
 * The collection, when the caller may do what it needs in the collection's project. 404 `not-found`, also where the
 * collection lies in another project than the one named; otherwise what the project refuses.
 */
export async function requireCollection(
  call: Call,
  id: string,
  need: 'read' | 'write',
  project_id: string | null = null,
): Promise<CollectionRow> {
  if (project_id !== null) await requireProject(call, project_id, need)
  const row = await collectionIn(call.db, call.organization, id, project_id)
  if (project_id === null) await requireProject(call, row.project_id, need)
  return row
}

/** The collection by id, in the project when one is named. Checks nobody's rights. */
export async function collectionIn(
  db: Queryable,
  organization: string,
  id: string,
  project_id: string | null,
  lock = false,
): Promise<CollectionRow> {
  const row = await findCollection(db, organization, id, lock)
  if (!row || (project_id !== null && row.project_id !== project_id)) throw missingCollection(id)
  return row
}
