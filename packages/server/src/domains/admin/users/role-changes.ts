import type { RoleChange } from '@swath/contract/schemas/operators/role-change.ts'
import type { Call } from '../../../engine/call.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { lockUser } from '../../identity/memberships/store.memberships.ts'
import {
  findUserForOperator,
  lockOperators,
  updateUserRoles,
  type UserForOperatorRow,
} from '../../users/store.for-operators.ts'
import {
  findRoleChange,
  insertRoleChange,
  lockRoleChange,
  markRoleChangeDecided,
  type RoleChangeRow,
} from './store.role-changes.ts'

type OperatorCall = Pick<Call, 'unscoped' | 'clocks' | 'principal'>

type WantedRoles = Pick<RoleChangeRow, 'operator' | 'clip_user'>

const isActive = ({ disabled_at }: UserForOperatorRow): boolean => disabled_at === null

const createUnknownRoleChangeProblem = (id: string): Problem =>
  new Problem('not-found', `No change of roles has the id "${id}".`)

/** Throws `invalid-state` if the user cannot get these roles, or has them. */
function requireChange(user: UserForOperatorRow, { operator, clip_user }: WantedRoles): void {
  if (operator === true && !isActive(user)) throw new Problem('invalid-state', 'The user is disabled.')
  const changesOperator = operator !== null && operator !== user.is_administrator
  const changesClip = clip_user !== null && clip_user !== user.is_clip_user
  if (!changesOperator && !changesClip) throw new Problem('invalid-state', 'The user has these roles already.')
}

/**
 * Requests a change. It holds at once if there is no other operator, not even a disabled one: nobody could approve it, and who
 * disables all others does not become the only one. Throws `not-found` and `invalid-state`.
 */
export function requestRoleChange(
  call: OperatorCall,
  { user_id, reason, ...wanted }: WantedRoles & { readonly user_id: string; readonly reason: string },
): Promise<RoleChangeRow> {
  const { principal } = call
  const now = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    // Operators before the user, in the same order everywhere.
    const operators = await lockOperators(tx)
    const user = await lockChangedUser(tx, user_id)
    requireChange(user, wanted)
    const row = { id: newId(), user_id: user.id, ...wanted, reason, requested_by: principal.id, requested_at: now }
    if (!(await insertRoleChange(tx, row)))
      throw new Problem('invalid-state', 'Another change of the roles of this user waits for its decision.')
    if (operators.every(({ id }) => id === principal.id)) {
      await applyRoles(tx, { operators, user, wanted, at: now })
      return decideRoleChange(tx, call, row.id, { status: 'approved', decision_reason: null, decided_alone: true })
    }
    return readRoleChange(tx, row.id)
  })
}

async function lockChangedUser(tx: Tx, id: string): Promise<UserForOperatorRow> {
  await lockUser(tx, id)
  const user = await findUserForOperator(tx, id)
  if (!user) throw new Problem('not-found', `No user has the id "${id}".`)
  return user
}

/** Throws `invalid-state` if no operator who can act would be left. */
async function applyRoles(
  tx: Tx,
  {
    operators,
    user,
    wanted,
    at,
  }: {
    readonly operators: readonly UserForOperatorRow[]
    readonly user: UserForOperatorRow
    readonly wanted: WantedRoles
    readonly at: Date
  },
): Promise<void> {
  const is_administrator = wanted.operator ?? user.is_administrator
  const isOtherActive = operators.some((other) => other.id !== user.id && isActive(other))
  if (user.is_administrator && !is_administrator && !isOtherActive)
    throw new Problem('invalid-state', 'The platform would have no operator.')
  await updateUserRoles(tx, user.id, { is_administrator, is_clip_user: wanted.clip_user ?? user.is_clip_user, at })
  await publishPrincipalChange(tx, `user:${user.id}`)
}

interface Decision {
  readonly role_change_id: string
  readonly reason: string
}

/**
 * Approves a change that another operator has requested. Throws `forbidden` to who requested it and to the user whom it is about,
 * and `invalid-state` if who requested it is not an operator any more, or the user cannot get the roles.
 */
export function approveRoleChange(call: OperatorCall, { role_change_id, reason }: Decision): Promise<RoleChangeRow> {
  const { principal } = call
  const now = call.clocks.process.now()
  return call.unscoped.transaction(async (tx) => {
    const operators = await lockOperators(tx)
    const row = await lockPendingRoleChange(tx, role_change_id)
    if (row.requested_by === principal.id || row.user_id === principal.id)
      throw new Problem(
        'forbidden',
        'A change of roles is approved by another operator than who requested it and whom it is about.',
      )
    const [requester, approver] = [row.requested_by, principal.id].map((id) => operators.find((one) => one.id === id))
    // Read under the lock: two operators may take the role from each other at once.
    if (!approver || !isActive(approver)) throw new Problem('forbidden', 'You are not an operator any more.')
    if (!requester || !isActive(requester))
      throw new Problem('invalid-state', 'Who requested the change is not an operator any more; reject it.')
    const user = await lockChangedUser(tx, row.user_id)
    requireChange(user, row)
    await applyRoles(tx, { operators, user, wanted: row, at: now })
    return decideRoleChange(tx, call, row.id, { status: 'approved', decision_reason: reason })
  })
}

/** Rejects a change, or takes it back. */
export function rejectRoleChange(call: OperatorCall, { role_change_id, reason }: Decision): Promise<RoleChangeRow> {
  return call.unscoped.transaction(async (tx) => {
    const { id } = await lockPendingRoleChange(tx, role_change_id)
    return decideRoleChange(tx, call, id, { status: 'rejected', decision_reason: reason })
  })
}

/** Throws `not-found` and `already-decided`. */
async function lockPendingRoleChange(tx: Tx, id: string): Promise<RoleChangeRow> {
  const row = await lockRoleChange(tx, id)
  if (!row) throw createUnknownRoleChangeProblem(id)
  if (row.status !== 'pending')
    throw new Problem('already-decided', 'The change of roles was approved or rejected already.')
  return row
}

async function decideRoleChange(
  tx: Tx,
  { principal, clocks }: OperatorCall,
  id: string,
  decision: Pick<RoleChangeRow, 'status' | 'decision_reason'> & { readonly decided_alone?: boolean },
): Promise<RoleChangeRow> {
  const decided = { decided_by: principal.id, decided_at: clocks.process.now() }
  await markRoleChangeDecided(tx, id, { decided_alone: false, ...decision, ...decided })
  return readRoleChange(tx, id)
}

async function readRoleChange(tx: Tx, id: string): Promise<RoleChangeRow> {
  const row = await findRoleChange(tx, id)
  assertInvariant(row, 'the change was just written')
  return row
}

/** The representation of a change. */
export const toRoleChange = (row: RoleChangeRow): RoleChange => ({
  ...row,
  requested_at: row.requested_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
})
