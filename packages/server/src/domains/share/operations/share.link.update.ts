import { shareLinkUpdateOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import { parseShareLinkExpiry, parseShareLinkPassword } from '../link-input.ts'
import { requireShareLink, toShareLinkDetails } from '../share-link.ts'
import { findShareLink, updateShareLink } from '../store.ts'

export const handler = defineHandler(shareLinkUpdateOperation, async (call, input) => {
  const { id, created_by } = await requireShareLink(call, input.link_id, 'write')
  // Otherwise a stolen key could set the password of a link that outlives the key.
  if (call.principal.kind === 'api_key' && created_by !== call.principal.id) {
    throw new Problem('user-required', 'An API key can change only the links that it created.')
  }
  const { permission, expires_at, password, view_cap, cost_cap_credits } = input
  const expiresAt = expires_at === undefined ? null : parseShareLinkExpiry(call, expires_at)
  const password_hash =
    password === undefined ? null : await call.passwords.hash(parseShareLinkPassword(password), call.organization)

  const row = await call.transaction(async (tx) => {
    const current = await findShareLink(tx, call.organization, id, true)
    assertInvariant(current, 'links are revoked and never deleted')
    const change = {
      permission: permission ?? current.permission,
      expires_at: expiresAt,
      view_cap: view_cap === undefined ? current.view_cap : view_cap,
      cost_cap_credits: cost_cap_credits === undefined ? current.cost_cap_credits : cost_cap_credits,
      password_hash,
    }
    return updateShareLink(tx, { organization: call.organization, id, change, now: call.clock.now() })
  })
  if (!row) throw new Problem('invalid-state', 'The link was revoked; create a new one.')
  return { link: await toShareLinkDetails(call, row) }
})
