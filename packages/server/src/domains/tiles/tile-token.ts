import type { TileToken } from '@swath/contract/schemas/tile-token.ts'
import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import type { TileTokenTarget } from '../identity/tile-tokens/tile-tokens.ts'
import type { StoredTileToken } from '../identity/tile-tokens/store.tile-tokens.ts'
import { requireItem } from '../items/access.ts'

interface TileTokenTargetInput {
  readonly item_id?: string | null
  readonly collection_id?: string | null
}

/** The item or collection of a tile token, if the caller may read it; exactly one must be passed. */
export async function requireTileTokenTarget(
  call: Call,
  { item_id, collection_id }: TileTokenTargetInput,
): Promise<TileTokenTarget> {
  if (item_id && !collection_id) {
    return { item_id: (await requireItem(call, item_id, 'read')).id, collection_id: null }
  }
  if (collection_id && !item_id) {
    return { item_id: null, collection_id: (await requireCollection(call, collection_id, 'read')).id }
  }
  throw validationProblem([{ path: 'item_id', message: 'exactly one of item_id and collection_id is required' }])
}

/** The API representation of a tile token, without its secret. */
export const toTileToken = (token: StoredTileToken): TileToken => ({
  id: token.id,
  item_id: token.item_id,
  collection_id: token.collection_id,
  name: token.name,
  prefix: token.prefix,
  expires_at: token.expires_at.toISOString(),
  created_at: token.created_at.toISOString(),
  revoked_at: token.revoked_at?.toISOString() ?? null,
})
