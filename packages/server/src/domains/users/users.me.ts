import { usersMe } from '@swath/contract/operations/users.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { balance } from '../ledger/ledger.ts'
import { findMembership, readOrganization } from '../organizations/organization.ts'
import { findPersonById } from './people.ts'

export const readMyself = handler(usersMe, async (call) => {
  const { principal } = call
  const person = principal.user === null ? null : await findPersonById(call.across, principal.user)
  const user = person && {
    id: person.id,
    email: person.email,
    name: person.name,
    created_at: person.created_at.toISOString(),
  }
  const inside = principal.organization === null ? nowhere : await insideOf(call)
  return { kind: principal.kind, user, scopes: [...principal.scopes], ...inside }
})

const nowhere = { organization: null, caps: null, wallet: null }

/** The organization, limits and wallet of the caller. An API key has no role, and the limits of its issuer. */
async function insideOf(call: Call) {
  const [organization, member, wallet] = await Promise.all([
    readOrganization(call.db, call.organization),
    call.principal.user === null ? null : findMembership(call.db, call.organization, call.principal.user),
    balance(call.db, call.organization, call.clock.now()),
  ])
  return {
    organization: organization && {
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      plan: organization.plan,
      enterprise_billing: organization.enterprise_billing,
      role: call.principal.role,
    },
    caps: member && {
      per_order_limit_credits: member.per_order_limit_credits,
      spend_limit_credits: member.spend_limit_credits,
    },
    wallet: { available_credits: wallet.available_credits, held_credits: wallet.held_credits },
  }
}
