import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { enqueueAccountMail } from '../account/account-mails.ts'
import type { UserAuthRow } from '../store.ts'
import { createFirstRecoveryCodes } from './recovery-codes.ts'
import {
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  listUsersWithSecondFactor,
  markTotpConfirmed,
  upsertPendingTotp,
} from './store.second-factors.ts'
import { buildOtpauthUri, findTotpStep, generateTotpSecret, renderQrCode } from './totp.ts'
import { totpKeyPurpose, type SecondFactorDependencies } from './verify-second-factor.ts'

type Account = Pick<UserAuthRow, 'id' | 'email'>

export interface TotpSetup {
  readonly secret: string
  readonly otpauth_uri: string
  readonly qr_svg: string
}

const setupOf = (secret: string, email: string): TotpSetup => {
  const otpauth_uri = buildOtpauthUri(secret, email)
  return { secret, otpauth_uri, qr_svg: renderQrCode(otpauth_uri) }
}

const hasApp = (): Problem => new Problem('invalid-state', 'You have an authenticator app; remove it first.')

/** Stores a new secret for the app of a user; it counts once a code of it was confirmed. Throws `invalid-state`. */
export async function beginTotpSetup(
  { unscoped, clock, signer }: Pick<SecondFactorDependencies, 'unscoped' | 'clock' | 'signer'>,
  { id, email }: Account,
): Promise<TotpSetup & { readonly expires_at: Date }> {
  const secret = generateTotpSecret()
  const created_at = clock.now()
  const row = { user_id: id, sealed_secret: signer.encrypt(totpKeyPurpose, secret), created_at }
  if (!(await unscoped.transaction((tx) => upsertPendingTotp(tx, row)))) throw hasApp()
  return { ...setupOf(secret, email), expires_at: expiryOf(created_at) }
}

const expiryOf = (created_at: Date): Date => new Date(created_at.getTime() + limits.totp_setup_seconds * 1000)

/** The secret that is being set up, for a page that is shown again; null if there is none. */
export async function findPendingTotpSetup(
  { unscoped, clock, signer }: Pick<SecondFactorDependencies, 'unscoped' | 'clock' | 'signer'>,
  { id, email }: Account,
): Promise<TotpSetup | null> {
  const totp = await findTotp(unscoped, id)
  if (!totp || totp.confirmed_at !== null || expiryOf(totp.created_at) <= clock.now()) return null
  const secret = signer.decrypt(totpKeyPurpose, totp.sealed_secret)
  return secret === null ? null : setupOf(secret, email)
}

/**
 * Turns the app of a user on with a code of it, in a transaction that `also` belongs to, and tells the user by e-mail. Returns
 * the first recovery codes; null for a user who has some. Throws `invalid-state`, `forbidden` for a wrong code, or `rate-limited`.
 */
export async function confirmTotp(
  { unscoped, clock, signer, throttle, queue }: SecondFactorDependencies,
  { id, email }: Account,
  { code, address, also }: { readonly code: string; readonly address: string; also(tx: Tx): Promise<void> },
): Promise<string[] | null> {
  const totp = await findTotp(unscoped, id)
  const now = clock.now()
  if (!totp || totp.confirmed_at !== null || expiryOf(totp.created_at) <= now)
    throw new Problem('invalid-state', 'No authenticator app is being set up, or that began too long ago; begin again.')
  const { sealed_secret } = totp
  const secret = signer.decrypt(totpKeyPurpose, sealed_secret)
  const subject = `${address} ${id}`
  const allowance = { failures: 10, window_ms: limits.totp_setup_seconds * 1000 }
  const step = await throttle.attempt([{ name: 'totp-setups', subject, allowance }], async () => {
    const value = secret === null ? null : findTotpStep(secret, code.replaceAll(/\s/g, ''), now)
    return { failed: value === null, value }
  })
  if (step === null) throw new Problem('forbidden', 'The code is wrong. Compare the clock of the device with the time.')
  return unscoped.transaction(async (tx) => {
    if (!(await markTotpConfirmed(tx, id, { sealed_secret, step, at: now })))
      throw new Problem('invalid-state', 'Another authenticator app was set up meanwhile; begin again.')
    const codes = await createFirstRecoveryCodes(tx, id, now)
    await enqueueAccountMail(tx, queue, { kind: 'totp-added', user: id, email, at: now })
    await also(tx)
    return codes
  })
}

/** Turns the app of a user off, and tells the user by e-mail. Throws `invalid-state` if there is none. */
export const removeTotp = (
  { unscoped, clock, queue }: Pick<SecondFactorDependencies, 'unscoped' | 'clock' | 'queue'>,
  { id, email }: Account,
): Promise<void> =>
  unscoped.transaction(async (tx) => {
    if (!(await deleteTotp(tx, id))) throw new Problem('invalid-state', 'You have no authenticator app.')
    await deleteCodesWithoutFactor(tx, id)
    await enqueueAccountMail(tx, queue, { kind: 'totp-removed', user: id, email, at: clock.now() })
  })

/** Recovery codes replace a second factor: a user without one has none. */
export async function deleteCodesWithoutFactor(tx: Tx, user: string): Promise<void> {
  if ((await listUsersWithSecondFactor(tx, [user])).length === 0) await deleteRecoveryCodes(tx, user)
}
