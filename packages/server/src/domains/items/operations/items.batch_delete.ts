import { itemsBatchDeleteOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { itemNotFound } from '../access.ts'
import { toBatchItemRefusal, type BatchItemRefusal } from '../refusal.ts'
import { findItems } from '../store.ts'
import { softDeleteItems } from '../soft-delete.ts'

export const handler = defineHandler(itemsBatchDeleteOperation, async (call, input) => {
  const requestedIds = [...new Set(input.item_ids.map((id) => id.toLowerCase()))]
  const rows = new Map((await findItems(call.db, call.organization, requestedIds)).map((row) => [row.id, row]))
  const refusals = new Map<string, BatchItemRefusal>()
  const deniedProjects = new Map<string, Problem>()
  for (const project_id of new Set([...rows.values()].map((row) => row.project_id))) {
    try {
      await requireProject(call, project_id, 'write')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      deniedProjects.set(project_id, error)
    }
  }
  for (const id of requestedIds) {
    const row = rows.get(id)
    const problem = !row || row.deleted_at !== null ? itemNotFound(id) : deniedProjects.get(row.project_id)
    if (problem) refusals.set(id, toBatchItemRefusal(problem))
  }
  const deletableIds = requestedIds.filter((id) => !refusals.has(id))
  const deletedIds = await call.transaction(async (tx) => {
    for (const project_id of new Set(deletableIds.map((id) => rows.get(id)!.project_id))) {
      await lockOpenProject(tx, call, project_id)
    }
    return new Set((await softDeleteItems(tx, call, deletableIds)).map((item) => item.id))
  })
  const results = input.item_ids.map((requestedId) => {
    const id = requestedId.toLowerCase()
    const refusal = refusals.get(id) ?? (deletedIds.has(id) ? null : toBatchItemRefusal(itemNotFound(id)))
    return { item_id: requestedId, deleted: refusal === null, refusal }
  })
  const refused = results.filter((result) => !result.deleted).length
  return { deleted: results.length - refused, refused, results }
})
