import Type from 'typebox'
import { operation } from '../operation.ts'
import { confirmationFields, RecoveryCodes } from '../schemas/people/account.ts'
import { Nullable, OkResult, StrictObject, Timestamp } from '../schemas/primitives.ts'

export const usersTotpBeginOperation = operation({
  id: 'users.totp.begin',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Begin to set up an authenticator app (RFC 6238) as a second factor of the caller.',
  input: StrictObject({ ...confirmationFields }),
  output: Type.Object({
    secret: Type.String({ description: 'Base 32, for apps without a camera; in this response only.' }),
    otpauth_uri: Type.String({ description: 'What the QR code says.' }),
    qr_svg: Type.String({ description: 'The QR code as an SVG document.' }),
    expires_at: Timestamp,
  }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersTotpConfirmOperation = operation({
  id: 'users.totp.confirm',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Turn the authenticator app on with a code of it; from then on signing in with the password needs one.',
  input: StrictObject({ otp: Type.String({ maxLength: 64, description: 'The code that the app shows.' }) }),
  output: Type.Object({
    recovery_codes: Nullable(RecoveryCodes, { description: 'Null for a caller who has some already.' }),
  }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const usersTotpRemoveOperation = operation({
  id: 'users.totp.remove',
  scope: 'users:write',
  callers: 'account-owners',
  effect: 'destructive',
  summary: 'Turn the authenticator app of the caller off.',
  input: StrictObject({ ...confirmationFields }),
  output: OkResult,
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})
