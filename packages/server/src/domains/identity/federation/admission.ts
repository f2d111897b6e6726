import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { getEmailDomain } from '../../organizations/federation/domain-names.ts'
import {
  findUserAuth,
  findUserAuthInOrganization,
  findUserAuthOfSession,
  listUserOrganizationIds,
  type SessionUserRow,
  type UserAuthRow,
} from '../store.ts'
import { isPasswordRefused } from './store.password-refusal.ts'

/** For a user who has entered the right password. */
export const providerNeededMessage =
  'The organization requires that its members sign in with its own provider, in a browser.'

type Member = Pick<UserAuthRow, 'id' | 'email' | 'organization_id'>

/** False for a user whose organization accepts only its provider. */
async function isAdmittedByPassword(
  db: SqlStatementRunner,
  { id: user, email, organization_id }: Member,
): Promise<boolean> {
  if (organization_id === null) return true
  const domain = getEmailDomain(email)
  return domain === null || !(await isPasswordRefused(db, organization_id, { user, domain }))
}

/** What a provider vouches for is its own organization: nobody is an operator by it. */
export const toProviderUser = <Row extends UserAuthRow>(row: Row, provider_organization_id: string): Row => ({
  ...row,
  is_administrator: false,
  is_clip_user: false,
  // The second factor is left to the provider.
  second_factor_rule: null,
  provider_organization_id,
})

/**
 * A user in an organization, for a session that begins or goes on: in the one that is named, or else in the one that the user chose last
 * or another. Null for a user who is not in it, or whom it does not accept this way.
 *
 * @param provider_organization the organization whose provider the user signed in with, which is the only one then; null for a password.
 */
export async function findAdmittedUser(
  db: SqlStatementRunner,
  { organization, user, provider_organization }: AdmissionRequest,
): Promise<UserAuthRow | null> {
  if (provider_organization !== null) {
    if (organization !== null && organization !== provider_organization) return null
    const row = await findUserAuthInOrganization(db, provider_organization, user)
    return row && toProviderUser(row, provider_organization)
  }
  const row =
    organization === null ? await findUserAuth(db, user) : await findUserAuthInOrganization(db, organization, user)
  if (!row || (await isAdmittedByPassword(db, row))) return row
  return organization === null ? findAdmittedElsewhere(db, row) : null
}

export interface AdmissionRequest {
  readonly organization: string | null
  readonly user: string
  readonly provider_organization: string | null
}

/** The user in the first other organization that accepts the password. */
async function findAdmittedElsewhere(
  db: SqlStatementRunner,
  { id, organization_id }: Member,
): Promise<UserAuthRow | null> {
  for (const organization of await listUserOrganizationIds(db, id)) {
    if (organization === organization_id) continue
    const row = await findUserAuthInOrganization(db, organization, id)
    if (row && (await isAdmittedByPassword(db, row))) return row
  }
  return null
}

/** The user of an active session; null if it ended, or if its organization does not accept how the user signed in any more. */
export async function findSessionUser(
  db: SqlStatementRunner,
  session: string,
  user: string,
): Promise<SessionUserRow | null> {
  const row = await findUserAuthOfSession(db, session, user)
  if (!row) return null
  const { provider_organization_id } = row
  if (provider_organization_id) return toProviderUser(row, provider_organization_id)
  return (await isAdmittedByPassword(db, row)) ? row : null
}

/** True if the user is in the organization and needs its provider to sign in there. */
export async function needsProvider(db: SqlStatementRunner, organization: string, user: string): Promise<boolean> {
  const row = await findUserAuthInOrganization(db, organization, user)
  return row !== null && !(await isAdmittedByPassword(db, row))
}

/**
 * True if a password of the user opens some session: one who is in no organization has one, too. For what sets or resets passwords.
 */
export const isPasswordUsable = async (db: SqlStatementRunner, user: string): Promise<boolean> =>
  (await findAdmittedUser(db, { organization: null, user, provider_organization: null })) !== null
