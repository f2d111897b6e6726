import type { OrganizationClocks } from '../../../platform/clock.ts'
import { hashChecksummedToken } from '../../../platform/crypto/secrets.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import type { AuthenticationDependencies } from '../dependencies.ts'
import { toProviderUser } from '../federation/admission.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { toUserPrincipal } from '../principals.ts'
import { narrowPrincipal } from '../requested-scopes.ts'
import { findUserAuthInOrganization } from '../store.ts'
import type { VerifiedToken } from '../token-cache.ts'
import { UnknownCredentials } from '../unknown-credentials.ts'
import {
  findPersonalToken,
  findPersonalTokenByHash,
  markPersonalTokenRevoked,
  type PersonalTokenRow,
} from './store.personal-tokens.ts'

export const unknownPersonalTokenMessage = 'The personal access token is unknown, expired or revoked.'

type TokenDependencies = Pick<AuthenticationDependencies, 'unscoped' | 'clock'>

/**
 * The user of a personal access token, in its organization, with its scopes; null if it has ended, or its user may not act in the
 * organization any more. Throws `UnknownCredentials`.
 */
export async function verifyPersonalToken(
  dependencies: TokenDependencies,
  text: string,
  expires_at: Date,
): Promise<VerifiedToken | null> {
  const row = await findByText(dependencies.unscoped, text)
  if (!row) throw new UnknownCredentials(unknownPersonalTokenMessage)
  await refreshSandboxTime(dependencies, row.organization_id)
  const principal = await toPrincipal(dependencies, row)
  const subjects = [`token:${row.id}`, `user:${row.user_id}`, `organization:${row.organization_id}`]
  return principal && { principal, expires_at, ends_at: row.expires_at, subjects }
}

const findByText = async (unscoped: SqlStatementRunner, text: string): Promise<PersonalTokenRow | null> => {
  const hash = hashChecksummedToken('personal_token', text)
  return hash === null ? null : findPersonalTokenByHash(unscoped, hash)
}

const isActive = (row: PersonalTokenRow, clocks: OrganizationClocks): boolean =>
  row.revoked_at === null && row.expires_at > clocks.forOrganization(row.organization_id).now()

async function toPrincipal({ unscoped, clock }: TokenDependencies, row: PersonalTokenRow) {
  if (!isActive(row, clock)) return null
  const user = await findUserAuthInOrganization(unscoped, row.organization_id, row.user_id)
  const principal = user && toUserPrincipal(row.by_provider ? toProviderUser(user, row.organization_id) : user)
  return principal && { ...narrowPrincipal(principal, row.scopes), personal_token: row.id }
}

/** True while the token may be used, as the database has it. */
export async function isPersonalTokenActive(
  unscoped: SqlStatementRunner,
  clocks: OrganizationClocks,
  { organization, id }: { readonly organization: string; readonly id: string },
): Promise<boolean> {
  const row = await findPersonalToken(unscoped, organization, id)
  return row !== null && isActive(row, clocks)
}

/** Whoever has a token may end it (RFC 7009); an unknown one is ignored. */
export async function revokePresentedPersonalToken(
  { unscoped, clock }: TokenDependencies,
  text: string,
): Promise<void> {
  const row = await findByText(unscoped, text)
  if (!row) return
  await unscoped.transaction(async (tx) => {
    await markPersonalTokenRevoked(tx, row.organization_id, row.id, clock.forOrganization(row.organization_id).now())
    await publishPrincipalChange(tx, `token:${row.id}`)
  })
}
