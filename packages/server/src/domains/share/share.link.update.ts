import { shareLinkUpdate } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import { readEnd, readPassword } from './link-input.ts'
import { requireLink, sharedLinkOf } from './link.ts'
import { updateLink } from './store.ts'

export const updateSharedLink = handler(shareLinkUpdate, async (call, input) => {
  const link = await requireLink(call, input.link_id, 'write')
  const { expires_at, password, view_cap, cost_cap_credits } = input
  const change = {
    permission: input.permission ?? link.permission,
    expires_at: expires_at === undefined ? link.expires_at : readEnd(call, expires_at),
    view_cap: view_cap === undefined ? link.view_cap : view_cap,
    cost_cap_credits: cost_cap_credits === undefined ? link.cost_cap_credits : cost_cap_credits,
    password_hash: password === undefined ? null : await hashPassword(readPassword(password)),
  }
  const row = await call.transaction((tx) => updateLink(tx, call.organization, link.id, change, call.clock.now()))
  if (!row) throw new Problem('invalid-state', 'The link was revoked; make a new one.')
  return { link: await sharedLinkOf(call, row) }
})
