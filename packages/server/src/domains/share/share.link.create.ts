import { shareLinkCreate } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { newId } from '../../platform/ids.ts'
import { keepProjectOpen } from '../projects/access.ts'
import { record } from '../provenance/record.ts'
import { linkOf, linkUrl } from './link.ts'
import { insertLink, insertToken } from './store.ts'
import { hashOfToken, makeLinkToken, sealToken } from './tokens.ts'
import { readEnd, readPassword } from './link-input.ts'
import { requireTarget } from './target.ts'

export const createLink = handler(shareLinkCreate, async (call, input) => {
  const { target_type, target_id, permission } = input
  const expires_at = readEnd(call, input.expires_at)
  const password = readPassword(input.password)
  const { project_id } = await requireTarget(call, target_type, target_id)
  const token = makeLinkToken()
  const id = newId()
  const { organization } = call
  const link = {
    organization_id: organization,
    id,
    project_id,
    target_type,
    target_id: target_id.toLowerCase(),
    permission,
    token_sealed: sealToken(call.signer, token),
    password_hash: await call.passwords.hash(password, call.organization),
    expires_at,
    created_by: call.principal.id,
    created_at: call.clock.now(),
  }
  const row = await call.across.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    const inserted = await insertLink(tx, link)
    await insertToken(tx, organization, id, hashOfToken(token)!)
    const target = { type: target_type, id: link.target_id }
    await record(tx, call, [{ relation: 'shared_as', src: { type: 'share_link', id }, dst: target }])
    return inserted
  })
  return { ...linkOf(row, token), url: linkUrl(call.baseUrl, token) }
})
