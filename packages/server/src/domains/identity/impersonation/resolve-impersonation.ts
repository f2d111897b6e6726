import { humanScopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { toProcessClockTime, type Clock } from '../../../platform/clock.ts'
import { hashChecksummedToken } from '../../../platform/crypto/secrets.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import { isSupportAccessActive } from '../../organizations/support-access/store.support-access.ts'
import { toSupportAccessSubject } from '../../organizations/support-access/support-access.ts'
import type { AuthenticationDependencies } from '../dependencies.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, findUserAuthInOrganization } from '../store.ts'
import { UnknownCredentials } from '../unknown-credentials.ts'
import { findImpersonation, findImpersonationById, type ImpersonationRow } from './store.impersonations.ts'

const unknownMessage = 'The token to read as another user is unknown or expired.'

const subjectPrefix = 'impersonation:'

interface ImpersonationDependencies {
  readonly unscoped: SqlStatementRunner
  readonly clock: Clock
}

/**
 * The principal of an operator who reads as a user: what the user sees, without the scopes of operators. The pipeline refuses it
 * everything but reads. Looked up at each call, so that it ends with the user, the operator, the support access and its time. Throws
 * `unauthenticated`.
 */
export async function resolveImpersonatedPrincipal(
  dependencies: Pick<AuthenticationDependencies, 'unscoped' | 'clock'>,
  token: string,
): Promise<Principal> {
  const hash = hashChecksummedToken('impersonation_token', token)
  const row = hash && (await findImpersonation(dependencies.unscoped, hash))
  if (!row) throw new UnknownCredentials(unknownMessage)
  const principal = await findImpersonatedPrincipal(dependencies, row)
  if (!principal) throw new Problem('unauthenticated', unknownMessage)
  await refreshSandboxTime(dependencies, row.organization_id)
  return {
    ...principal,
    scopes: humanScopes,
    administrator: false,
    impersonator: row.administrator_id,
    token_subjects: [
      `${subjectPrefix}${row.id}`,
      `user:${row.administrator_id}`,
      `user:${row.user_id}`,
      `organization:${row.organization_id}`,
      ...(row.support_access_id === null ? [] : [toSupportAccessSubject(row.support_access_id)]),
    ],
  }
}

/** False if the impersonation of a principal has ended since its call was authenticated. */
export async function isImpersonationActive(
  dependencies: ImpersonationDependencies,
  { token_subjects = [] }: Principal,
): Promise<boolean> {
  const subject = token_subjects.find((one) => one.startsWith(subjectPrefix))
  const row = subject && (await findImpersonationById(dependencies.unscoped, subject.slice(subjectPrefix.length)))
  return row ? (await findImpersonatedPrincipal(dependencies, row)) !== null : false
}

/** Null if the operator or the user may not act any more, or the support access or the token is over. */
async function findImpersonatedPrincipal(
  { unscoped, clock }: ImpersonationDependencies,
  { administrator_id, user_id, organization_id, support_access_id, expires_at }: ImpersonationRow,
): Promise<Principal | null> {
  const at = toProcessClockTime(clock)
  if (expires_at <= at || support_access_id === null) return null
  const operator = await findUserAuth(unscoped, administrator_id)
  if (!operator?.is_administrator || operator.disabled_at !== null) return null
  if (!(await isSupportAccessActive(unscoped, organization_id, support_access_id, at))) return null
  const user = await findUserAuthInOrganization(unscoped, organization_id, user_id)
  const principal = user && toUserPrincipal(user)
  return principal?.organization === organization_id ? principal : null
}
