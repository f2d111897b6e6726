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
    region: Maybe(Type.String({ maxLength: 100, description: 'Where the bytes should live.' })),
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
  summary: 'Change the name or description of a project, or archive it.',
  input: Input({ ...changes, is_archived: KeptByNull(Type.Boolean()) }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken', 'invalid-state'],
  answered: true,
})

export const projectsArchive = operation({
  id: 'projects.archive',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Hide a project from the default list and refuse writes in it, or bring it back with `is_archived` false.',
  input: Input({
    ...changes,
    is_archived: Default(Nullable(Type.Boolean(), { description: 'Null archives it, too.' }), true),
  }),
  output: Project,
  problems: ['not-found', 'not-a-member', 'name-taken'],
  answered: true,
})

export const projectsDelete = operation({
  id: 'projects.delete',
  scope: 'projects:write',
  effect: 'destructive',
  summary: 'Delete a project for good; its items stay as tombstones so that lineage can still be read.',
  input: Input({ project_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean(), project_id: Uuid, storage_freed_bytes: Count }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  answered: true,
})

export const projectsAddMember = operation({
  id: 'projects.add_member',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Give a person of the organization a role in a project.',
  input: Input({ project_id: Uuid, user_id: Uuid, role: Default(ProjectRoleWord, 'editor') }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsUpdateMember = operation({
  id: 'projects.update_member',
  scope: 'projects:write',
  effect: 'compute',
  summary: 'Change the role of a member of a project.',
  input: Input({ project_id: Uuid, user_id: Uuid, role: ProjectRoleWord }),
  output: ProjectMember,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsRemoveMember = operation({
  id: 'projects.remove_member',
  scope: 'projects:write',
  effect: 'destructive',
  summary: 'Take a person out of a project; the last owner stays.',
  input: Input({ project_id: Uuid, user_id: Uuid }),
  output: Done,
  problems: ['not-found', 'not-a-member', 'forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const projectsGet = operation({
  id: 'projects.get',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read one project.',
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
