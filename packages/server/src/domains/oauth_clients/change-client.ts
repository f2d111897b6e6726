import type { Call } from '../../engine/call.ts'
import type { Actor } from '../../engine/actor.ts'
import { requireHeldScopes } from '../../engine/principal.ts'
import { Problem } from '../../engine/problem.ts'
import { shiftTime } from '../../platform/clock.ts'
import { hashSecretSha256 } from '../../platform/crypto/secrets.ts'
import { generateToken } from '../../platform/crypto/token-prefixes.ts'
import type { Tx } from '../../platform/database/database.ts'
import {
  findOAuthClient,
  lockOAuthClient,
  updateOAuthClient,
  upsertClientKey,
  type OAuthClientRow,
} from '../identity/clients/store.oauth-clients.ts'
import { endClientSessions } from '../identity/clients/end-client-sessions.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { requireAuthorityOver } from '../organizations/membership.ts'

const createUnknownClientProblem = (id: string): Problem =>
  new Problem('not-found', `No OAuth client has the id "${id}".`)

/** A client of the organization; throws `not-found`. */
export async function requireOAuthClient(call: Pick<Call, 'db' | 'organization'>, id: string): Promise<OAuthClientRow> {
  const row = await findOAuthClient(call.db, call.organization, id)
  if (!row) throw createUnknownClientProblem(id)
  return row
}

/** The same, locked, for a caller who may act on its creator, whose role the client has. Throws `forbidden`. */
export async function lockManageableClient(tx: Tx, call: Call, id: string): Promise<OAuthClientRow> {
  const row = await lockOAuthClient(tx, call.organization, id)
  if (!row) throw createUnknownClientProblem(id)
  const { organization, principal } = call
  await requireAuthorityOver({ organization, principal, db: tx }, row.created_by)
  return row
}

export interface GeneratedSecret {
  readonly text: string
  readonly hash: string
}

/** 48 characters of base 62: 285 random bits, stored as their SHA-256. */
export function generateClientSecret(): GeneratedSecret {
  const text = generateToken('client_secret', 48)
  return { text, hash: hashSecretSha256(text) }
}

/** Writes what a client may do for its organization: nothing if it is disabled or has not the grant. */
export async function writeClientKey(tx: Tx, row: OAuthClientRow): Promise<void> {
  const acts = row.grants.includes('client_credentials') && row.disabled_at === null
  await upsertClientKey(tx, {
    organization_id: row.organization_id,
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_by: row.created_by,
    revoked_at: acts ? null : (row.disabled_at ?? row.updated_at),
    created_at: row.created_at,
  })
  await publishPrincipalChange(tx, `key:${row.id}`)
}

/** Replaces the secret of a client; the one before is accepted for so many milliseconds. */
export async function replaceClientSecret(
  tx: Tx,
  { clock }: Pick<Actor, 'clock'>,
  row: OAuthClientRow,
  overlap_ms: number,
): Promise<{ readonly row: OAuthClientRow; readonly secret: string }> {
  const now = clock.now()
  const { text, hash } = generateClientSecret()
  const replaced: OAuthClientRow = {
    ...row,
    secret_hash: hash,
    former_secret_hash: overlap_ms > 0 ? row.secret_hash : null,
    former_secret_expires_at: overlap_ms > 0 ? shiftTime(now, overlap_ms) : null,
    updated_at: now,
  }
  await updateOAuthClient(tx, replaced)
  return { row: replaced, secret: text }
}

/**
 * Gives a client that acts for its organization to the actor, whose role it has from now on, with another secret; null for an id that
 * is none of a client. Who is gone may still have the former secret, and tokens. Throws `insufficient-scope`.
 */
export async function takeOverClient(tx: Tx, actor: Actor, id: string): Promise<string | null> {
  const found = await lockOAuthClient(tx, actor.organization, id)
  if (!found) return null
  requireHeldScopes(actor.principal, found.scopes, 'the client')
  const { row, secret } = await replaceClientSecret(tx, actor, { ...found, created_by: actor.principal.id }, 0)
  await writeClientKey(tx, row)
  await endClientSessions(tx, actor, id, { reason: 'taken-over' })
  return secret
}
