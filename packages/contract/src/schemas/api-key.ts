import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const ApiKey = Type.Object({
  id: Uuid,
  prefix: Type.String({ description: 'The first characters of the key, to identify it.' }),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  rate_limit: Nullable(Type.Integer({ description: 'Requests per minute; null for the limit of the organization.' })),
  spend_cap_credits: Nullable(
    Type.Integer({ description: 'Credits that the key may spend in total; null for no limit of its own.' }),
  ),
  created_by: Nullable(Uuid),
  created_by_name: Nullable(
    Type.String({ description: 'The name, or else the e-mail address, of who created it; null for who has left.' }),
  ),
  last_used_at: Nullable(Timestamp),
  last_used_address: Nullable(
    Type.String({ description: 'The IPv4 address, or the /64 block of the IPv6 address, that used it last.' }),
  ),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** The only response that contains the whole key. */
export const NewApiKey = Type.Object({
  id: Uuid,
  key: Type.String({ description: 'The secret; shown only once.' }),
  prefix: Type.String(),
  name: Type.String(),
  permissions: Type.Array(Type.String()),
  rate_limit: Nullable(Type.Integer()),
  spend_cap_credits: Nullable(Type.Integer()),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export type ApiKey = Static<typeof ApiKey>
export type NewApiKey = Static<typeof NewApiKey>
