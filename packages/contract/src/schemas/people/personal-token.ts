import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../primitives.ts'

/** A token with which a program acts as its user in one organization. */
export const PersonalToken = Type.Object({
  id: Uuid,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token, to identify it.' }),
  organization_id: Uuid,
  scopes: Type.Array(Type.String(), { description: 'Concrete scopes.' }),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  last_used_address: Nullable(
    Type.String({ description: 'The IPv4 address, or the /64 block of the IPv6 address, that used it last.' }),
  ),
  created_at: Timestamp,
})

/** The only response that contains the whole token. */
export const NewPersonalToken = Type.Object({
  ...PersonalToken.properties,
  token: Type.String({ description: 'The secret; shown only once.' }),
})

/** A token of a member, as owners and admins see it. */
export const MemberToken = Type.Object({
  ...PersonalToken.properties,
  user_id: Uuid,
  user_email: Nullable(Type.String({ description: 'Null for a user who has left.' })),
  user_name: Nullable(Type.String()),
})

export type PersonalToken = Static<typeof PersonalToken>
export type NewPersonalToken = Static<typeof NewPersonalToken>
export type MemberToken = Static<typeof MemberToken>
