import type { Call } from '../../../engine/call.ts'
import { getCallingApiKeyId } from '../../../engine/principal.ts'
import { Problem } from '../../../engine/problem.ts'
import type { OrganizationCurrentTimes } from '../../../platform/clock.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import {
  deleteTileTokens,
  findTileToken,
  insertTileToken,
  listTileTokensEndedBefore,
  listActiveTileTokenRows,
  listActiveTileTokensOfIssuer,
  markTileTokenRevoked,
  type StoredTileToken,
} from './store.tile-tokens.ts'

/** The target of a tile token: one of the two is null. */
export type TileTokenTarget = Pick<StoredTileToken, 'item_id' | 'collection_id'>

/**
 * Issues a token for tile URLs, with the permissions of the calling user, or of the issuer of the calling key; the latter
 * ends with the key. The caller checks the access to the target. Only the hash is stored.
 */
export async function issueTileToken(
  call: Call,
  input: TileTokenTarget & { readonly name: string; readonly lifetime_s: number },
): Promise<{ token: StoredTileToken; text: string }> {
  const { user } = call.principal
  if (user === null) throw new Problem('user-required', 'Tile tokens have the permissions of a user.')
  const { text, hash, prefix } = generateChecksummedToken('tile_token')
  const now = call.clock.now()
  const token: StoredTileToken = {
    id: newId(),
    item_id: input.item_id,
    collection_id: input.collection_id,
    name: input.name,
    prefix,
    issuer: user,
    key_id: getCallingApiKeyId(call.principal),
    expires_at: new Date(now.getTime() + input.lifetime_s * 1000),
    revoked_at: null,
    created_at: now,
  }
  // Unscoped, because the directory of hashes belongs to no organization.
  await call.unscoped.transaction((tx) => insertTileToken(tx, { ...token, organization_id: call.organization }, hash))
  return { token, text }
}

/** The active tokens of an item or a collection, newest first. */
export const listActiveTileTokens = (call: Call, target: TileTokenTarget): Promise<StoredTileToken[]> =>
  listActiveTileTokenRows(call.db, call.organization, target, call.clock.now())

/** The active tokens with the permissions of the calling user, or of the issuer of the calling key, newest first. */
export const listActiveTileTokensOfCaller = async (call: Call): Promise<StoredTileToken[]> =>
  call.principal.user === null
    ? []
    : listActiveTileTokensOfIssuer(call.db, call.organization, call.principal.user, call.clock.now())

/** A token of the caller's organization; throws `not-found`. */
export async function requireTileToken(call: Call, id: string): Promise<StoredTileToken> {
  const token = await findTileToken(call.db, call.organization, id)
  if (!token) throw new Problem('not-found', `No tile token has the id "${id}".`)
  return token
}

/** Revokes a token: at once in this process, a moment later in every other. */
export async function revokeTileTokenById(call: Call, id: string): Promise<void> {
  await call.unscoped.transaction(async (tx) => {
    await markTileTokenRevoked(tx, call.organization, id, call.clock.now())
    await publishPrincipalChange(tx, `tile:${id}`)
  })
}

/**
 * Deletes the tokens of all organizations but sandboxes that ended by those times. So many are listed at a time, and then
 * deleted for one organization after the other.
 */
export async function deleteEndedTileTokens(
  unscoped: DbConnection,
  times: OrganizationCurrentTimes,
  max_batch_tokens = 1000,
): Promise<void> {
  for (let count = max_batch_tokens; count === max_batch_tokens;) {
    const tokens = await listTileTokensEndedBefore(unscoped, times, max_batch_tokens)
    for (const [organization, ended] of Map.groupBy(tokens, (token) => token.organization_id)) {
      const ids = ended.map(({ id }) => id)
      await unscoped.transaction((tx) => deleteTileTokens(tx, organization, ids))
    }
    count = tokens.length
  }
}
