import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import type { ProjectRow } from './project.ts'
import { insertProject } from './store.ts'
import { insertProjectMember } from './store.members.ts'

export interface NewProject {
  readonly name: string
  readonly description: string | null
  readonly region: string | null
  /** The owner; null leaves the project to the owners and admins of the organization. */
  readonly owner: string | null
}

/** Inserts a project with its owner and emits its event. */
export async function createProjectWithOwner(tx: Tx, actor: Actor, input: NewProject): Promise<ProjectRow> {
  const now = actor.clock.now()
  const project: ProjectRow = {
    id: newId(),
    organization_id: actor.organization,
    name: input.name,
    description: input.description,
    region: input.region,
    storage_bucket: null,
    is_archived: false,
    created_by: actor.principal.id,
    created_at: now,
    updated_at: now,
  }
  await insertProject(tx, project)
  if (input.owner !== null) {
    await insertProjectMember(tx, {
      organization_id: actor.organization,
      project_id: project.id,
      user_id: input.owner,
      role: 'owner',
      created_at: now,
    })
  }
  await emitEvent(tx, actor, {
    kind: 'project.created',
    entity_type: 'project',
    entity_id: project.id,
    data: { name: project.name },
  })
  return project
}
