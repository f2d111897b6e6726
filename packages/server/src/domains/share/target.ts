import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import { requireItem } from '../items/access.ts'

export type TargetType = 'item' | 'collection'

/** The item or collection, if the caller may share it. Throws what its module throws. */
export const requireTarget = (call: Call, type: TargetType, id: string): Promise<{ project_id: string }> =>
  type === 'item' ? requireItem(call, id, 'write') : requireCollection(call, id, 'write')

/** Throws `not-found` or `not-a-member` unless the caller can read the target, of one type or of any. */
export async function requireVisible(call: Call, type: TargetType | null, id: string): Promise<void> {
  if (type === 'collection') return void (await requireCollection(call, id, 'read'))
  try {
    await requireItem(call, id, 'read', { allowExpired: true })
  } catch (error) {
    if (type === 'item' || !(error instanceof Problem) || error.problem !== 'not-found') throw error
    await requireCollection(call, id, 'read')
  }
}
