import type { TaskingTemplate } from '@swath/contract/schemas/tasking.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { findTaskingTemplate, type TaskingTemplateRow } from './store.templates.ts'

export const createTaskingTemplateNotFound = (id: string): Problem =>
  new Problem('not-found', `No template has the id "${id}".`)

/** A template of the organization. Throws `not-found`. */
export async function requireTaskingTemplate(
  call: Pick<Call, 'db' | 'organization'>,
  id: string,
): Promise<TaskingTemplateRow> {
  const row = await findTaskingTemplate(call.db, call.organization, id)
  if (!row) throw createTaskingTemplateNotFound(id)
  return row
}

export const toTaskingTemplate = ({ settings, ...row }: TaskingTemplateRow): TaskingTemplate => ({
  ...settings,
  id: row.id,
  name: row.name,
  description: row.description,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
