import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { ShareLinkRow } from './store.ts'
import { updateShareViewCount } from './store.counters.ts'

const viewCapReached = (): Problem =>
  new Problem('quota-exceeded', 'The view cap of the link is reached.', { retry_after_s: 86_400 })

/** Counts a view of the link. Throws `quota-exceeded` if its view cap is reached. */
export async function consumeShareView({
  link,
  ownerCall,
}: {
  readonly link: ShareLinkRow
  readonly ownerCall: Call
}): Promise<void> {
  const now = ownerCall.clock.now()
  if (await updateShareViewCount(ownerCall.db, link.organization_id, link.id, now)) return
  throw viewCapReached()
}

/** Throws `quota-exceeded` if the view cap is reached; only sessions that were issued before stay valid. */
export function requireShareViewsLeft({ view_cap, views }: ShareLinkRow): void {
  if (view_cap !== null && views >= view_cap) throw viewCapReached()
}
