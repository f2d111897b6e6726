import { shareLinkUpdate } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import { readEnd, readPassword } from './link-input.ts'
import { requireLink, sharedLinkOf } from './link.ts'
import { findLink, updateLink } from './store.ts'

export const updateSharedLink = handler(shareLinkUpdate, async (call, input) => {
  const { id, created_by } = await requireLink(call, input.link_id, 'write')
  // Otherwise a stolen key could set the password of a link that outlives the key.
  if (call.principal.kind === 'api_key' && created_by !== call.principal.id) {
    throw new Problem('user-required', 'An API key can change only the links that it created.')
  }
  const { permission, expires_at, password, view_cap, cost_cap_credits } = input
  const end = expires_at === undefined ? undefined : readEnd(call, expires_at)
  const password_hash =
    password === undefined ? null : await call.passwords.hash(readPassword(password), call.organization)

  const row = await call.transaction(async (tx) => {
    const before = await findLink(tx, call.organization, id, true)
    invariant(before, 'links are revoked and never deleted')
    const change = {
      permission: permission ?? before.permission,
      expires_at: end ?? before.expires_at,
      view_cap: view_cap === undefined ? before.view_cap : view_cap,
      cost_cap_credits: cost_cap_credits === undefined ? before.cost_cap_credits : cost_cap_credits,
      password_hash,
    }
    return updateLink(tx, call.organization, id, change, call.clock.now())
  })
  if (!row) throw new Problem('invalid-state', 'The link was revoked; create a new one.')
  return { link: await sharedLinkOf(call, row) }
})
