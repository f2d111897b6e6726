import type { Call } from '../../../engine/call.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import { newId } from '../../../platform/ids.ts'
import { insertImpersonation, type ImpersonationRow } from './store.impersonations.ts'

/**
 * Issues a token with which the calling operator reads as a user of an organization, at most until the support access ends. The
 * caller checks all three. Only the hash is
 * stored.
 */
export async function startImpersonation(
  call: Call,
  {
    minutes,
    ends_at,
    ...subject
  }: Pick<ImpersonationRow, 'organization_id' | 'user_id' | 'support_access_id' | 'reason'> & {
    readonly minutes: number
    /** When the support access ends. */
    readonly ends_at: Date
  },
): Promise<{ readonly row: ImpersonationRow; readonly token: string }> {
  const { text, hash } = generateChecksummedToken('impersonation_token')
  const created_at = call.clocks.process.now()
  const expires_at = new Date(Math.min(created_at.getTime() + minutes * 60_000, ends_at.getTime()))
  const row = { id: newId(), administrator_id: call.principal.id, ...subject, created_at, expires_at }
  await call.unscoped.transaction((tx) => insertImpersonation(tx, row, hash))
  return { row, token: text }
}
