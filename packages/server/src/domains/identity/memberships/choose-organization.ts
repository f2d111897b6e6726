import type { Clock } from '../../../platform/clock.ts'
import type { DbConnection, SqlStatementRunner } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { findAdmittedUser } from '../federation/admission.ts'
import type { UserAuthRow } from '../store.ts'
import { lockUser, updateChosenOrganization } from './store.memberships.ts'

/** The same for an organization that does not exist and one that the user is not in. */
export const notMemberMessage = 'The user is not a member of that organization.'

/**
 * A user in the organization that a request names or, if it names none, in the one that the user chose last. Null for a user who is
 * not in the named one, or whom it does not accept this way.
 *
 * @param provider_organization the organization whose provider the user signed in with; null for a password.
 */
export const findUserIn = (
  db: SqlStatementRunner,
  organization: string | null,
  user: string,
  provider_organization: string | null,
): Promise<UserAuthRow | null> => {
  if (organization !== null && !isUuid(organization)) return Promise.resolve(null)
  return findAdmittedUser(db, { organization: organization?.toLowerCase() ?? null, user, provider_organization })
}

/**
 * Remembers what a user chose, for sign-ins that name no organization. After the transaction that signs in: sign-ins of one user at
 * once would wait for each other's row. With a lock on the user, as those who end a membership have: the directory is read after
 * what they wrote.
 */
export const recordChosenOrganization = (
  { unscoped, clock }: { readonly unscoped: DbConnection; readonly clock: Clock },
  user: string,
  organization: string,
): Promise<void> =>
  unscoped.transaction(async (tx) => {
    const account = await lockUser(tx, user)
    if (account && account.organization_id !== organization)
      await updateChosenOrganization(tx, user, organization, clock.now())
  })
