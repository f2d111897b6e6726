import type { ScimToken } from '@swath/contract/schemas/people/federation.ts'
import { limits } from '@swath/contract/limits.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Actor } from '../../../engine/actor.ts'
import { Problem } from '../../../engine/problem.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { generateToken, token_prefixes } from '../../../platform/crypto/token-prefixes.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { emitEvent } from '../../events/emit.ts'
import {
  countScimTokens,
  findScimToken,
  insertScimToken,
  markScimTokenRevoked,
  type ScimTokenRow,
} from './store.scim-tokens.ts'

/** The path of SCIM below the base URL. */
export const scimPath = '/scim/v2'

export const toScimToken = (row: ScimTokenRow): ScimToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
})

const prefix_length = token_prefixes.scim_token.length + 4

/** Creates a token in an unscoped transaction; its text is returned once. Throws `invalid-state` for too many. */
export async function createScimToken(
  tx: Tx,
  actor: Actor,
  { name, expires_in_days }: { readonly name: string; readonly expires_in_days: number | null },
): Promise<{ readonly row: ScimTokenRow; readonly token: string }> {
  const { organization, clock, principal } = actor
  if ((await countScimTokens(tx, organization)) >= limits.max_scim_tokens)
    throw new Problem('invalid-state', `An organization has ${limits.max_scim_tokens} SCIM tokens at most.`)
  const token = generateToken('scim_token', 48)
  const created_at = clock.now()
  const row = {
    id: newId(),
    name,
    prefix: token.slice(0, prefix_length),
    created_by: principal.id,
    created_at,
    expires_at: expires_in_days === null ? null : new Date(created_at.getTime() + expires_in_days * day_ms),
  }
  await insertScimToken(tx, organization, { ...row, token_hash: hashSecretSha256(token) })
  await emitEvent(tx, actor, {
    kind: 'scim_token.created',
    entity_type: 'scim_token',
    entity_id: row.id,
    data: { name },
  })
  return { row: { ...row, last_used_at: null, revoked_at: null }, token }
}

/** Revokes a token in an unscoped transaction. Throws `not-found`, and `invalid-state` for one that was revoked. */
export async function revokeScimToken(tx: Tx, actor: Actor, id: string): Promise<ScimTokenRow> {
  const { organization, clock } = actor
  const row = await markScimTokenRevoked(tx, organization, id, clock.now())
  if (!row) {
    if (await findScimToken(tx, organization, id)) throw new Problem('invalid-state', 'The token was revoked before.')
    throw new Problem('not-found', `No SCIM token has the id "${id}".`)
  }
  const { name } = row
  await emitEvent(tx, actor, { kind: 'scim_token.revoked', entity_type: 'scim_token', entity_id: id, data: { name } })
  return row
}
