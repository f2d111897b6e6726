import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Nullable, Timestamp, Uuid } from '../primitives.ts'

/** The languages of e-mails, and of pages before somebody has signed in. */
export const accountLanguages = ['en', 'de', 'fr'] as const

export const AccountLanguage = Type.Enum([...accountLanguages], {
  description: 'The language of e-mails to the user.',
})

/** RFC 8176: `pwd`, `otp`, `hwk` or `swk` for a passkey, and `mfa` for two factors. */
export const AuthenticationMethods = Type.Array(Type.String(), {
  description: 'How the user signed in, by RFC 8176: `pwd`, `otp`, `hwk`, `swk`, `mfa`.',
})

/** What proves that a change of the account is made by its user, unless the session began a short while ago. */
export const confirmationFields = {
  password: Type.Optional(
    Nullable(Type.String({ maxLength: 1024 }), {
      description: `The password of the caller; not needed within ${limits.fresh_sign_in_seconds / 60} minutes after a sign-in.`,
    }),
  ),
  otp: Type.Optional(
    Nullable(Type.String({ maxLength: 64 }), {
      description:
        'With the password, if the caller has a second factor: a code of the authenticator app, or a recovery code.',
    }),
  ),
}

/** Whether members of an organization need a second factor. */
export const secondFactorRules = ['optional', 'required'] as const

export const sessionKinds = ['browser', 'application', 'device', 'password'] as const

/** A session of a person: of a browser, or of a program that has tokens. */
export const UserSession = Type.Object({
  id: Uuid,
  kind: Type.Enum([...sessionKinds], {
    description:
      'A browser; a program that signed in with it; one that was allowed with a code; or the password grant.',
  }),
  client_id: Nullable(Type.String(), { description: 'The program; null for a browser and for the password grant.' }),
  browser_session_id: Nullable(Uuid, { description: 'The session of the browser that this one ends with.' }),
  organization_id: Nullable(Uuid, { description: 'The organization of its tokens.' }),
  address: Nullable(Type.String(), { description: 'The IP address, or block of addresses, where it began.' }),
  user_agent: Nullable(Type.String()),
  methods: AuthenticationMethods,
  current: Type.Boolean({ description: 'True for the session of this call, and for the one of its browser.' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
})

/** A passkey of a person. */
export const Passkey = Type.Object({
  id: Uuid,
  name: Type.String(),
  synced: Type.Boolean({ description: 'True if its user can have it on several devices.' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
})

export const PasskeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })

/** Codes that replace the second factor, once each; they are in this response only. */
export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each replaces the second factor once. They are shown in this response only.',
})

export type AccountLanguage = Static<typeof AccountLanguage>
export type SecondFactorRule = (typeof secondFactorRules)[number]
export type UserSession = Static<typeof UserSession>
export type Passkey = Static<typeof Passkey>
