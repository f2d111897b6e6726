import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { replaceUniqueViolation } from '../../platform/database/unique-violation.ts'
import { collectionNotFound, requireCollectionInProject } from '../collections/access.ts'
import { deleteCollection } from '../collections/store.ts'
import { emitEventsOfMovedItems } from '../items/moved-items.ts'
import { requireProject } from '../projects/access.ts'
import { markEntityDeleted } from '../provenance/record-provenance.ts'

const idTakenOutside =
  'An item of the collection has the STAC id of an item of the project that is in no collection. Move or delete one of them first.'

/**
 * Deletes a collection of a project: its items stay and belong to none, and each of them has an event. Throws `not-found`,
 * `invalid-state` if one of them has the STAC id of an item that is in none, and what `requireProject` throws.
 */
export async function deleteCollectionOfProject(
  call: Call,
  { project_id, collection_id }: { readonly project_id: string; readonly collection_id: string },
): Promise<{ ok: boolean; id: string }> {
  await requireProject(call, project_id, 'write')
  const { organization } = call
  const deleted = call.transaction(async (tx) => {
    const { id } = await requireCollectionInProject(tx, { organization, id: collection_id, project_id, lock: true })
    if (!(await deleteCollection(tx, organization, id, call.clock.now()))) throw collectionNotFound(id)
    await markEntityDeleted(tx, call, { type: 'collection', id })
    await emitEventsOfMovedItems(tx, call, id)
    return { ok: true, id }
  })
  return replaceUniqueViolation(deleted, () => new Problem('invalid-state', idTakenOutside))
}
