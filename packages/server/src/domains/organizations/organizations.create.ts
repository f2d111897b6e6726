import { organizationsCreate } from '@swath/contract/operations/organizations.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { announceChange } from '../identity/changes.ts'
import { findPersonById, placePerson } from '../users/people.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../users/user.ts'
import { requirePerson } from './membership.ts'
import { addMembership, foundOrganization } from './organization.ts'

export const createOrganization = handler(organizationsCreate, async (call, input) => {
  requirePerson(call, 'Only a user can create an organization.')
  const { enterprise_billing, billing_admin_id } = input
  if (enterprise_billing && !call.principal.administrator) {
    throw new Problem('forbidden', 'Only administrators of the platform set enterprise_billing.')
  }
  const owner = await findFounder(call, billing_admin_id ?? null)

  const organization = await call.across.transaction(async (tx) => {
    const now = call.clocks.process.now()
    const terms = {
      ...input,
      billing_admin_id: billing_admin_id ?? owner?.id ?? null,
      plan: enterprise_billing ? ('enterprise' as const) : ('free' as const),
    }
    const founded = await foundOrganization(tx, terms, now)
    const { organization_id } = founded
    if (owner) await seatOwner(tx, owner, organization_id, now)
    return founded
  })
  return { id: organization.organization_id, name: organization.name, slug: organization.slug, enterprise_billing }
})

async function seatOwner(tx: Tx, owner: UserRow, organization_id: string, now: Date): Promise<void> {
  if (!(await placePerson(tx, owner.id, organization_id, now))) throw taken()
  const { id: user_id, email, name } = owner
  await addMembership(tx, { organization_id, user_id, email, name, role: 'owner', created_at: now })
  await announceChange(tx, `user:${user_id}`)
}

const taken = (): Problem =>
  new Problem('invalid-state', 'The user already belongs to an organization; a user can belong to only one.')

/**
 * The owner: the caller; or, if an administrator of the platform creates it for others, the user without an organization
 * named by `billing_admin_id`, or nobody yet (`organizations.members.add` adds the owner then).
 */
async function findFounder(call: Call, billing_admin_id: string | null): Promise<UserRow | null> {
  const forOthers = billing_admin_id !== null && billing_admin_id !== call.principal.id
  if (forOthers && !call.principal.administrator) {
    throw new Problem('forbidden', 'Only the caller can be the billing admin of a new organization.')
  }
  if (billing_admin_id === null && call.principal.administrator && call.principal.organization !== null) return null
  const founder = await findPersonById(call.across, forOthers ? billing_admin_id : call.principal.id)
  if (!founder) throw new Problem('forbidden', 'The billing admin does not exist or cannot own the organization.')
  if (founder.organization_id !== null) throw taken()
  return founder
}
