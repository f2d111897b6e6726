import type { Tx } from '../../../platform/database/database.ts'
import { deletePasskeysOfUser } from '../passkeys/store.passkeys.ts'
import { deleteCodesWithoutFactor } from './manage-totp.ts'
import { deleteRecoveryCodes, deleteTotp, findTotp } from './store.second-factors.ts'

/** Removes the passkeys, the authenticator app and the recovery codes of a user that were added since a time. */
export async function removeFactorsSince(tx: Tx, user: string, since: Date): Promise<void> {
  await deletePasskeysOfUser(tx, user, since)
  const totp = await findTotp(tx, user)
  if (totp && totp.created_at >= since) await deleteTotp(tx, user)
  await deleteRecoveryCodes(tx, user, since)
  await deleteCodesWithoutFactor(tx, user)
}
