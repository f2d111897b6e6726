import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { LinkRow } from './store.ts'
import { countView } from './store.visits.ts'

const opensNoMore = (): Problem =>
  new Problem('quota-exceeded', 'The view cap of the link is reached.', { retry_after_s: 86_400 })

/** Counts a view of the link. Throws `quota-exceeded` if its view cap is reached. */
export async function requireView({ link, inside }: { readonly link: LinkRow; readonly inside: Call }): Promise<void> {
  const now = inside.clock.now()
  if (await countView(inside.db, link.organization_id, link.id, now)) return
  throw opensNoMore()
}

/** Throws `quota-exceeded` if the view cap is reached; only sessions that were issued before stay valid. */
export function requireViewLeft({ view_cap, views }: LinkRow): void {
  if (view_cap !== null && views >= view_cap) throw opensNoMore()
}
