import { limits } from '@swath/contract/limits.ts'
import { usersExportOperation } from '@swath/contract/operations/users.ts'
import type { AccountExport } from '@swath/contract/schemas/people/account-export.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { refreshSandboxTime } from '../../../platform/sandbox/sandbox-times.ts'
import { platformOrganizationId, type AuditEntryRow } from '../../audit-trail/entry.ts'
import { toAuditEntryJson } from '../../audit-trail/entry-json.ts'
import { listAuditEntries } from '../../audit-trail/store.ts'
import { readAccountTime } from '../../identity/account/confirm.ts'
import { listEmailChanges, type EmailChangeRow } from '../../identity/account/store.email-changes.ts'
import { readOwnSessions } from '../../identity/account/user-sessions.ts'
import { toConsent } from '../../identity/consents/consents.ts'
import { listConsents } from '../../identity/consents/store.consents.ts'
import { toPasskey } from '../../identity/passkeys/passkeys.ts'
import { listPasskeys } from '../../identity/passkeys/store.passkeys.ts'
import { toPersonalToken } from '../../identity/personal-tokens/personal-tokens.ts'
import { listPersonalTokensOfUser } from '../../identity/personal-tokens/store.personal-tokens.ts'
import { countRecoveryCodes, findTotp } from '../../identity/second-factor/store.second-factors.ts'
import { listUserOrganizationIds } from '../../identity/store.ts'
import { toNotificationPreferences } from '../../notifications/preferences.ts'
import { listNotificationPreferences } from '../../notifications/store.recipients.ts'
import { readDelegationTimes, toDelegation } from '../../organizations/delegations.ts'
import { listDelegationsOfUser } from '../../organizations/store.delegations.ts'
import { listUserMemberships, type UserMembershipRow } from '../../organizations/store.members.ts'
import { listProjectMembershipsOfUser } from '../../projects/store.members.ts'
import { findAccount } from '../store.accounts.ts'

export const handler = defineHandler(usersExportOperation, async (call): Promise<AccountExport> => {
  const { unscoped } = call
  const user = call.principal.id
  const account = await findAccount(unscoped, user)
  assertInvariant(account, 'the caller is a user')
  const { id, email, name, language, time_zone, created_at } = account
  const totp = await findTotp(unscoped, user)
  const organizations = await listUserOrganizationIds(unscoped, user)
  const memberships: AccountExport['memberships'] = []
  for (const row of organizations.length === 0 ? [] : await listUserMemberships(unscoped, organizations, user))
    memberships.push(await exportMembership(call, row, user))
  return {
    format: 'swath-account',
    version: 1,
    exported_at: readAccountTime(call).toISOString(),
    profile: { id, email, name, language, time_zone, created_at: created_at.toISOString() },
    second_factor: {
      totp_since: totp?.confirmed_at?.toISOString() ?? null,
      recovery_codes: await countRecoveryCodes(unscoped, user),
    },
    passkeys: (await listPasskeys(unscoped, user)).map(toPasskey),
    sessions: await readOwnSessions(call),
    consents: (await listConsents(unscoped, user)).map(toConsent),
    memberships,
    email_changes: (await listEmailChanges(unscoped, user)).map(toExportedChange),
    ...(await exportAuditEntries(call, [platformOrganizationId, ...organizations], user)),
  }
})

async function exportMembership(
  { unscoped, clocks }: Call,
  { id, name, role, joined_at }: UserMembershipRow,
  user: string,
) {
  await refreshSandboxTime({ unscoped, clock: clocks }, id)
  const times = readDelegationTimes(clocks.forOrganization(id))
  const projects = await listProjectMembershipsOfUser(unscoped, id, user)
  return {
    organization_id: id,
    organization_name: name,
    role,
    joined_at: joined_at.toISOString(),
    projects: projects.map((project) => ({ project_id: project.project_id, role: project.role })),
    delegations: (await listDelegationsOfUser(unscoped, id, { user, ...times })).map(toDelegation),
    personal_tokens: (await listPersonalTokensOfUser(unscoped, id, user)).map(toPersonalToken),
    notification_preferences: toNotificationPreferences(await listNotificationPreferences(unscoped, id, user)),
  }
}

const toExportedChange = ({ old_email, new_email, requested_at, confirmed_at, undone_at }: EmailChangeRow) => ({
  old_email,
  new_email,
  requested_at: requested_at.toISOString(),
  confirmed_at: confirmed_at?.toISOString() ?? null,
  undone_at: undone_at?.toISOString() ?? null,
})

const noFilter = { operation: null, target_type: null, target_id: null, outcome: null, problem: null, from: null, until: null } // prettier-ignore

/** The newest rows of the user in these trails. */
async function exportAuditEntries(
  { unscoped }: Pick<Call, 'unscoped'>,
  organizations: readonly string[],
  user: string,
) {
  const rows: AuditEntryRow[] = []
  const filter = { ...noFilter, principal_id: user }
  const limit = limits.max_exported_audit_rows + 1
  for (const organization of organizations)
    rows.push(...(await listAuditEntries(unscoped, organization, { filter, before: null, limit })))
  rows.sort((a, b) => (a.id < b.id ? 1 : -1))
  return {
    audit_entries: rows.slice(0, limit - 1).map(toAuditEntryJson),
    audit_complete: rows.length < limit,
  }
}
