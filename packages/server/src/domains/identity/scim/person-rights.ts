import type { Tx } from '../../../platform/database/database.ts'
import { findProvider, type ProviderRow } from '../../organizations/federation/store.providers.ts'
import { findMembership } from '../../organizations/store.ts'
import { applyMappedRights } from '../federation/apply-rights.ts'
import { chooseMappedRole } from '../federation/mapped-rights.ts'
import { endMembership } from '../memberships/end-membership.ts'
import { admitMember } from '../memberships/admit-member.ts'
import type { ScimCall } from './scim-call.ts'
import { ScimProblem } from './scim-problem.ts'
import { listGroupMemberships } from './store.scim-groups.ts'
import type { ScimPerson } from './store.scim-users.ts'

/** What the mappings of the provider compare: the roles of a person, and the names of the groups. */
async function listMappedValues(tx: Tx, organization: string, { id, attributes }: ScimPerson): Promise<string[]> {
  const roles = Array.isArray(attributes['roles']) ? (attributes['roles'] as readonly { value?: unknown }[]) : []
  const groups = await listGroupMemberships(tx, organization, { group: null, resource: id })
  return [
    ...roles.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
    ...groups.flatMap(({ display_name, external_id }) => [
      display_name,
      ...(external_id === null ? [] : [external_id]),
    ]),
  ]
}

/** Without mappings a directory changes no role. */
const findMappings = async (tx: Tx, organization: string): Promise<ProviderRow | null> => {
  const provider = await findProvider(tx, organization)
  return provider && provider.mappings.length > 0 ? provider : null
}

/** Gives a person the rights of their roles and groups, if they are a member. */
export async function applyPersonRights(tx: Tx, { organization, actor }: ScimCall, person: ScimPerson): Promise<void> {
  const provider = await findMappings(tx, organization)
  if (!provider || !person.active || !(await findMembership(tx, organization, person.user_id))) return
  const values = await listMappedValues(tx, organization, person)
  await applyMappedRights(tx, actor, { provider, user: person.user_id, values })
}

/**
 * Makes a person a member. Whoever cannot be one, because an operator has disabled the account or it is in too many organizations, stays
 * active for the directory, which learns nothing about it.
 */
export async function activatePerson(
  tx: Tx,
  { organization, actor, clocks }: ScimCall,
  person: ScimPerson,
): Promise<void> {
  const provider = await findMappings(tx, organization)
  const role = provider ? chooseMappedRole(provider, await listMappedValues(tx, organization, person)) : 'member'
  await admitMember(tx, { actor, clocks }, { user: person.user_id, role })
}

/**
 * Ends the membership of a person, with all that follows when somebody leaves. Throws 403 for an owner with emergency access, which is to
 * work when the directory is wrong, and `invalid-state` for the last owner.
 */
export async function deactivatePerson(tx: Tx, { organization, actor }: ScimCall, person: ScimPerson): Promise<void> {
  const { user_id: user } = person
  const member = await findMembership(tx, organization, user)
  if (!member) return
  const provider = await findProvider(tx, organization)
  if (member.role === 'owner' && provider?.emergency_access.includes(user))
    throw new ScimProblem(403, 'An owner with emergency access is not changed by a directory.')
  await endMembership(tx, actor, { user, kind: 'member.removed' })
}
