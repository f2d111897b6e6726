import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { makeTileToken } from '../../platform/crypto/secrets.ts'
import { newId } from '../../platform/ids.ts'
import { announceChange } from './changes.ts'
import {
  findTileToken,
  insertTileToken,
  listLiveTileTokens,
  markTileTokenRevoked,
  type TileTokenFacts,
} from './store.tile-tokens.ts'

export type { TileTokenFacts } from './store.tile-tokens.ts'

/** The target of a tile token: one of the two is null. */
export type TileTokenHolder = Pick<TileTokenFacts, 'item_id' | 'collection_id'>

/**
 * Issues a token for tile URLs, with the permissions of the calling user, or of the issuer of the calling key; the latter
 * ends with the key. The caller checks the access to the target. Only the hash is stored.
 */
export async function issueTileToken(
  call: Call,
  wanted: TileTokenHolder & { readonly name: string; readonly lifetime_s: number },
): Promise<{ token: TileTokenFacts; text: string }> {
  const { kind, id, user } = call.principal
  if (user === null) throw new Problem('user-required', 'Tile tokens have the permissions of a user.')
  const { text, hash, prefix } = makeTileToken()
  const now = call.clock.now()
  const token: TileTokenFacts = {
    id: newId(),
    item_id: wanted.item_id,
    collection_id: wanted.collection_id,
    name: wanted.name,
    prefix,
    issuer: user,
    key_id: kind === 'api_key' ? id : null,
    expires_at: new Date(now.getTime() + wanted.lifetime_s * 1000),
    revoked_at: null,
    created_at: now,
  }
  // Unscoped, because the directory of hashes belongs to no organization.
  await call.across.transaction((tx) => insertTileToken(tx, { ...token, organization_id: call.organization }, hash))
  return { token, text }
}

/** The active tokens of an item or a collection, newest first. */
export const liveTileTokens = (call: Call, holder: TileTokenHolder): Promise<TileTokenFacts[]> =>
  listLiveTileTokens(call.db, call.organization, holder, call.clock.now())

/** A token of the caller's organization; throws `not-found`. */
export async function requireTileToken(call: Call, id: string): Promise<TileTokenFacts> {
  const token = await findTileToken(call.db, call.organization, id)
  if (!token) throw new Problem('not-found', `No tile token has the id "${id}".`)
  return token
}

/** Revokes a token: at once in this process, a moment later in every other. */
export async function endTileToken(call: Call, id: string): Promise<void> {
  await call.across.transaction(async (tx) => {
    await markTileTokenRevoked(tx, call.organization, id, call.clock.now())
    await announceChange(tx, `tile:${id}`)
  })
}
