import { registry } from '../../packages/contract/src/registry.ts'
import { isPrivileged, scopes } from '../../packages/contract/src/scopes.ts'
import { organizationRoles, organizationRolesByPermission } from '../../packages/contract/src/schemas/member.ts'
import { projectRoles, projectRolesByPermission } from '../../packages/contract/src/schemas/project.ts'
import { code, printTable } from './generated-blocks.ts'

/** The operations of a scope by their first words, so that the table stays readable. */
function gatedBy(scope: string): string {
  const ids = registry.filter((operation) => operation.scope === scope).map(({ id }) => id)
  if (ids.length <= 3) return ids.map(code).join(', ')
  const groups = Map.groupBy(ids, (id) => id.split('.')[0]!)
  return [...groups].map(([group, members]) => `${code(`${group}.*`)}: ${members.length}`).join(', ')
}

/** Every scope with the operations that require it. */
export const printScopes = (): string =>
  printTable(
    ['Scope', 'Required by', 'Granted'],
    scopes.map((scope) => [code(scope), gatedBy(scope), isPrivileged(scope) ? 'by name only' : 'to users; by flags']),
  )

const mark = (roles: readonly string[], role: string): string => (roles.includes(role) ? 'yes' : '')

/** What the members of an organization may do. */
export const printOrganizationRoles = (): string =>
  printTable(
    ['Role in the organization', 'Members and keys', 'Payments and all billing data', 'In its projects'],
    organizationRoles.map((role) => [
      code(role),
      mark(organizationRolesByPermission.administer, role),
      mark(organizationRolesByPermission.billing, role),
      organizationRolesByPermission.administer.some((name) => name === role) ? 'owner of all' : 'as a member of each',
    ]),
  )

/** What the members of a project may do. */
export const printProjectRoles = (): string =>
  printTable(
    ['Role in the project', 'Read', 'Write', 'Administer'],
    projectRoles.map((role) => [
      code(role),
      ...Object.values(projectRolesByPermission).map((roles) => mark(roles, role)),
    ]),
  )
