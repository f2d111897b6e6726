import type { NewPersonalToken, PersonalToken } from '@swath/contract/schemas/people/personal-token.ts'
import { limits } from '@swath/contract/limits.ts'
import { expandDelegatedScopes, isRequestableScope } from '@swath/contract/scopes.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { requireHeldScopes } from '../../../engine/principal.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { OrganizationCurrentTimes } from '../../../platform/clock.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import type { DbConnection, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../engine/actor.ts'
import { lockUser } from '../memberships/store.memberships.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import {
  countActivePersonalTokens,
  deletePersonalTokens,
  findPersonalToken,
  insertPersonalToken,
  listPersonalTokensEndedBefore,
  markPersonalTokenRevoked,
  markPersonalTokensOfUserRevoked,
  type PersonalTokenRow,
} from './store.personal-tokens.ts'

export const toPersonalToken = (row: PersonalTokenRow): PersonalToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  organization_id: row.organization_id,
  scopes: [...row.scopes],
  expires_at: row.expires_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_address: row.last_used_address,
  created_at: row.created_at.toISOString(),
})

/** The concrete scopes of a new credential. Throws `validation` for one that does not exist. */
export function readDelegatedScopes(patterns: readonly string[], field = 'scopes'): string[] {
  const errors = patterns.flatMap((pattern, index) =>
    isRequestableScope(pattern) ? [] : [{ path: `${field}.${index}`, message: 'must be a scope' }],
  )
  if (errors.length > 0) throw validationProblem(errors)
  const scopes = expandDelegatedScopes(patterns)
  if (scopes.length > 0) return scopes
  throw validationProblem([
    { path: field, message: 'must name at least one scope; those that make credentials by name' },
  ])
}

/**
 * Creates a token of the caller for the organization of its token. Throws `insufficient-scope` for more than the token of the caller
 * may do, and `invalid-state` if there are too many.
 */
export async function createPersonalToken(
  call: Call,
  input: { readonly name: string; readonly scopes: readonly string[]; readonly expires_in_days: number },
): Promise<NewPersonalToken> {
  const { organization, principal, clock } = call
  const scopes = readDelegatedScopes(input.scopes)
  requireHeldScopes(principal, scopes, 'the new token')
  const now = clock.now()
  const { text, hash, prefix } = generateChecksummedToken('personal_token')
  const row: PersonalTokenRow = {
    id: newId(),
    organization_id: organization,
    user_id: principal.id,
    name: input.name,
    prefix,
    scopes,
    expires_at: new Date(now.getTime() + input.expires_in_days * day_ms),
    revoked_at: null,
    by_provider: principal.provider_organization !== undefined,
    last_used_at: null,
    last_used_address: null,
    created_at: now,
  }
  // Unscoped, because the directory of hashes belongs to no organization.
  await call.unscoped.transaction(async (tx) => {
    await lockUser(tx, principal.id)
    if ((await countActivePersonalTokens(tx, organization, principal.id, now)) >= limits.max_personal_tokens)
      throw new Problem('invalid-state', `You have ${limits.max_personal_tokens} active tokens; revoke one first.`)
    await insertPersonalToken(tx, row, hash)
  })
  return { ...toPersonalToken(row), token: text }
}

/** A token of the organization; throws `not-found`. */
export async function requirePersonalToken(call: Call, id: string): Promise<PersonalTokenRow> {
  const row = await findPersonalToken(call.db, call.organization, id)
  if (!row) throw createUnknownTokenProblem(id)
  return row
}

export const createUnknownTokenProblem = (id: string): Problem =>
  new Problem('not-found', `No personal access token has the id "${id}".`)

/** Revokes a token: at once in this process, a moment later in every other. */
export const revokePersonalToken = ({ unscoped, clock }: Call, row: PersonalTokenRow): Promise<void> =>
  unscoped.transaction(async (tx) => {
    await markPersonalTokenRevoked(tx, row.organization_id, row.id, clock.now())
    await publishPrincipalChange(tx, `token:${row.id}`)
  })

/** Revokes all tokens of a user for the organization of the actor. The caller publishes the change of the user. */
export const revokePersonalTokensOfUser = (
  tx: Tx,
  { organization, clock }: Pick<Actor, 'organization' | 'clock'>,
  user: string,
): Promise<void> => markPersonalTokensOfUserRevoked(tx, organization, user, clock.now())

/** Deletes the tokens of all organizations but sandboxes that ended by those times, one organization after the other. */
export async function deleteEndedPersonalTokens(
  unscoped: DbConnection,
  times: OrganizationCurrentTimes,
  max_batch_tokens = 1000,
): Promise<void> {
  for (let count = max_batch_tokens; count === max_batch_tokens;) {
    const tokens = await listPersonalTokensEndedBefore(unscoped, times, max_batch_tokens)
    for (const [organization, ended] of Map.groupBy(tokens, (token) => token.organization_id)) {
      const ids = ended.map(({ id }) => id)
      await unscoped.transaction((tx) => deletePersonalTokens(tx, organization, ids))
    }
    count = tokens.length
  }
}
