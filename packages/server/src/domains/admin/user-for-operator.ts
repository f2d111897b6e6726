import type { Call } from '../../engine/call.ts'
import { actorInOrganization } from '../../engine/actor.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { emitStoppedDelegations } from '../organizations/delegations.ts'
import { updateMembershipDisabled } from '../organizations/store.members.ts'
import { withOrganizationNames } from '../organizations/organization-names.ts'
import { setUserDisabledAt } from '../users/operated-users.ts'
import { findUserForOperator, type UserForOperatorRow } from '../users/store.for-operators.ts'

/** Throws `not-found`. */
export async function requireUserForOperator(call: Pick<Call, 'unscoped'>, user: string): Promise<UserForOperatorRow> {
  const row = await findUserForOperator(call.unscoped, user)
  if (!row) throw new Problem('not-found', `No user has the id "${user}".`)
  return row
}

/** Disables a user, whose tokens end at once, or enables one. Throws `not-found`, or `invalid-state` if that changes nothing. */
export async function setUserDisabled(call: Call, user: string, isDisabled: boolean): Promise<UserForOperatorRow> {
  await requireUserForOperator(call, user)
  const at = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    const row = await setUserDisabledAt(tx, user, { isDisabled, at })
    if (!row) throw new Problem('invalid-state', `The user is ${isDisabled ? 'disabled' : 'not disabled'}.`)
    const { id, organization_id: organization, disabled_at } = row
    if (organization !== null) {
      await updateMembershipDisabled(tx, { organization, user: id, disabled_at })
      if (isDisabled) await emitStoppedDelegations(tx, actorInOrganization(call, organization), { user: id })
    }
    await publishPrincipalChange(tx, `user:${id}`)
    return row
  })
}

/** The representations of users for operators. */
export const toUsersForOperator = async (unscoped: SqlStatementRunner, rows: readonly UserForOperatorRow[]) =>
  (await withOrganizationNames(unscoped, rows)).map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    organization_id: row.organization_id,
    organization_name: row.organization_name,
    administrator: row.is_administrator,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }))

export async function toUserForOperator(unscoped: SqlStatementRunner, row: UserForOperatorRow) {
  const [user] = await toUsersForOperator(unscoped, [row])
  return user!
}
