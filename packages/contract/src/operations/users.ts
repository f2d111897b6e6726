import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { Email } from '../schemas/member.ts'
import { AccountLanguage, confirmationFields, RecoveryCodes, UserSession } from '../schemas/people/account.ts'
import { AccountExport } from '../schemas/people/account-export.ts'
import { Consent } from '../schemas/people/oauth-client.ts'
import {
  ClearIfNull,
  Count,
  EmptyInput,
  KeepIfNull,
  Nullable,
  StrictObject,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { CurrentPrincipal, UserOrganization } from '../schemas/user.ts'

export const usersMeOperation = operation({
  id: 'users.me',
  scope: null,
  effect: 'read',
  summary: 'Read the calling principal with its organization, role, scopes, spend limits and wallet.',
  input: EmptyInput,
  output: CurrentPrincipal,
  extension: true,
})

export const usersOrganizationsListOperation = operation({
  id: 'users.organizations.list',
  scope: null,
  callers: 'users',
  effect: 'read',
  summary: 'List the organizations that the caller is in; a token is for one of them.',
  input: EmptyInput,
  output: ListEnvelope('organizations', UserOrganization),
  extension: true,
})

export const usersConsentsListOperation = operation({
  id: 'users.consents.list',
  scope: 'consents:read',
  callers: 'interactive-users',
  effect: 'read',
  summary: 'List what the caller has granted to programs, in all organizations.',
  input: EmptyInput,
  output: ListEnvelope('consents', Consent),
  extension: true,
})

export const usersConsentsRevokeOperation = operation({
  id: 'users.consents.revoke',
  scope: 'consents:write',
  callers: 'interactive-users',
  effect: 'destructive',
  summary: 'End what the caller has granted to a program, with its tokens.',
  input: StrictObject({
    client_id: Type.String({ minLength: 1, maxLength: 2000, description: 'As the list has it.' }),
    organization_id: Type.Optional(Nullable(Uuid, { description: 'Null for all organizations.' })),
  }),
  output: Type.Object({ client_id: Type.String(), revoked: Type.Integer({ description: 'How many consents ended.' }) }),
  problems: ['not-found'],
  extension: true,
})

const Account = Type.Object({
  id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  language: AccountLanguage,
  time_zone: Type.String({ description: 'IANA name.' }),
})

export const usersUpdateOperation = operation({
  id: 'users.update',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Change the name of the caller, and the language and time zone of e-mails about the account.',
  input: StrictObject({
    name: ClearIfNull(Type.String({ minLength: 1, maxLength: limits.max_name_length, pattern: '\\S' })),
    language: KeepIfNull(AccountLanguage),
    time_zone: KeepIfNull(Type.String({ maxLength: 64, description: 'IANA name, such as `Europe/Berlin`.' })),
  }),
  output: Type.Object({ user: Account }),
  problems: ['forbidden'],
  extension: true,
})

export const usersPasswordChangeOperation = operation({
  id: 'users.password.change',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Replace the password of the caller; all other sessions of the caller end.',
  input: StrictObject({
    password: Type.String({ maxLength: 1024, description: 'The password until now.' }),
    new_password: Type.String({ maxLength: 1024, description: 'The password from now on.' }),
  }),
  output: Type.Object({ ended_sessions: Count }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersEmailChangeOperation = operation({
  id: 'users.email.change',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Ask for another e-mail address of the caller; it counts once the link sent to it was opened.',
  input: StrictObject({ email: Email, ...confirmationFields }),
  output: Type.Object({ email: Type.String(), expires_at: Timestamp }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersSessionsListOperation = operation({
  id: 'users.sessions.list',
  scope: 'users:read',
  callers: 'account-owners',
  effect: 'read',
  summary: 'List the sessions of the caller: browsers, and programs that have tokens.',
  input: EmptyInput,
  output: ListEnvelope('sessions', UserSession),
  problems: ['forbidden'],
  extension: true,
})

export const usersSessionsEndOperation = operation({
  id: 'users.sessions.end',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'destructive',
  summary: 'End a session of the caller, with its tokens, or all but the one of this call.',
  input: StrictObject({
    session_id: Nullable(Uuid, { description: 'Null ends all sessions but the one of this call and of its browser.' }),
  }),
  output: Type.Object({ ended_sessions: Count }),
  problems: ['not-found'],
  extension: true,
})

export const usersRecoveryCodesRegenerateOperation = operation({
  id: 'users.recovery_codes.regenerate',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Replace the recovery codes of the caller; the former ones are not valid any more.',
  input: StrictObject({ ...confirmationFields }),
  output: Type.Object({ recovery_codes: RecoveryCodes }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersExportOperation = operation({
  id: 'users.export',
  scope: 'users:read',
  callers: 'account-owners',
  effect: 'export',
  summary: 'Read everything that is kept about the caller as one document.',
  input: EmptyInput,
  output: AccountExport,
  problems: ['forbidden'],
  extension: true,
})

export const usersDeleteOperation = operation({
  id: 'users.delete',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'destructive',
  summary: 'Delete the account of the caller for good, who leaves all organizations; always asks for the password.',
  input: StrictObject({ ...confirmationFields }),
  output: Type.Object({ user_id: Uuid, deleted_at: Timestamp }),
  problems: ['forbidden', 'invalid-state'],
  emits: ['member.left', 'organization.delegations_stopped'],
  extension: true,
})
