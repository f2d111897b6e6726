import type { Call } from '../../../engine/call.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { updateMemberProfile } from '../../organizations/store.members.ts'
import { updateAccount, type AccountChange, type AccountRow } from '../../users/store.accounts.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { listUserOrganizationIds } from '../store.ts'

/** Changes the account of the caller; memberships repeat the name. */
export const changeOwnProfile = (
  call: Pick<Call, 'principal' | 'unscoped' | 'clocks'>,
  change: AccountChange,
): Promise<AccountRow> =>
  call.unscoped.transaction(async (tx) => {
    const user = call.principal.id
    const account = await updateAccount(tx, user, change, call.clocks.process.now())
    assertInvariant(account, 'the caller is a user')
    if (change.name === undefined) return account
    for (const organization of await listUserOrganizationIds(tx, user))
      await updateMemberProfile(tx, organization, user, account)
    await publishPrincipalChange(tx, `user:${user}`)
    return account
  })
