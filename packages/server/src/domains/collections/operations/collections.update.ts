import { collectionsUpdateOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { replaceUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireProject } from '../../projects/access.ts'
import { requireCollectionInProject, collectionNotFound } from '../access.ts'
import { toCollection } from '../collection.ts'
import { updateCollection } from '../store.ts'

export const handler = defineHandler(collectionsUpdateOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  const changed = call.transaction(async (tx) => {
    const before = await requireCollectionInProject(tx, {
      organization: call.organization,
      id: input.collection_id,
      project_id: input.project_id,
      lock: true,
    })
    const row = await updateCollection(tx, call.organization, before.id, {
      name: input.name ?? before.name,
      description: input.description === undefined ? before.description : input.description,
      color: input.color === undefined ? before.color : input.color,
      show_on_map: input.show_on_map ?? before.show_on_map,
      layer_order: input.layer_order ?? before.layer_order,
      updated_at: call.clock.now(),
    })
    if (!row) throw collectionNotFound(input.collection_id)

    await emitEvent(tx, call, {
      kind: 'collection.updated',
      entity_type: 'collection',
      entity_id: row.id,
      data: { project_id: row.project_id, name: row.name },
    })
    return toCollection(row)
  })
  return replaceUniqueViolation(
    changed,
    () => new Problem('name-taken', `The project already has a collection named "${input.name}".`),
  )
})
