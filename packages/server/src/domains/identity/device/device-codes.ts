import { limits } from '@swath/contract/limits.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { generateToken } from '../../../platform/crypto/token-prefixes.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { isOAuthClientId } from '../clients/oauth-client.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { toUserPrincipal } from '../principals.ts'
import { chooseSessionScopes } from '../requested-scopes.ts'
import { isRuleSatisfied } from '../second-factor/methods.ts'
import { createSession, revokeSession } from '../sessions.ts'
import type { SessionOrigin } from '../store.sessions.ts'
import type { IssuedSession } from '../token-response.ts'
import {
  insertDeviceCode,
  lockDeviceCode,
  markDeviceCodeUsed,
  updateDeviceCodePoll,
  type DeviceCode,
  type DeviceCodeRow,
} from './store.device-codes.ts'
import { createUserCode } from './user-codes.ts'

type CodeDependencies = Pick<IdentityDependencies, 'unscoped' | 'clock'>

const lifetime_ms = limits.device_code_seconds * 1000

export interface IssuedDeviceCode {
  /** 285 random bits, which the program keeps. */
  readonly device_code: string
  /** The code that the user enters. */
  readonly user_code: string
}

/** Issues a pair of codes, stored as their SHA-256. */
export async function issueDeviceCode(
  { unscoped, clock }: CodeDependencies,
  asking: Pick<DeviceCode, 'client_id' | 'scopes' | 'resources' | 'address'>,
): Promise<IssuedDeviceCode> {
  const device_code = generateToken('device_code', 48)
  const created_at = clock.now()
  for (;;) {
    const user_code = createUserCode()
    const isNew = await insertDeviceCode(unscoped, {
      ...asking,
      device_code_hash: hashSecretSha256(device_code),
      user_code_hash: hashSecretSha256(user_code),
      created_at,
      expires_at: new Date(created_at.getTime() + lifetime_ms),
      interval_seconds: limits.device_poll_seconds,
    })
    if (isNew) return { device_code, user_code }
  }
}

export type DeviceCodeRedemption =
  | { readonly outcome: 'redeemed'; readonly user_id: string; readonly issued: IssuedSession }
  | { readonly outcome: DeviceCodeRefusal }

/** The reasons why no tokens are issued, or not yet (RFC 8628 3.5). */
export type DeviceCodeRefusal =
  | 'unknown'
  | 'reused'
  | 'mismatch'
  | 'expired'
  | 'denied'
  | 'pending'
  | 'tooEarly'
  | 'signedOut'
  | 'secondFactor'
  | 'noScope'

/**
 * Exchanges a code for a session once its user has allowed it. A second use ends the session of the first one: one of the two
 * programs is not the one that the code was issued to.
 */
export const redeemDeviceCode = (
  { unscoped, clock }: CodeDependencies,
  presented: { readonly device_code: string; readonly client_id: string; readonly origin: SessionOrigin },
): Promise<DeviceCodeRedemption> =>
  unscoped.transaction(async (tx): Promise<DeviceCodeRedemption> => {
    const now = clock.now()
    const row = await lockDeviceCode(tx, hashSecretSha256(presented.device_code))
    if (!row) return { outcome: 'unknown' }
    if (row.client_id !== presented.client_id) return { outcome: 'mismatch' }
    if (row.session_id !== null) {
      await revokeSession(tx, row.session_id, 'code-reused', now)
      return { outcome: 'reused' }
    }
    if (row.expires_at <= now) return { outcome: 'expired' }
    if (row.decision === 'DENIED') return { outcome: 'denied' }
    if (row.decision === null) return { outcome: await countPoll(tx, row, now) }
    if (row.browser_revoked_at !== null) return { outcome: 'signedOut' }
    const issued = await createDeviceSession(tx, row, presented.origin, now)
    if (!issued) return { outcome: 'signedOut' }
    if (typeof issued === 'string') return { outcome: issued }
    await markDeviceCodeUsed(tx, row.device_code_hash, { session: issued.session, used_at: now })
    return { outcome: 'redeemed', user_id: row.user_id!, issued }
  })

/** A program that asks before its interval is over has to wait longer from then on. */
async function countPoll(tx: Tx, row: DeviceCodeRow, now: Date): Promise<'pending' | 'tooEarly'> {
  const { device_code_hash, interval_seconds, last_polled_at } = row
  const isEarly = last_polled_at !== null && now.getTime() - last_polled_at.getTime() < interval_seconds * 1000
  const next = isEarly ? interval_seconds + limits.device_poll_seconds : interval_seconds
  await updateDeviceCodePoll(tx, device_code_hash, { last_polled_at: now, interval_seconds: next })
  return isEarly ? 'tooEarly' : 'pending'
}

/** The session of a device lasts longer than that of the browser in which it was allowed. */
const deviceSessionFields = { browser_session_id: null, authenticated_at: null, openid: false } as const

/** Null if the user can no longer sign in, or has left the organization that was chosen. */
async function createDeviceSession(
  tx: Tx,
  row: DeviceCodeRow,
  origin: SessionOrigin,
  now: Date,
): Promise<IssuedSession | 'secondFactor' | 'noScope' | null> {
  const {
    organization_id,
    client_id,
    resources,
    browser_amr: amr,
    provider_organization_id: provider_organization,
  } = row
  const user = await findUserIn(tx, organization_id, row.user_id!, provider_organization)
  const principal = user && toUserPrincipal(user)
  if (!principal || user.password_temporary) return null
  if (!isRuleSatisfied(user.second_factor_rule, amr)) return 'secondFactor'
  const owner = { kind: 'human', user: user.id, organization: principal.organization } as const
  const scopes = chooseSessionScopes(principal, row.scopes)
  if (scopes.length === 0) return 'noScope'
  const client = isOAuthClientId(client_id) ? { ...deviceSessionFields, client_id } : null
  const session = await createSession(tx, owner, now, { scopes, client, resources, amr, origin, provider_organization })
  return { ...session, client, resources, amr }
}
