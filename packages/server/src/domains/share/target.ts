import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import { requireItem } from '../items/access.ts'

export type ShareableType = 'item' | 'collection'

/** The item or collection, if the caller may share it. Throws what its module throws. */
export const requireShareableTarget = (call: Call, type: ShareableType, id: string): Promise<{ project_id: string }> =>
  type === 'item' ? requireItem(call, id, 'write') : requireCollection(call, id, 'write')

/** Throws `not-found` or `not-a-member` unless the caller can read the target, of one type or of any. */
export async function requireReadableShareTarget(call: Call, type: ShareableType | null, id: string): Promise<void> {
  if (type === 'collection') return void (await requireCollection(call, id, 'read'))
  try {
    await requireItem(call, id, 'read', { allowExpired: true })
  } catch (error) {
    if (type === 'item' || !(error instanceof Problem) || error.problem !== 'not-found') throw error
    await requireCollection(call, id, 'read')
  }
}
