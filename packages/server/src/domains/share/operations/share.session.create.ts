import { shareSessionCreateOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { getOrIssueShareSession } from '../session.ts'
import { getSharedTarget } from '../shared-target.ts'
import { buildShareTilejsonUrl } from '../share-urls.ts'
import { consumeShareView } from '../view-cap.ts'

export const handler = defineHandler(shareSessionCreateOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  await getSharedTarget(authorized)
  await consumeShareView(authorized)
  const { permission, target_type } = authorized.link
  const { token, expires_at } = getOrIssueShareSession(call, input.token, authorized.link)
  return {
    token,
    expires_at: expires_at.toISOString(),
    expires_in_seconds: Math.max(
      0,
      Math.floor((expires_at.getTime() - authorized.ownerCall.clock.now().getTime()) / 1000),
    ),
    permission,
    target_type,
    tilejson_url: buildShareTilejsonUrl(call.baseUrl, token),
    link_expires_at: authorized.link.expires_at.toISOString(),
  }
})
