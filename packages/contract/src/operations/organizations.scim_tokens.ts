import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { ScimToken } from '../schemas/people/federation.ts'
import { OptionalNullable, StrictObject, Uuid, WithDescription } from '../schemas/primitives.ts'

export const organizationsScimTokensCreateOperation = operation({
  id: 'organizations.scim_tokens.create',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Create a token with which the directory of the organization provisions members by SCIM; shown once.',
  input: StrictObject({
    name: Type.String({ minLength: 1, maxLength: limits.max_name_length }),
    expires_in_days: WithDescription(
      'Null: it does not expire.',
      OptionalNullable(Type.Integer({ minimum: 1, maximum: 3650 })),
    ),
  }),
  output: Type.Object({
    scim_token: ScimToken,
    token: Type.String({ description: 'The secret; shown only once.' }),
    base_url: Type.String({ description: 'The URL of SCIM for the directory.' }),
  }),
  problems: ['invalid-state'],
  emits: ['scim_token.created'],
  extension: true,
})

export const organizationsScimTokensListOperation = operation({
  id: 'organizations.scim_tokens.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the SCIM tokens of the organization, newest first, with those that were revoked.',
  input: StrictObject(offsetPaging()),
  output: ListEnvelope('scim_tokens', ScimToken),
  paging: 'offset',
  extension: true,
})

export const organizationsScimTokensRevokeOperation = operation({
  id: 'organizations.scim_tokens.revoke',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'destructive',
  summary: 'Revoke a SCIM token at once; the members that it provisioned stay.',
  input: StrictObject({ scim_token_id: Uuid }),
  output: Type.Object({ scim_token: ScimToken }),
  problems: ['not-found', 'invalid-state'],
  emits: ['scim_token.revoked'],
  extension: true,
})
