import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import type { BrowserSessionRow } from '../browser/store.browser-sessions.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { revokeSession } from '../sessions.ts'
import { findIdentityUser } from './store.identities.ts'
import {
  listDeviceSessionIds,
  listProviderSessionIds,
  upsertProviderSession,
  type ProviderSessionFilter,
} from './store.provider-sessions.ts'

/** A sign-in with the provider of an organization. */
export interface ProviderSignIn {
  readonly organization_id: string
  readonly claims: Pick<ProviderClaims, 'issuer' | 'subject' | 'sid' | 'amr' | 'acr'>
}

/** Records what a provider said about the session of a browser, by which it can end it. */
export const recordProviderSession = (
  { unscoped }: Pick<IdentityDependencies, 'unscoped'>,
  { id: session_id, authenticated_at: created_at }: BrowserSessionRow,
  { organization_id, claims: { issuer, subject, sid, amr, acr } }: ProviderSignIn,
): Promise<void> =>
  upsertProviderSession(unscoped, { session_id, organization_id, issuer, subject, sid, amr, acr, created_at })

/**
 * Ends sessions that a provider began, with their clients, in an unscoped transaction. Programs on other devices end with all sessions of
 * a subject, and with those of everybody, but not with one session.
 *
 * @returns how many sessions ended.
 */
export async function endProviderSessions(
  tx: Tx,
  { clocks }: { readonly clocks: Pick<OrganizationClocks, 'process'> },
  { reason, ...filter }: ProviderSessionFilter & { readonly reason: string },
): Promise<number> {
  const ids = [...(await listProviderSessionIds(tx, filter)), ...(await listDeviceSessions(tx, filter))]
  const now = clocks.process.now()
  for (const id of ids) await revokeSession(tx, id, reason, now)
  return ids.length
}

async function listDeviceSessions(
  tx: Tx,
  { organization, issuer, sid, subject }: ProviderSessionFilter,
): Promise<string[]> {
  if (sid !== null) return []
  if (issuer === null || subject === null) return listDeviceSessionIds(tx, organization, null)
  const user = await findIdentityUser(tx, organization, { issuer, subject })
  return user === null ? [] : listDeviceSessionIds(tx, organization, user)
}
