import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { ClearedByNull, Count, Default, Done, Input, KeptByNull, Maybe, Nullable, Uuid } from '../shapes/primitives.ts'
import { limits } from '../limits.ts'
import { Project, ProjectMember, ProjectName, ProjectRoleWord } from '../shapes/project.ts'

const Text = Type.String({ maxLength: limits.text_length })
const description = Maybe(Text)

const changes = {
  project_id: Uuid,
  name: KeptByNull(ProjectName),
  description: ClearedByNull(Text),
}

export const projectsCreate = operation({
  id: 'projects.create',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Create a project; its creator becomes the owner.',
  input: Input({
    name: ProjectName,
    description,
    region: Maybe(Type.String({ maxLength: 100, description: 'Preferred storage region.' })),
  }),
  output: Project,
  problems: ['not-a-member', 'name-taken'],
  emits: ['project.created'],
  answered: true,
})

export const projectsUpdate = operation({
  id: 'projects.update',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Update the name or description of a project, or archive it.',
  input: Input({ ...changes, is_archived: KeptByNull(Type.Boolean()) }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  answered: true,
})

export const projectsArchive = operation({
  id: 'projects.archive',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Archive a project: hide it from the default list and reject writes; `is_archived` false restores it.',
  input: Input({
    ...changes,
    is_archived: Default(Nullable(Type.Boolean(), { description: 'Null archives the project, too.' }), true),
  }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken'],
  answered: true,
})

export const projectsDelete = operation({
  id: 'projects.delete',
  scope: 'projects:write',
  effect: 'destructive',
  summary: 'Permanently delete a project; the lineage of its items stays readable.',
  input: Input({ project_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean(), project_id: Uuid, storage_freed_bytes: Count }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  answered: true,
})

export const projectsAddMember = operation({
  id: 'projects.add_member',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Add a member of the organization to a project with a role.',
  input: Input({ project_id: Uuid, user_id: Uuid, role: Default(ProjectRoleWord, 'editor') }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsUpdateMember = operation({
  id: 'projects.update_member',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Change the role of a project member.',
  input: Input({ project_id: Uuid, user_id: Uuid, role: ProjectRoleWord }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsRemoveMember = operation({
  id: 'projects.remove_member',
  scope: 'projects:write',
  effect: 'destructive',
  summary: 'Remove a member from a project; the last owner cannot be removed.',
  input: Input({ project_id: Uuid, user_id: Uuid }),
  output: Done,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsGet = operation({
  id: 'projects.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read a project.',
  input: Input({ project_id: Uuid }),
  output: Type.Object({ project: Project }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
})

export const projectsList = operation({
  id: 'projects.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the projects that the caller can see.',
  input: Input({ include_archived: Default(Type.Boolean(), false), ...offsetPaging() }),
  output: List('projects', Project),
  paging: 'offset',
  extension: true,
  answered: true,
})

export const projectsMembersList = operation({
  id: 'projects.members.list',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the members of a project with their roles.',
  input: Input({ project_id: Uuid }),
  output: List('members', ProjectMember),
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
})
