import { limits } from '@swath/contract/limits.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { randomIntegerBelow } from '../../../platform/ids.ts'
import { countRecoveryCodes, deleteRecoveryCodes, insertRecoveryCodes } from './store.second-factors.ts'

/** The letters of device codes (RFC 8628 6.1), of which 20 are 86 bits: too many to be guessed from a hash. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const code_length = 20

const generateCode = (): string =>
  Array.from({ length: code_length }, () => letters[Math.floor(randomIntegerBelow(letters.length))]).join('')

/** Groups of four are easier to copy. */
const formatCode = (code: string): string => code.replaceAll(/.{4}(?=.)/g, '$&-')

/** The hash of a code as somebody types it, in any case and with any separators. */
export const hashRecoveryCode = (typed: string): string =>
  hashSecretSha256(typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))

/** Gives a user new recovery codes in place of all former ones, and returns them. */
export async function replaceRecoveryCodes(tx: Tx, user: string, created_at: Date): Promise<string[]> {
  const codes = Array.from({ length: limits.recovery_codes }, () => formatCode(generateCode()))
  await deleteRecoveryCodes(tx, user)
  await insertRecoveryCodes(tx, user, { code_hashes: codes.map(hashRecoveryCode), created_at })
  return codes
}

/** The same for a user who has none left; null for one who has some. */
export const createFirstRecoveryCodes = async (tx: Tx, user: string, created_at: Date): Promise<string[] | null> =>
  (await countRecoveryCodes(tx, user)) > 0 ? null : replaceRecoveryCodes(tx, user, created_at)
