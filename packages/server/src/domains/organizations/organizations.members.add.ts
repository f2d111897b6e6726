import { organizationsMembersAdd } from '@swath/contract/operations/organizations.ts'
import type { Call, OrganizationRole } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { randomText } from '../../platform/ids.ts'
import { announceChange } from '../identity/changes.ts'
import { enterPerson, findPersonByAddress, placePerson } from '../users/people.ts'
import type { UserRow } from '../users/user.ts'
import { organizationMemberOf, requireOrganizationAdmin, requireOwnOrganization, requirePerson } from './membership.ts'
import { addMembership, findMembership, readOrganization } from './organization.ts'

export const addOrganizationMember = handler(organizationsMembersAdd, async (call, input) => {
  // The response carries a password: an API key that could request it could sign in as a user.
  requirePerson(call, 'Only a user can add members to the organization.')
  const organization_id = await organizationFor(call, input)
  const password = randomText(20)
  const password_hash = await call.passwords.hash(password, call.organization)

  // Unscoped: the user directory decides whether the email is free. Every write names this organization.
  return call.across.transaction(async (tx) => {
    const now = call.clocks.of(organization_id).now()
    const terms = { email: input.email, name: input.name ?? null, password_hash, password_temporary: true }
    const entered = await enterPerson(tx, { ...terms, organization: organization_id }, now)
    const person = entered ?? (await placeKnown(tx, input.email, organization_id, now))
    const { id: user_id, email, name } = person
    await addMembership(tx, { organization_id, user_id, email, name, role: input.role, created_at: now })
    await announceChange(tx, `user:${user_id}`)
    const member = await findMembership(tx, organization_id, user_id)
    invariant(member, 'the membership was just written')
    return { member: organizationMemberOf(member), one_time_password: entered ? password : null }
  })
})

/**
 * The organization to join: the caller's own, for its owners and admins; or, for an administrator of the platform, any
 * other one, such as one that was just created for somebody.
 */
async function organizationFor(
  call: Call,
  input: { organization_id?: string | null; role: OrganizationRole },
): Promise<string> {
  const { organization_id, role } = input
  const elsewhere = organization_id !== null && organization_id !== undefined && organization_id !== call.organization
  if (elsewhere && call.principal.administrator) {
    if (await readOrganization(call.across, organization_id)) return organization_id
  }
  requireOwnOrganization(call, organization_id)
  requireHigher(await requireOrganizationAdmin(call), role)
  return call.organization
}

/** An admin can add members and admins; only an owner can add an owner. */
function requireHigher(caller: 'owner' | 'admin', role: OrganizationRole): void {
  if (role === 'owner' && caller !== 'owner') throw new Problem('forbidden', 'Only an owner can add an owner.')
}

/** Adds an existing user who has no organization. */
async function placeKnown(tx: Tx, email: string, organization: string, now: OrganizationTime): Promise<UserRow> {
  const person = await findPersonByAddress(tx, email)
  invariant(person, 'the email was taken a moment ago')
  if (!(await placePerson(tx, person.id, organization, now))) {
    throw new Problem('name-taken', 'The email belongs to a user who is already in an organization.')
  }
  return person
}
