import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { requireProject } from '../projects/access.ts'
import { findCollection, type CollectionRow } from './store.ts'

export const collectionNotFound = (id: string): Problem => new Problem('not-found', `No collection has the id "${id}".`)

/**
 * The collection, if the caller has the permission in its project. Throws `not-found`, also if the collection is not in
 * that project; otherwise throws what `requireProject` throws.
 */
export async function requireCollection(
  call: Call,
  id: string,
  permission: 'read' | 'write',
  project_id: string | null = null,
): Promise<CollectionRow> {
  if (project_id !== null) await requireProject(call, project_id, permission)
  const row = await requireCollectionInProject(call.db, { organization: call.organization, id, project_id })
  if (project_id === null) await requireProject(call, row.project_id, permission)
  return row
}

/** The collection by id, in the project if one is passed. Checks no permissions. */
export async function requireCollectionInProject(
  db: SqlStatementRunner,
  {
    organization,
    id,
    project_id,
    lock = false,
  }: {
    readonly organization: string
    readonly id: string
    readonly project_id: string | null
    readonly lock?: boolean
  },
): Promise<CollectionRow> {
  const row = await findCollection(db, organization, id, lock)
  if (!row || (project_id !== null && row.project_id !== project_id)) throw collectionNotFound(id)
  return row
}
