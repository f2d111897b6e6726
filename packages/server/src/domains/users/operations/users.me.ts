import { usersMeOperation } from '@swath/contract/operations/users.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { isAccountOwner } from '../../../engine/principal.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import { findCurrentSignIn } from '../../identity/account/confirm.ts'
import { listPasskeys } from '../../identity/passkeys/store.passkeys.ts'
import { methodsOf } from '../../identity/second-factor/methods.ts'
import { countRecoveryCodes, findTotp } from '../../identity/second-factor/store.second-factors.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { findMembership } from '../../organizations/store.ts'
import { findOrganization } from '../../organizations/store.ts'
import { findAccount } from '../store.accounts.ts'

export const handler = defineHandler(usersMeOperation, async (call) => {
  const { principal } = call
  const userRow = principal.user === null ? null : await findAccount(call.unscoped, principal.user)
  const user = userRow && {
    id: userRow.id,
    email: userRow.email,
    name: userRow.name,
    language: userRow.language,
    time_zone: userRow.time_zone,
    created_at: userRow.created_at.toISOString(),
  }
  const organizationPart = principal.organization === null ? noOrganizationPart : await getOrganizationPart(call)
  return {
    kind: principal.kind,
    user,
    sign_in: await getSignInPart(call),
    scopes: [...principal.scopes],
    ...organizationPart,
  }
})

/** How the caller signed in and can sign in; null for all but who owns the account, as for the operations that change it. */
async function getSignInPart(call: Call) {
  const { principal, unscoped } = call
  if (!isAccountOwner(principal)) return null
  const { session, signIn } = await findCurrentSignIn(call)
  if (session === null) return null
  const totp = await findTotp(unscoped, principal.id)
  return {
    methods: [...methodsOf(signIn?.amr ?? null)],
    totp: totp !== null && totp.confirmed_at !== null,
    passkeys: (await listPasskeys(unscoped, principal.id)).length,
    recovery_codes: await countRecoveryCodes(unscoped, principal.id),
  }
}

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
