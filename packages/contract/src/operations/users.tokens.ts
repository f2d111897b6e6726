import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { NewPersonalToken, PersonalToken } from '../schemas/people/personal-token.ts'
import { EmptyInput, OkResultWithId, StrictObject, Uuid } from '../schemas/primitives.ts'

export const usersTokensCreateOperation = operation({
  id: 'users.tokens.create',
  scope: 'personal_tokens:write',
  callers: 'interactive-users',
  effect: 'export',
  summary: 'Create a personal access token for the organization of the caller; only this response contains it.',
  input: StrictObject({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'Scopes that the token of the caller has, also as `items:*` or `*:read`; those that make credentials only by name.',
    }),
    expires_in_days: Type.Integer({
      minimum: 1,
      maximum: limits.max_personal_token_days,
      description: 'A token has an expiry, and can be replaced before.',
    }),
  }),
  output: NewPersonalToken,
  problems: ['invalid-state'],
  extension: true,
})

export const usersTokensListOperation = operation({
  id: 'users.tokens.list',
  scope: 'personal_tokens:read',
  callers: 'interactive-users',
  effect: 'read',
  summary: 'List the personal access tokens of the caller for its organization, newest first.',
  input: EmptyInput,
  output: ListEnvelope('tokens', PersonalToken),
  extension: true,
})

export const usersTokensRevokeOperation = operation({
  id: 'users.tokens.revoke',
  scope: 'personal_tokens:write',
  callers: 'interactive-users',
  effect: 'destructive',
  summary: 'Revoke a personal access token of the caller immediately.',
  input: StrictObject({ token_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found'],
  extension: true,
})
