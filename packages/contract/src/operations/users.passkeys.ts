import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { confirmationFields, Passkey, PasskeyName, RecoveryCodes } from '../schemas/people/account.ts'
import {
  AnyObject,
  EmptyInput,
  Nullable,
  OkResult,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'

export const usersPasskeysRegisterBeginOperation = operation({
  id: 'users.passkeys.register_begin',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Begin to register a passkey of the caller; needs a host name, which browsers bind passkeys to.',
  input: StrictObject({ ...confirmationFields }),
  output: Type.Object({
    options: WithDescription('For `PublicKeyCredential.parseCreationOptionsFromJSON`.', AnyObject),
    expires_at: Timestamp,
  }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersPasskeysRegisterFinishOperation = operation({
  id: 'users.passkeys.register_finish',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Register the passkey that the browser made for the options of register_begin.',
  input: StrictObject({
    credential: WithDescription('What `toJSON` of the credential returns.', AnyObject),
    name: WithDescription('For the list of passkeys.', PasskeyName),
  }),
  output: Type.Object({
    passkey: Passkey,
    recovery_codes: Nullable(RecoveryCodes, { description: 'Null for a caller who has some already.' }),
  }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersPasskeysListOperation = operation({
  id: 'users.passkeys.list',
  scope: 'users:read',
  callers: 'account-owners',
  effect: 'read',
  summary: 'List the passkeys of the caller.',
  input: EmptyInput,
  output: ListEnvelope('passkeys', Passkey),
  problems: ['forbidden'],
  extension: true,
})

export const usersPasskeysRenameOperation = operation({
  id: 'users.passkeys.rename',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Rename a passkey of the caller.',
  input: StrictObject({ passkey_id: Uuid, name: WithDescription('The name from now on.', PasskeyName) }),
  output: Type.Object({ passkey: Passkey }),
  problems: ['not-found'],
  extension: true,
})

export const usersPasskeysRemoveOperation = operation({
  id: 'users.passkeys.remove',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'destructive',
  summary: 'Remove a passkey of the caller, which nobody can sign in with any more.',
  input: StrictObject({ passkey_id: Uuid, ...confirmationFields }),
  output: OkResult,
  problems: ['not-found', 'forbidden', 'invalid-state'],
  extension: true,
})
