import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { WithDescription, Nullable, Timestamp, Uuid } from './primitives.ts'

export const projectRoles = ['owner', 'admin', 'editor', 'viewer'] as const

/** The roles that may read, change and administer the content of a project. */
export const projectRolesByPermission = {
  read: ['owner', 'admin', 'editor', 'viewer'],
  write: ['owner', 'admin', 'editor'],
  admin: ['owner', 'admin'],
} as const satisfies Readonly<Record<string, readonly (typeof projectRoles)[number][]>>

export const ProjectName = Type.String({ minLength: 1, maxLength: limits.max_name_length })

/** The role in a request: one of the four roles, or `member`, an alias of `editor`. */
export const ProjectRoleInput = WithDescription(
  '`member` is an alias of `editor`.',
  Type.Enum([...projectRoles, 'member']),
)

export const ProjectRole = Type.Enum([...projectRoles])

export const Project = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  region: Nullable(Type.String()),
  storage_bucket: Nullable(Type.String()),
  is_archived: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const ProjectMember = Type.Object({
  project_id: Uuid,
  user_id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  role: ProjectRole,
  created_at: Timestamp,
})

export type ProjectRole = Static<typeof ProjectRole>
export type Project = Static<typeof Project>
export type ProjectMember = Static<typeof ProjectMember>
/** The permission that an operation needs in a project. */
export type ProjectPermission = keyof typeof projectRolesByPermission
