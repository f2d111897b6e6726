import type { Call } from '../../../engine/call.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import { Problem } from '../../../engine/problem.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { revokePersonalTokensOfUser } from '../../identity/personal-tokens/personal-tokens.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { listUserOrganizationIds } from '../../identity/store.ts'
import { emitStoppedDelegations } from '../../organizations/delegations.ts'
import { updateMembershipDisabled } from '../../organizations/store.members.ts'
import { withOrganizationNames } from '../../organizations/organization-names.ts'
import { setUserDisabledAt } from '../../users/operated-users.ts'
import {
  findUserForOperator,
  listOrganizationsOfUsers,
  type UserForOperatorRow,
} from '../../users/store.for-operators.ts'

/** Throws `not-found`. */
export async function requireUserForOperator(call: Pick<Call, 'unscoped'>, user: string): Promise<UserForOperatorRow> {
  const row = await findUserForOperator(call.unscoped, user)
  if (!row) throw new Problem('not-found', `No user has the id "${user}".`)
  return row
}

/** Disables a user, whose tokens end at once, or enables one. Throws `not-found`, or `invalid-state` if that changes nothing. */
export async function setUserDisabled(call: Call, user: string, isDisabled: boolean): Promise<UserForOperatorRow> {
  const { deleted_at } = await requireUserForOperator(call, user)
  if (deleted_at !== null) throw new Problem('invalid-state', 'The user has deleted the account, which is final.')
  const at = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    const row = await setUserDisabledAt(tx, user, { isDisabled, at })
    if (!row) throw new Problem('invalid-state', `The user is ${isDisabled ? 'disabled' : 'not disabled'}.`)
    const { id, disabled_at } = row
    for (const organization of await listUserOrganizationIds(tx, id)) {
      await updateMembershipDisabled(tx, { organization, user: id, disabled_at })
      if (!isDisabled) continue
      const actor = actorInOrganization(call, organization)
      await revokePersonalTokensOfUser(tx, actor, id)
      await emitStoppedDelegations(tx, actor, { user: id })
    }
    await publishPrincipalChange(tx, `user:${id}`)
    return row
  })
}

/** The representations of users for operators. */
export async function toUsersForOperator(unscoped: SqlStatementRunner, rows: readonly UserForOperatorRow[]) {
  const users = rows.map(({ id }) => id)
  const memberships = await withOrganizationNames(unscoped, await listOrganizationsOfUsers(unscoped, users))
  const organizationsOf = Map.groupBy(memberships, ({ user_id }) => user_id)
  return (await withOrganizationNames(unscoped, rows)).map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    organization_id: row.organization_id,
    organization_name: row.organization_name,
    organizations: (organizationsOf.get(row.id) ?? []).map(({ organization_id: id, organization_name: name }) => ({
      id,
      name: name ?? '',
    })),
    administrator: row.is_administrator,
    clip_user: row.is_clip_user,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }))
}

export async function toUserForOperator(unscoped: SqlStatementRunner, row: UserForOperatorRow) {
  const [user] = await toUsersForOperator(unscoped, [row])
  return user!
}
