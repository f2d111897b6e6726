import { organizationRoles, type OrganizationRole } from './schemas/member.ts'

export type OrganizationPermission = 'own' | 'administer' | 'bill' | 'contribute'

interface PermissionTerms {
  readonly roles: readonly OrganizationRole[]
  /** Also granted by the permission to write in at least one project of the organization. */
  readonly includesProjectWriters?: boolean
  /** The purpose, as the text of a table column. */
  readonly purpose: string
}

/** Permissions on an organization as a whole, each with the roles that have it. Projects have roles of their own. */
export const organizationPermissions: Readonly<Record<OrganizationPermission, PermissionTerms>> = {
  own: { roles: ['owner'], purpose: 'close the organization, raise its limits' },
  administer: { roles: ['owner', 'admin'], purpose: 'members, keys, audit trail' },
  bill: { roles: ['owner', 'admin', 'billing'], purpose: 'cards, invoices, lots, top-ups' },
  contribute: {
    roles: ['owner', 'admin'],
    includesProjectWriters: true,
    purpose: 'shared formulas and templates, licence agreements',
  },
}

/** True if a member of the first role may act on one of the second: nobody changes what a member of a higher role has. */
export const isRoleAtLeast = (role: OrganizationRole, other: OrganizationRole): boolean =>
  organizationRoles.indexOf(role) <= organizationRoles.indexOf(other)

/**
 * Whom an operation acts on besides its caller: a member of the organization, or of a project, or what belongs to one.
 * The one rule of all of them is that nobody acts on a higher role.
 */
export type ActsOn = 'member' | 'project-member'

/**
 * Principals that may call an operation: `any` with its scope; `users`, and not API keys, since a key that could could exceed its
 * own permissions; `users-and-named-keys`, keys only if they have the scope by name and not by a flag; `interactive-users`, who
 * signed in themselves: no program of others, no personal access token and no operator who reads as the user; `account-owners`,
 * those of them whom no provider of an organization signed in.
 */
export type PermittedCallers = 'any' | 'users' | 'users-and-named-keys' | 'interactive-users' | 'account-owners'
