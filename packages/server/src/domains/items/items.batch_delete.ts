import { itemsBatchDelete } from '@swath/contract/operations/items.life.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { missingItem } from './access.ts'
import { refusalOf, type Refusal } from './refusal.ts'
import { findItems } from './store.ts'
import { trash } from './trash.ts'

export const deleteItems = handler(itemsBatchDelete, async (call, input) => {
  const asked = [...new Set(input.item_ids.map((id) => id.toLowerCase()))]
  const rows = new Map((await findItems(call.db, call.organization, asked)).map((row) => [row.id, row]))
  const refusals = new Map<string, Refusal>()
  const closed = new Map<string, Problem>()
  for (const project_id of new Set([...rows.values()].map((row) => row.project_id))) {
    try {
      await requireProject(call, project_id, 'write')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      closed.set(project_id, error)
    }
  }
  for (const id of asked) {
    const row = rows.get(id)
    const problem = !row || row.deleted_at !== null ? missingItem(id) : closed.get(row.project_id)
    if (problem) refusals.set(id, refusalOf(problem))
  }
  const open = asked.filter((id) => !refusals.has(id))
  const gone = await call.transaction(async (tx) => {
    for (const project_id of new Set(open.map((id) => rows.get(id)!.project_id))) {
      await keepProjectOpen(tx, call, project_id)
    }
    return new Set((await trash(tx, call, open)).map((item) => item.id))
  })
  const results = input.item_ids.map((given) => {
    const id = given.toLowerCase()
    const refusal = refusals.get(id) ?? (gone.has(id) ? null : refusalOf(missingItem(id)))
    return { item_id: given, deleted: refusal === null, refusal }
  })
  const refused = results.filter((result) => !result.deleted).length
  return { deleted: results.length - refused, refused, results }
})
