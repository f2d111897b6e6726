import type { Consent } from '@swath/contract/schemas/people/oauth-client.ts'
import type { Call } from '../../../engine/call.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { listUserMemberships } from '../../organizations/store.members.ts'
import type { OAuthProgram } from '../clients/oauth-client.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import { isRuleSatisfied } from '../second-factor/methods.ts'
import { listUserOrganizationIds, type UserAuthRow } from '../store.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import {
  deleteConsents,
  listConsents,
  markConsentedSessionsRevoked,
  upsertConsent,
  type ConsentRow,
} from './store.consents.ts'

interface ConsentDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
}

/** A user with how the browser was signed in. */
interface SignedInUser {
  readonly user: Pick<UserAuthRow, 'id' | 'organization_id'>
  readonly provider_organization_id: string | null
  readonly amr: readonly string[] | null
}

export const toConsent = (row: ConsentRow): Consent => ({
  client_id: row.client_id,
  client_name: row.client_name,
  organization_id: row.organization_id,
  scopes: [...row.scopes],
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** An organization that tokens may be for. */
export interface EligibleOrganization {
  readonly id: string
  readonly name: string
}

/**
 * The organizations of a user that a program may act in, the one that the user chose last first: only its own, unless it is open to
 * all, only the one that the request names, and only those that accept how the user signed in.
 *
 * @param program null for a program of the platform.
 */
export async function listEligibleOrganizations(
  { unscoped }: Pick<ConsentDependencies, 'unscoped'>,
  { user, provider_organization_id, amr }: SignedInUser,
  { program, named }: { readonly program: OAuthProgram | null; readonly named: string | null },
): Promise<EligibleOrganization[]> {
  const only = program?.open_to_all === false ? program.organization : null
  const ids: string[] = []
  for (const id of await listUserOrganizationIds(unscoped, user.id)) {
    if ((only !== null && id !== only) || (named !== null && id !== named.toLowerCase())) continue
    const member = await findUserIn(unscoped, id, user.id, provider_organization_id)
    if (member && isRuleSatisfied(member.second_factor_rule, amr)) ids.push(id)
  }
  const rows = ids.length === 0 ? [] : await listUserMemberships(unscoped, ids, user.id)
  const rankOf = (id: string): number => (id === user.organization_id ? -1 : ids.indexOf(id))
  return rows.map(({ id, name }) => ({ id, name })).sort((a, b) => rankOf(a.id) - rankOf(b.id))
}

/** The latest consent of a user that covers all these scopes in one of the organizations; null if there is none. */
export async function findConsent(
  { unscoped }: Pick<ConsentDependencies, 'unscoped'>,
  user: string,
  {
    client,
    organizations,
    scopes,
  }: {
    readonly client: string
    readonly organizations: readonly EligibleOrganization[]
    readonly scopes: readonly string[]
  },
): Promise<ConsentRow | null> {
  const consents = await listConsents(unscoped, user, client)
  const isCovering = (consent: ConsentRow): boolean =>
    organizations.some(({ id }) => id === consent.organization_id) &&
    scopes.every((scope) => consent.scopes.includes(scope))
  return consents.find(isCovering) ?? null
}

/** Remembers what a user has granted to a program for an organization, in addition to what was granted before. */
export async function recordConsent(
  { unscoped, clock }: ConsentDependencies,
  user: string,
  {
    program,
    organization,
    scopes,
  }: { readonly program: OAuthProgram; readonly organization: string; readonly scopes: readonly string[] },
): Promise<void> {
  const now = clock.now()
  await upsertConsent(unscoped, {
    user_id: user,
    client_id: program.id,
    organization_id: organization,
    client_name: program.name,
    scopes,
    created_at: now,
    updated_at: now,
  })
}

/** Ends what a user has granted to a client, for one organization or all, with the tokens. Returns how many consents there were. */
export const revokeConsents = (
  { unscoped, clocks }: Pick<Call, 'unscoped' | 'clocks'>,
  user: string,
  granted: { readonly client: string; readonly organization: string | null },
): Promise<number> =>
  unscoped.transaction(async (tx) => {
    const count = await deleteConsents(tx, user, granted)
    if (count === 0) return 0
    await markConsentedSessionsRevoked(tx, user, { ...granted, at: clocks.process.now() })
    await publishPrincipalChange(tx, `user:${user}`)
    return count
  })
