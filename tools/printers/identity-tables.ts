import {
  organizationPermissions,
  type ActsOn,
  type PermittedCallers,
  type OrganizationPermission,
} from '../../packages/contract/src/access.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { isInteractiveScope, isPrivilegedScope, scopes } from '../../packages/contract/src/scopes.ts'
import { organizationRoles } from '../../packages/contract/src/schemas/member.ts'
import { projectRoles, projectRolesByPermission } from '../../packages/contract/src/schemas/project.ts'
import { code, printTable } from './generated-blocks.ts'

/** The operations of a scope by their first words, so that the table stays readable. */
function gatedBy(scope: string): string {
  const ids = operationRegistry.filter((operation) => operation.scope === scope).map(({ id }) => id)
  if (ids.length <= 3) return ids.map(code).join(', ')
  const groups = Map.groupBy(ids, (id) => id.split('.')[0]!)
  return [...groups].map(([group, members]) => `${code(`${group}.*`)}: ${members.length}`).join(', ')
}

/** Every scope with the operations that require it. */
export const printScopes = (): string =>
  printTable(
    ['Scope', 'Required by', 'Granted'],
    scopes.map((scope) => [
      code(scope),
      gatedBy(scope),
      isPrivilegedScope(scope)
        ? 'by name only'
        : isInteractiveScope(scope)
          ? 'to users in person'
          : 'to users; by flags',
    ]),
  )

const mark = (roles: readonly string[], role: string): string => (roles.includes(role) ? 'yes' : '')

/** The permissions of each role in an organization. */
export const printOrganizationRoles = (): string =>
  printTable(
    [
      'Role in the organization',
      ...permissions.map(([name, { purpose }]) => `${code(name)}: ${purpose}`),
      'In its projects',
    ],
    organizationRoles.map((role) => [
      code(role),
      ...permissions.map(([, { roles, includesProjectWriters }]) =>
        mark(roles, role) === '' && includesProjectWriters ? 'who writes in a project' : mark(roles, role),
      ),
      mark(organizationPermissions.administer.roles, role) === '' ? 'as a member of each' : 'owner of all',
    ]),
  )

const permissions = Object.entries(organizationPermissions)

/** The operations that need a permission in the organization, that not every kind of principal may call, or that act on members. */
export const printRestrictedOperations = (): string => {
  const restricted = operationRegistry.filter(
    ({ permission, callers, acts_on }) => permission !== null || callers !== 'any' || acts_on !== null,
  )
  const groups = Map.groupBy(
    restricted,
    ({ permission, callers, acts_on }) => `${permission ?? ''} ${callers} ${acts_on ?? ''}`,
  )
  return printTable(
    ['Operations', 'Who', 'API keys', 'On members'],
    [...groups.values()].map((operations) => {
      const { permission, callers, acts_on } = operations[0]!
      return [
        operations.map(({ id }) => code(id)).join(', '),
        describePermission(permission),
        describeKeys[callers],
        acts_on === null ? '' : describeRanks[acts_on],
      ]
    }),
  )
}

function describePermission(permission: OrganizationPermission | null): string {
  if (permission === null) return 'by scope, and role in the project'
  const { roles, includesProjectWriters = false } = organizationPermissions[permission]
  return [...roles.map(code), ...(includesProjectWriters ? ['who may write in one of its projects'] : [])].join(', ')
}

const describeRanks: Readonly<Record<ActsOn, string>> = {
  member: 'not of a higher role',
  'project-member': 'not of a higher role in the project',
}

const describeKeys: Readonly<Record<PermittedCallers, string>> = {
  any: 'with the role of their issuer',
  users: 'no',
  'users-and-named-keys': 'with the scope by name, not by a flag',
  'interactive-users': 'no',
  'account-owners': 'no',
}

/** The permissions of each role in a project. */
export const printProjectRoles = (): string =>
  printTable(
    ['Role in the project', 'Read', 'Write', 'Administer'],
    projectRoles.map((role) => [
      code(role),
      ...Object.values(projectRolesByPermission).map((roles) => mark(roles, role)),
    ]),
  )
