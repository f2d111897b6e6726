import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { readOperatedUser, setDisabled, type OperatedUserRow } from '../users/operated-users.ts'

/** Throws `not-found`. */
export async function requireOperatedUser(call: Pick<Call, 'unscoped'>, user: string): Promise<OperatedUserRow> {
  const row = await readOperatedUser(call.unscoped, user)
  if (!row) throw new Problem('not-found', `No user has the id "${user}".`)
  return row
}

/** Disables a user, whose tokens end at once, or enables one. Throws `not-found`, or `invalid-state` if that changes nothing. */
export async function setUserDisabled(call: Call, user: string, isDisabled: boolean): Promise<OperatedUserRow> {
  await requireOperatedUser(call, user)
  const at = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    const row = await setDisabled(tx, user, { isDisabled, at })
    if (!row) throw new Problem('invalid-state', `The user is ${isDisabled ? 'disabled' : 'not disabled'}.`)
    await publishPrincipalChange(tx, `user:${row.id}`)
    return row
  })
}

/** The representation of a user for operators. */
export const toOperatedUser = (row: OperatedUserRow) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  organization_id: row.organization_id,
  administrator: row.is_administrator,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
