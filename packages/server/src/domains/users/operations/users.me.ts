import { usersMeOperation } from '@swath/contract/operations/users.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { findMembership } from '../../organizations/store.ts'
import { findOrganization } from '../../organizations/store.ts'
import { findUser } from '../store.ts'

export const handler = defineHandler(usersMeOperation, async (call) => {
  const { principal } = call
  const userRow = principal.user === null ? null : await findUser(call.unscoped, principal.user)
  const user = userRow && {
    id: userRow.id,
    email: userRow.email,
    name: userRow.name,
    created_at: userRow.created_at.toISOString(),
  }
  const organizationPart = principal.organization === null ? noOrganizationPart : await getOrganizationPart(call)
  return { kind: principal.kind, user, scopes: [...principal.scopes], ...organizationPart }
})

const noOrganizationPart = { organization: null, caps: null, wallet: null }

/** The organization, limits and wallet of the caller. An API key has no role, and the limits of its issuer. */
async function getOrganizationPart(call: Call) {
  const [organization, member, wallet] = await Promise.all([
    findOrganization(call.db, call.organization),
    call.principal.user === null ? null : findMembership(call.db, call.organization, call.principal.user),
    readWalletBalance(call.db, call.organization, call.clock.now()),
  ])
  return {
    organization: organization && {
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      plan: organization.plan,
      enterprise_billing: organization.enterprise_billing,
      role: call.principal.role,
      sandbox: isSandboxId(organization.id),
      delete_at: organization.delete_after?.toISOString() ?? null,
    },
    caps: member && {
      per_order_limit_credits: member.per_order_limit_credits,
      spend_limit_credits: member.spend_limit_credits,
    },
    wallet: {
      available_credits: wallet.available_credits,
      held_credits: wallet.held_credits,
      play_money: isSandboxId(call.organization),
    },
  }
}
