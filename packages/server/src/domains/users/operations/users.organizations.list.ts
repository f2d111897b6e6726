import { usersOrganizationsListOperation } from '@swath/contract/operations/users.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { isAccountOwner } from '../../../engine/principal.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import { listUserOrganizationIds } from '../../identity/store.ts'
import { listUserMemberships, type UserMembershipRow } from '../../organizations/store.members.ts'
import { findUser } from '../store.ts'

export const handler = defineHandler(usersOrganizationsListOperation, async (call) => {
  const { unscoped, principal } = call
  // A provider, a program, a token and an operator learn nothing about what the user has in other organizations than theirs.
  const ids = isAccountOwner(principal)
    ? await listUserOrganizationIds(unscoped, principal.id)
    : [principal.organization].filter((id) => id !== null)
  const rows = ids.length === 0 ? [] : await listUserMemberships(unscoped, ids, principal.id)
  const user = await findUser(unscoped, principal.id)
  // In the order of joining, which is that of the ids.
  rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  return toCompleteList(
    'organizations',
    rows.map((row) => toUserOrganization(call, row, user?.organization_id ?? null)),
  )
})

const toUserOrganization = ({ principal }: Pick<Call, 'principal'>, row: UserMembershipRow, chosen: string | null) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  plan: row.plan,
  status: row.status,
  role: row.role,
  sandbox: isSandboxId(row.id),
  current: row.id === principal.organization,
  default: row.id === chosen,
  delete_at: row.delete_after?.toISOString() ?? null,
  joined_at: row.joined_at.toISOString(),
})
