import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { LinkRow } from './store.ts'
import { countView } from './store.visits.ts'

const opensNoMore = (): Problem =>
  new Problem('quota-exceeded', 'The link has been opened as often as it may be.', { retry_after_s: 86_400 })

/** Counts an opening of the link. Throws `quota-exceeded` where it has been opened as often as it may be. */
export async function requireView({ link, inside }: { readonly link: LinkRow; readonly inside: Call }): Promise<void> {
  const now = inside.clock.now()
  if (await countView(inside.db, link.organization_id, link.id, now)) return
  throw opensNoMore()
}

/** The password opens no more either, whatever it is shown for; sessions that were begun before go on. */
export function requireViewLeft({ view_cap, views }: LinkRow): void {
  if (view_cap !== null && views >= view_cap) throw opensNoMore()
}
