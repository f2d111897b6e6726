import type { InvitationState, ProjectMembership } from '@swath/contract/schemas/people/invitation.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

export interface InvitationRow {
  readonly id: string
  readonly email: string
  readonly email_key: string
  readonly role: OrganizationRole
  readonly projects: readonly ProjectMembership[]
  /** One that is `pending` may have expired. */
  readonly state: InvitationState
  /** SHA-256; null until an e-mail has a token. */
  readonly token_hash: string | null
  /** For whom it acts: who created it, or has sent it again since. */
  readonly invited_by: string
  readonly accepted_by: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly sent_at: Date | null
  readonly decided_at: Date | null
}

const columns = sql`i.id, i.email, i.email_key, i.role, i.projects, i.state, i.token_hash, i.invited_by, i.accepted_by,
  i.created_at, i.expires_at, i.sent_at, i.decided_at`

export type NewInvitation = Pick<
  InvitationRow,
  'id' | 'email' | 'email_key' | 'role' | 'projects' | 'invited_by' | 'created_at' | 'expires_at'
>

/** False if a pending invitation has the address. */
export async function insertInvitation(tx: Tx, organization: string, row: NewInvitation): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into invitations (organization_id, id, email, email_key, role, projects, state, invited_by, created_at,
                             renewed_at, expires_at)
    values (${organization}, ${row.id}, ${row.email}, ${row.email_key}, ${row.role}, ${sql.json(row.projects)}, 'pending',
            ${row.invited_by}, ${row.created_at}, ${row.created_at}, ${row.expires_at})
    on conflict (organization_id, email_key) where state = 'pending' do nothing
    returning id`)
  return rows.length > 0
}

export async function findInvitation(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await db.query<InvitationRow>(sql`
    select ${columns} from invitations i where i.organization_id = ${organization} and i.id = ${id}`)
  return row ?? null
}

/** The same, with a row lock that serializes what decides it. */
export async function lockInvitation(tx: Tx, organization: string, id: string): Promise<InvitationRow | null> {
  const [row] = await tx.query<InvitationRow>(sql`
    select ${columns} from invitations i where i.organization_id = ${organization} and i.id = ${id} for update of i`)
  return row ?? null
}

const stateConditions = (now: OrganizationTime): Readonly<Record<InvitationState, Sql>> => ({
  pending: sql`i.state = 'pending' and i.expires_at > ${now}`,
  expired: sql`(i.state = 'expired' or (i.state = 'pending' and i.expires_at <= ${now}))`,
  accepted: sql`i.state = 'accepted'`,
  revoked: sql`i.state = 'revoked'`,
})

export interface InvitationFilter {
  readonly state: InvitationState | null
  readonly now: OrganizationTime
  readonly limit: number
  readonly offset: number
}

/** Newest first. */
export const listInvitations = (
  db: SqlStatementRunner,
  organization: string,
  { state, now, limit, offset }: InvitationFilter,
): Promise<RowPage<InvitationRow>> =>
  selectPage<InvitationRow>(db, {
    columns,
    from: sql`invitations i`,
    where: sql`i.organization_id = ${organization} and ${state === null ? sql`true` : stateConditions(now)[state]}`,
    orderBy: sql`i.created_at desc, i.id desc`,
    limit,
    offset,
  })

export async function countPendingInvitations(tx: Tx, organization: string, now: OrganizationTime): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from invitations i
    where i.organization_id = ${organization} and ${stateConditions(now).pending}`)
  return row?.count ?? 0
}

/** True if a member of the organization has the address. */
export async function hasMemberWithEmail(tx: Tx, organization: string, email_key: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select user_id from memberships where organization_id = ${organization} and lower(email) = ${email_key} limit 1`)
  return rows.length > 0
}

/** Gives the address of an invitation whose time is over free for another one. */
export async function markInvitationExpired(
  tx: Tx,
  organization: string,
  email_key: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update invitations set state = 'expired', decided_at = expires_at
    where organization_id = ${organization} and email_key = ${email_key} and state = 'pending' and expires_at <= ${now}`)
}

/** Ends the present link, and lets the invitation act for who sends it again. */
export async function updateInvitationRenewed(
  tx: Tx,
  organization: string,
  id: string,
  change: { readonly invited_by: string; readonly renewed_at: OrganizationTime; readonly expires_at: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update invitations
    set token_hash = null, sent_at = null, invited_by = ${change.invited_by}, renewed_at = ${change.renewed_at},
        expires_at = ${change.expires_at}
    where organization_id = ${organization} and id = ${id}`)
}

/** Decides an invitation, which the caller has locked. */
export async function markInvitationDecided(
  tx: Tx,
  organization: string,
  id: string,
  decision:
    | { readonly state: 'accepted'; readonly accepted_by: string; readonly now: OrganizationTime }
    | { readonly state: 'revoked'; readonly accepted_by: null; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update invitations
    set state = ${decision.state}, accepted_by = ${decision.accepted_by}, decided_at = ${decision.now}
    where organization_id = ${organization} and id = ${id}`)
}

/** Withdraws what a user has invited, or what invites an address. Returns the withdrawn invitations. */
export const markInvitationsRevoked = (
  tx: Tx,
  organization: string,
  which: { readonly inviter: string } | { readonly email_key: string },
  now: OrganizationTime,
): Promise<Pick<InvitationRow, 'id' | 'email' | 'role'>[]> =>
  tx.query<Pick<InvitationRow, 'id' | 'email' | 'role'>>(sql`
    update invitations set state = 'revoked', decided_at = ${now}
    where organization_id = ${organization} and state = 'pending'
      and ${'inviter' in which ? sql`invited_by = ${which.inviter}` : sql`email_key = ${which.email_key}`}
    returning id, email, role`)

/**
 * Stores the hash of a token that is about to be sent, in the invitation and in the directory; needs the unscoped connection. False
 * if the invitation is not to be sent any more.
 */
export async function updateInvitationToken(
  tx: Tx,
  organization: string,
  id: string,
  token_hash: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update invitations set token_hash = ${token_hash}
    where organization_id = ${organization} and id = ${id} and state = 'pending' and sent_at is null
    returning id`)
  if (rows.length === 0) return false
  await tx.query(sql`
    delete from invitation_token_directory where organization_id = ${organization} and invitation_id = ${id}`)
  await tx.query(sql`
    insert into invitation_token_directory (token_hash, organization_id, invitation_id)
    values (${token_hash}, ${organization}, ${id})`)
  return true
}

/** Records that the e-mail with this token was handed over. */
export async function markInvitationSent(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  { token_hash, now }: { readonly token_hash: string; readonly now: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update invitations set sent_at = ${now}
    where organization_id = ${organization} and id = ${id} and token_hash = ${token_hash}`)
}

/** The invitation of a token; null for an unknown one. Needs the unscoped connection. */
export async function findInvitationOfToken(
  unscoped: SqlStatementRunner,
  token_hash: string,
): Promise<{ readonly organization_id: string; readonly invitation_id: string } | null> {
  const [row] = await unscoped.query<{ organization_id: string; invitation_id: string }>(sql`
    select organization_id, invitation_id from invitation_token_directory where token_hash = ${token_hash}`)
  return row ?? null
}
