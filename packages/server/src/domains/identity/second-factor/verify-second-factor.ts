import { hour_ms, minute_ms } from '@swath/geo/time-units.ts'
import type { MasterSecretSigner } from '../../../platform/crypto/signer.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { enqueueAccountMail } from '../account/account-mails.ts'
import { recordAccountAct } from '../account/audit.ts'
import type { FailureBucket, FailureThrottle } from '../failure-throttle.ts'
import type { UserAuthRow } from '../store.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { countRecoveryCodes, findTotp, markRecoveryCodeUsed, markTotpStepUsed } from './store.second-factors.ts'
import { findTotpStep, isTotpCode } from './totp.ts'

export interface SecondFactorDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
  readonly signer: MasterSecretSigner
  readonly throttle: FailureThrottle
  readonly queue: Pick<QueueProducer, 'enqueue'>
}

/** The purpose of the key that encrypts the secrets of apps. */
export const totpKeyPurpose = 'totp'

/**
 * The limits of wrong codes. Only somebody who knows the password can enter one, so an account may be closed to all addresses: a code has six
 * digits, and many addresses together would guess it.
 */
const codeLimits = {
  pair: { failures: 10, window_ms: 5 * minute_ms },
  account: { failures: 30, window_ms: hour_ms },
} as const

const codeBuckets = (user: string, address: string): readonly FailureBucket[] => [
  { name: 'second-factors-of-pair', subject: `${address} ${user}`, allowance: codeLimits.pair },
  { name: 'second-factors-of-account', subject: user, allowance: codeLimits.account },
]

export interface PresentedCode {
  readonly code: string
  /** The IP address of the client. */
  readonly address: string
}

/**
 * True for a code of the app of a user, or a recovery code; each is accepted once. A recovery code that was used is told to the user by
 * e-mail. Throws `rate-limited` after too many wrong codes.
 */
export const verifySecondFactor = (
  dependencies: SecondFactorDependencies,
  user: Pick<UserAuthRow, 'id' | 'email'>,
  { code, address }: PresentedCode,
): Promise<boolean> =>
  dependencies.throttle.attempt(codeBuckets(user.id, address), async () => {
    const typed = code.trim()
    const value = isTotpCode(typed.replaceAll(' ', ''))
      ? await useTotpCode(dependencies, user.id, typed.replaceAll(' ', ''))
      : await useRecoveryCode(dependencies, user, { code: typed, address })
    return { failed: !value, value }
  })

async function useTotpCode(
  { unscoped, clock, signer }: SecondFactorDependencies,
  user: string,
  code: string,
): Promise<boolean> {
  const totp = await findTotp(unscoped, user)
  const secret = totp && totp.confirmed_at !== null ? signer.decrypt(totpKeyPurpose, totp.sealed_secret) : null
  const step = secret === null ? null : findTotpStep(secret, code, clock.now())
  return step !== null && markTotpStepUsed(unscoped, user, step)
}

const useRecoveryCode = (
  { unscoped, clock, queue }: SecondFactorDependencies,
  { id, email }: Pick<UserAuthRow, 'id' | 'email'>,
  { code, address }: PresentedCode,
): Promise<boolean> =>
  unscoped.transaction(async (tx) => {
    const at = clock.now()
    if (!(await markRecoveryCodeUsed(tx, id, { code_hash: hashRecoveryCode(code), used_at: at }))) return false
    const left = await countRecoveryCodes(tx, id)
    await enqueueAccountMail(tx, queue, {
      kind: 'recovery-code-used',
      user: id,
      email,
      details: { left: String(left) },
      at,
    })
    await recordAccountAct(tx, { user: id, operation: 'users.recovery_codes.use', address, at })
    return true
  })
