import { collectionsCreateOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireProject } from '../../projects/access.ts'
import { toCollection } from '../collection.ts'
import { insertCollection } from '../store.ts'

export const handler = defineHandler(collectionsCreateOperation, async (call, input) => {
  await requireProject(call, input.project_id, 'write')

  return call.transaction(async (tx) => {
    const row = await insertCollection(tx, {
      organization_id: call.organization,
      id: newId(),
      project_id: input.project_id,
      name: input.name,
      description: input.description ?? null,
      color: input.color ?? null,
      show_on_map: input.show_on_map,
      layer_order: input.layer_order,
      auto_created: false,
      source_type: null,
      source_id: null,
      created_by: call.principal.id,
      created_at: call.clock.now(),
    })
    if (!row) throw new Problem('name-taken', `The project already has a collection named "${input.name}".`)

    await emitEvent(tx, call, {
      kind: 'collection.created',
      entity_type: 'collection',
      entity_id: row.id,
      data: { project_id: row.project_id, name: row.name },
    })
    return toCollection(row)
  })
})
