import { isRoleAtLeast } from '@swath/contract/access.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { ProjectMembership } from '@swath/contract/schemas/people/invitation.ts'
import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import { projectRoles } from '@swath/contract/schemas/project.ts'
import type { ProviderRow } from '../../organizations/federation/store.providers.ts'

type Mapped = Pick<ProviderRow, 'mappings' | 'default_role'>

/** More values than this are not read. */
const max_values = 1000

/** The values of a claim: that of the name, or of a dotted path such as `realm_access.roles`; a text is one value. */
export function readClaimValues(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : readPath(claims, name.split('.'))
  const values = Array.isArray(value) ? value : [value]
  return values.slice(0, max_values).filter((entry): entry is string => typeof entry === 'string')
}

function readPath(claims: unknown, path: readonly string[]): unknown {
  let current = claims
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

/** The highest role that one of the values gives, or the default one. Never that of an owner. */
export function chooseMappedRole({ mappings, default_role }: Mapped, values: readonly string[]): OrganizationRole {
  const roles = mappings.flatMap(({ value, role }) =>
    role !== null && role !== 'owner' && values.includes(value) ? [role] : [],
  )
  return roles.reduce((highest, role) => (isRoleAtLeast(role, highest) ? role : highest), roles[0] ?? default_role)
}

const isProjectRoleAtLeast = (role: ProjectRole, other: ProjectRole): boolean =>
  projectRoles.indexOf(role) <= projectRoles.indexOf(other)

/**
 * The projects of a member: in those that a mapping names, the highest role that one of the values gives, or none; in others, and where
 * the member is an owner, as before.
 */
export function chooseMappedProjects(
  { mappings }: Pick<Mapped, 'mappings'>,
  values: readonly string[],
  current: readonly ProjectMembership[],
): ProjectMembership[] {
  const mapped = new Set(mappings.flatMap(({ projects }) => projects.map(({ project_id }) => project_id)))
  const chosen = new Map(
    current.flatMap(({ project_id, role }) =>
      mapped.has(project_id) && role !== 'owner' ? [] : [[project_id, role] as const],
    ),
  )
  for (const { value, projects } of mappings) {
    if (!values.includes(value)) continue
    for (const { project_id, role } of projects) {
      const other = chosen.get(project_id)
      if (other === undefined || isProjectRoleAtLeast(role, other)) chosen.set(project_id, role)
    }
  }
  return [...chosen].map(([project_id, role]) => ({ project_id, role }))
}
