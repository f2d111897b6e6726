import type { Call } from '../../engine/call.ts'
import { findFirstWritableProject, requireProject } from './access.ts'
import type { ProjectRow } from './project.ts'

/**
 * The project of a `workspaceId`. Clients that know no projects send the id of their user, `sub` of the user info: it
 * stands for the oldest project that the caller may write to. Throws what `requireProject` throws.
 */
export async function requireWorkspace(
  call: Call,
  workspace_id: string,
  permission: 'read' | 'write',
): Promise<ProjectRow> {
  const { id, user } = call.principal
  const isCaller = [id, user].includes(workspace_id.toLowerCase())
  const project = isCaller ? await findFirstWritableProject(call) : null
  return project ?? requireProject(call, workspace_id, permission)
}
