import { humanScopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { hashChecksummedToken } from '../../../platform/crypto/secrets.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import type { AuthenticationDependencies } from '../dependencies.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, findUserAuthInOrganization } from '../store.ts'
import { UnknownCredentials } from '../unknown-credentials.ts'
import { findImpersonation } from './store.impersonations.ts'

const unknownMessage = 'The token to read as another user is unknown or expired.'

/**
 * The principal of an operator who reads as a user: what the user sees, without the scopes of operators. The pipeline refuses it
 * everything but reads. Looked up at each call, so that it ends with the user, the operator and its time. Throws
 * `unauthenticated`.
 */
export async function resolveImpersonatedPrincipal(
  { unscoped, clock }: Pick<AuthenticationDependencies, 'unscoped' | 'clock'>,
  token: string,
): Promise<Principal> {
  const hash = hashChecksummedToken('impersonation_token', token)
  const row = hash && (await findImpersonation(unscoped, hash))
  if (!row) throw new UnknownCredentials(unknownMessage)
  const operator = await findUserAuth(unscoped, row.administrator_id)
  const user = await findUserAuthInOrganization(unscoped, row.organization_id, row.user_id)
  const principal = user && toUserPrincipal(user)
  const isOperatorActive = operator !== null && operator.is_administrator && operator.disabled_at === null
  if (!isOperatorActive || principal?.organization !== row.organization_id || row.expires_at <= clock.now())
    throw new Problem('unauthenticated', unknownMessage)
  await refreshSandboxTime({ unscoped, clock }, row.organization_id)
  return {
    ...principal,
    scopes: humanScopes,
    administrator: false,
    impersonator: row.administrator_id,
    token_subjects: [`user:${row.administrator_id}`, `user:${row.user_id}`, `organization:${row.organization_id}`],
  }
}
