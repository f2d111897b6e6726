import { shareSessionCreateOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { getOrIssueSession } from '../session.ts'
import { getSharedTarget } from '../shared-target.ts'
import { tilejsonUrl } from '../share-urls.ts'
import { consumeView } from '../view-cap.ts'

export const handler = defineHandler(shareSessionCreateOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  await getSharedTarget(authorized)
  await consumeView(authorized)
  const { permission, target_type } = authorized.link
  const { token, expires_at } = getOrIssueSession(call, input.token, authorized.link)
  return {
    token,
    expires_at: expires_at.toISOString(),
    expires_in_seconds: Math.max(
      0,
      Math.floor((expires_at.getTime() - authorized.ownerCall.clock.now().getTime()) / 1000),
    ),
    permission,
    target_type,
    tilejson_url: tilejsonUrl(call.baseUrl, token),
    link_expires_at: authorized.link.expires_at.toISOString(),
  }
})
