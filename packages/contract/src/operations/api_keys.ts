import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { ApiKey, NewApiKey } from '../schemas/api-key.ts'
import { OkResultWithId, StrictObject, OptionalNullable, EmptyInput, Uuid } from '../schemas/primitives.ts'

const optionalPositiveInteger = (description: string) =>
  OptionalNullable(Type.Integer({ exclusiveMinimum: 0, maximum: 1_000_000, description }))

export const apiKeysCreateOperation = operation({
  id: 'api_keys.create',
  scope: 'api_keys:write',
  permission: 'administer',
  callers: 'users',
  effect: 'export',
  summary: 'Create an API key for the organization; only this response contains the secret.',
  input: StrictObject({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    permissions: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 100,
        description:
          'The flags `can_read`, `can_write`, `can_process`, or concrete scopes; a privileged one only if you have it.',
      }),
    ),
    rate_limit: optionalPositiveInteger('Requests per minute, within the limit of the organization.'),
    spend_cap_credits: OptionalNullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Credits that the key may spend in total; null for no limit of its own.',
      }),
    ),
    expires_in_days: optionalPositiveInteger('Null for a key that does not expire.'),
  }),
  output: NewApiKey,
})

export const apiKeysListOperation = operation({
  id: 'api_keys.list',
  scope: 'api_keys:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the API keys of the organization without their secrets.',
  input: EmptyInput,
  output: ListEnvelope('api_keys', ApiKey),
})

export const apiKeysRevokeOperation = operation({
  id: 'api_keys.revoke',
  scope: 'api_keys:write',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Revoke an API key and its access tokens immediately; a key can revoke only itself.',
  input: StrictObject({ key_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'forbidden', 'user-required'],
  emits: ['organization.delegations_stopped'],
})
