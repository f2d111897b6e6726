import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import {
  ClearIfNull,
  Count,
  WithDefault,
  OkResult,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Nullable,
  Uuid,
} from '../schemas/primitives.ts'
import { limits } from '../limits.ts'
import { Project, ProjectMember, ProjectName, ProjectRoleInput } from '../schemas/project.ts'

const LongText = Type.String({ maxLength: limits.max_text_length })
const description = OptionalNullable(LongText)

const updateFields = {
  project_id: Uuid,
  name: KeepIfNull(ProjectName),
  description: ClearIfNull(LongText),
}

export const projectsCreateOperation = operation({
  id: 'projects.create',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Create a project; its creator becomes the owner.',
  input: StrictObject({
    name: ProjectName,
    description,
    region: OptionalNullable(Type.String({ maxLength: 100, description: 'Preferred storage region.' })),
  }),
  output: Project,
  problems: ['not-a-member', 'name-taken'],
  emits: ['project.created'],
})

export const projectsUpdateOperation = operation({
  id: 'projects.update',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Update the name or description of a project, or archive it.',
  input: StrictObject({ ...updateFields, is_archived: KeepIfNull(Type.Boolean()) }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
})

export const projectsArchiveOperation = operation({
  id: 'projects.archive',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Archive a project: hide it from the default list and reject writes; `is_archived` false restores it.',
  input: StrictObject({
    ...updateFields,
    is_archived: WithDefault(Nullable(Type.Boolean(), { description: 'Null archives the project, too.' }), true),
  }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken'],
})

export const projectsDeleteOperation = operation({
  id: 'projects.delete',
  scope: 'projects:write',
  effect: 'destructive',
  summary: 'Permanently delete a project; the lineage of its items stays readable.',
  input: StrictObject({ project_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean(), project_id: Uuid, storage_freed_bytes: Count }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
})

export const projectsAddMemberOperation = operation({
  id: 'projects.add_member',
  scope: 'projects:write',
  callers: 'users',
  acts_on: 'project-member',
  effect: 'compute',
  summary: 'Add a member of the organization to a project with a role.',
  input: StrictObject({ project_id: Uuid, user_id: Uuid, role: WithDefault(ProjectRoleInput, 'editor') }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'invalid-state'],
})

export const projectsUpdateMemberOperation = operation({
  id: 'projects.update_member',
  scope: 'projects:write',
  callers: 'users',
  acts_on: 'project-member',
  effect: 'compute',
  summary: 'Change the role of a project member.',
  input: StrictObject({ project_id: Uuid, user_id: Uuid, role: ProjectRoleInput }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'invalid-state'],
  emits: ['organization.delegations_stopped'],
})

export const projectsRemoveMemberOperation = operation({
  id: 'projects.remove_member',
  scope: 'projects:write',
  callers: 'users',
  acts_on: 'project-member',
  effect: 'destructive',
  summary: 'Remove a member from a project; the last owner cannot be removed.',
  input: StrictObject({ project_id: Uuid, user_id: Uuid }),
  output: OkResult,
  problems: ['not-found', 'not-a-member', 'forbidden', 'invalid-state'],
  emits: ['organization.delegations_stopped'],
})

export const projectsGetOperation = operation({
  id: 'projects.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a project.',
  input: StrictObject({ project_id: Uuid }),
  output: Type.Object({ project: Project }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const projectsListOperation = operation({
  id: 'projects.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the projects that the caller can see.',
  input: StrictObject({ include_archived: WithDefault(Type.Boolean(), false), ...offsetPaging() }),
  output: ListEnvelope('projects', Project),
  paging: 'offset',
  extension: true,
})

export const projectsMembersListOperation = operation({
  id: 'projects.members.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the members of a project with their roles.',
  input: StrictObject({ project_id: Uuid }),
  output: ListEnvelope('members', ProjectMember),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})
