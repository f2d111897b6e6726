import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Delegation } from '../../delegations.ts'
import { AuditEntry } from '../event.ts'
import { OrganizationRole } from '../member.ts'
import { NotificationPreference } from '../notification.ts'
import { Nullable, Timestamp, Uuid } from '../primitives.ts'
import { Consent } from './oauth-client.ts'
import { PersonalToken } from './personal-token.ts'
import { ProjectMembership } from './invitation.ts'
import { AccountLanguage, Passkey, UserSession } from './account.ts'

/** What an organization keeps about one of its members. */
const ExportedMembership = Type.Object({
  organization_id: Uuid,
  organization_name: Type.String(),
  role: OrganizationRole,
  joined_at: Timestamp,
  projects: Type.Array(ProjectMembership),
  delegations: Type.Array(Delegation, {
    description: 'Keys, tokens and other things that the user made and that act for the user, without their secrets.',
  }),
  personal_tokens: Type.Array(PersonalToken),
  notification_preferences: Type.Array(NotificationPreference),
})

/** Everything that is kept about a person; `format` and `version` say how to read it. */
export const AccountExport = Type.Object({
  format: Type.Literal('swath-account'),
  version: Type.Literal(1),
  exported_at: Timestamp,
  profile: Type.Object({
    id: Uuid,
    email: Type.String(),
    name: Nullable(Type.String()),
    language: AccountLanguage,
    time_zone: Type.String(),
    created_at: Timestamp,
  }),
  second_factor: Type.Object({
    totp_since: Nullable(Timestamp),
    recovery_codes: Type.Integer({ minimum: 0, description: 'Those that were not used.' }),
  }),
  passkeys: Type.Array(Passkey),
  sessions: Type.Array(UserSession),
  consents: Type.Array(Consent),
  memberships: Type.Array(ExportedMembership),
  email_changes: Type.Array(
    Type.Object({
      old_email: Type.String(),
      new_email: Type.String(),
      requested_at: Timestamp,
      confirmed_at: Nullable(Timestamp),
      undone_at: Nullable(Timestamp),
    }),
  ),
  audit_entries: Type.Array(AuditEntry, {
    description: `Calls of the user, newest first, in the organizations that the user is in and outside of any; at most ${limits.max_exported_audit_rows}.`,
  }),
  audit_complete: Type.Boolean({ description: 'False if there are more rows.' }),
})

export type AccountExport = Static<typeof AccountExport>
