import { shareLinkCreateOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { recordProvenance } from '../../provenance/record-provenance.ts'
import { toShareLink, buildShareLinkUrl } from '../share-link.ts'
import { insertShareLink, insertShareToken } from '../store.ts'
import { hashShareLinkToken, generateShareLinkToken, encryptShareLinkToken } from '../tokens.ts'
import { parseShareLinkExpiry, parseShareLinkPassword } from '../link-input.ts'
import { requireShareableTarget } from '../target.ts'

export const handler = defineHandler(shareLinkCreateOperation, async (call, input) => {
  const { target_type, target_id, permission } = input
  const expires_at = parseShareLinkExpiry(call, input.expires_at)
  const password = parseShareLinkPassword(input.password)
  const { project_id } = await requireShareableTarget(call, target_type, target_id)
  const token = generateShareLinkToken()
  const id = newId()
  const { organization } = call
  const link = {
    organization_id: organization,
    id,
    project_id,
    target_type,
    target_id: target_id.toLowerCase(),
    permission,
    token_sealed: encryptShareLinkToken(call.signer, token),
    password_hash: await call.passwords.hash(password, call.organization),
    expires_at,
    created_by: call.principal.id,
    created_at: call.clock.now(),
  }
  const created = await call.unscoped.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    const inserted = await insertShareLink(tx, link)
    await insertShareToken(tx, organization, id, hashShareLinkToken(token)!)
    const target = { type: target_type, id: link.target_id }
    await recordProvenance(tx, call, [{ relation: 'shared_as', src: { type: 'share_link', id }, dst: target }])
    return inserted
  })
  return { ...toShareLink(created, token), url: buildShareLinkUrl(call.baseUrl, token) }
})
