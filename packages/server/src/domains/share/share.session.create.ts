import { shareSessionCreate } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { openLink } from './open-link.ts'
import { sessionOf } from './session.ts'
import { targetOf } from './shown.ts'
import { tilejsonUrl } from './share-addresses.ts'
import { requireView } from './view.ts'

export const createSession = handler(shareSessionCreate, async (call, input) => {
  const opened = await openLink(call, input)
  await targetOf(opened)
  await requireView(opened)
  const { permission, target_type } = opened.link
  const { token, expires_at } = sessionOf(call, input.token, opened.link)
  return {
    token,
    expires_at: expires_at.toISOString(),
    expires_in_seconds: Math.max(0, Math.floor((expires_at.getTime() - opened.inside.clock.now().getTime()) / 1000)),
    permission,
    target_type,
    tilejson_url: tilejsonUrl(call.baseUrl, token),
  }
})
