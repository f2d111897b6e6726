import type { Actor } from '../../engine/actor.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { generateChecksummedToken } from '../../platform/crypto/secrets.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { endApiKeySessions } from '../identity/sessions.ts'
import { upsertBillingDeadline, deleteBillingDeadline } from '../ledger/store.deadlines.ts'
import { emitStoppedDelegations } from '../organizations/delegations.ts'
import { requireOwnScopes } from './permissions.ts'
import {
  deleteApiKeyHash,
  insertApiKey,
  insertApiKeyHash,
  markApiKeyRevoked,
  updateApiKeySecret,
  type ApiKeyRow,
} from './store.ts'

/** The properties of a key that its creator sets. */
export type ApiKeyInput = Pick<
  ApiKeyRow,
  'organization_id' | 'name' | 'permissions' | 'rate_limit' | 'spend_cap_credits' | 'created_by' | 'expires_at'
>

/** A stored key, and its secret, which is not available afterwards. */
export interface IssuedApiKey {
  readonly row: ApiKeyRow
  readonly secret: string
}

/** Stores a new key. The transaction is unscoped, because the directory of hashes belongs to no organization. */
export async function issueApiKey(tx: Tx, input: ApiKeyInput, now: OrganizationTime): Promise<IssuedApiKey> {
  const { text: secret, hash, prefix, last_four } = generateChecksummedToken('api_key')
  const row = { id: newId(), ...input, prefix, last_four, revoked_at: null, last_used_at: null, created_at: now }
  const { organization_id: organization, id: subject, expires_at: due_at } = row
  await insertApiKey(tx, row)
  await insertApiKeyHash(tx, hash, organization, subject)
  if (due_at) await upsertBillingDeadline(tx, { organization, kind: 'key-expiry', subject, due_at })
  return { row, secret }
}

/**
 * Gives a key a new secret and returns it. The former one, and the sessions that began with it, are not valid any more. The
 * transaction is unscoped, because the directory of hashes and sessions belong to no organization. Throws `insufficient-scope` for
 * a key that may do what the token of the caller may not.
 */
export async function replaceApiKeySecret(
  tx: Tx,
  { organization, clock, principal }: Actor,
  key: string,
): Promise<string> {
  const { text, hash, prefix, last_four } = generateChecksummedToken('api_key')
  await deleteApiKeyHash(tx, organization, key)
  await insertApiKeyHash(tx, hash, organization, key)
  const secret = { organization_id: organization, id: key, prefix, last_four }
  requireOwnScopes(principal, await updateApiKeySecret(tx, secret))
  await endApiKeySessions(tx, clock, key)
  await publishPrincipalChange(tx, `key:${key}`)
  return text
}

/**
 * Revokes a key of the organization of the actor; returns its stored id, null if there is no such key. The transaction is
 * unscoped, because every process must be notified.
 */
export async function revokeApiKey(tx: Tx, actor: Actor, key_id: string): Promise<string | null> {
  const { organization, clock } = actor
  const key = await markApiKeyRevoked(tx, organization, key_id, clock.now())
  if (key === null) return null
  await publishPrincipalChange(tx, `key:${key}`)
  await deleteBillingDeadline(tx, organization, 'key-expiry', key)
  await emitStoppedDelegations(tx, actor, { api_key: key })
  return key
}
