import { Problem } from '../../engine/problem.ts'
import type { OpenLink } from './open-link.ts'
import { countView } from './store.visits.ts'

/** Counts an opening of the link. Throws `quota-exceeded` where it has been opened as often as it may be. */
export async function requireView({ link, inside }: OpenLink): Promise<void> {
  const now = inside.clock.now(link.organization_id)
  if (await countView(inside.db, link.organization_id, link.id, now)) return
  throw new Problem('quota-exceeded', 'The link has been opened as often as it may be.', { retry_after_s: 86_400 })
}
