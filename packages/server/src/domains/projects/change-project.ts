import type { Project } from '@swath/contract/schemas/project.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { toProject } from './project.ts'
import { updateProject, type ProjectChange } from './store.ts'

/** Writes an authorized change; a null name keeps the name, a null description clears it. */
export async function changeProject(
  call: Call,
  project_id: string,
  input: { name?: string | null; description?: string | null; is_archived?: boolean | null },
): Promise<Project> {
  const change: ProjectChange = {
    name: input.name ?? undefined,
    description: input.description,
    is_archived: input.is_archived ?? undefined,
    updated_at: call.clock.now(),
  }
  const row = await call.transaction((tx) => updateProject(tx, call.organization, project_id, change))
  if (!row) throw new Problem('not-found', `No project has the id "${project_id}".`)
  return toProject(row)
}
