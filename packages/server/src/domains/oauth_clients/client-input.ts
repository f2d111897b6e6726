import type { OAuthClient, OAuthClientGrant } from '@swath/contract/schemas/people/oauth-client.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { validationProblem } from '../../engine/problem.ts'
import { findPageUrlError, findRedirectUriError } from '../identity/clients/redirect-uris.ts'
import type { OAuthClientRow } from '../identity/clients/store.oauth-clients.ts'
import { readDelegatedScopes } from '../identity/personal-tokens/personal-tokens.ts'

/** What the owners and admins of an organization set of a client. */
export type ClientFields = Pick<
  OAuthClientRow,
  'name' | 'type' | 'redirect_uris' | 'scopes' | 'grants' | 'home_url' | 'logo_url' | 'open_to_all'
>

type FieldProblem = { readonly path: string; readonly message: string }

/** The fields with concrete scopes. Throws `validation` for those that do not fit each other or the type of the client. */
export function readClientFields(fields: ClientFields): ClientFields {
  const errors = [...findRedirectErrors(fields), ...findGrantErrors(fields), ...findPageErrors(fields)]
  if (errors.length > 0) throw validationProblem(errors)
  const scopes = readDelegatedScopes(fields.scopes)
  if (scopes.some(isPrivilegedScope))
    throw validationProblem([
      { path: 'scopes', message: 'must not be privileged: clients never get admin or clip scopes' },
    ])
  return { ...fields, scopes, redirect_uris: [...new Set(fields.redirect_uris)] }
}

const findRedirectErrors = ({ redirect_uris, type }: ClientFields): FieldProblem[] =>
  redirect_uris.flatMap((uri, index) => {
    const message = findRedirectUriError(uri, type)
    return message === null ? [] : [{ path: `redirect_uris.${index}`, message }]
  })

function findGrantErrors({ grants, type, redirect_uris }: ClientFields): FieldProblem[] {
  const has = (grant: OAuthClientGrant): boolean => grants.includes(grant)
  if (has('client_credentials') && type === 'public')
    return [{ path: 'grants', message: 'client_credentials needs a confidential client' }]
  if (has('authorization_code') && redirect_uris.length === 0)
    return [{ path: 'redirect_uris', message: 'authorization_code needs a redirect URI' }]
  if (has('refresh_token') && !has('authorization_code') && !has('device_code'))
    return [{ path: 'grants', message: 'refresh_token needs authorization_code or device_code' }]
  return []
}

const findPageErrors = (fields: ClientFields): FieldProblem[] =>
  (['home_url', 'logo_url'] as const).flatMap((path) => {
    const message = fields[path] === null ? null : findPageUrlError(fields[path])
    return message === null ? [] : [{ path, message }]
  })

export const toOAuthClient = (row: OAuthClientRow): OAuthClient => ({
  client_id: row.id,
  name: row.name,
  type: row.type,
  redirect_uris: [...row.redirect_uris],
  scopes: [...row.scopes],
  grants: [...row.grants],
  home_url: row.home_url,
  logo_url: row.logo_url,
  open_to_all: row.open_to_all,
  former_secret_expires_at: row.former_secret_expires_at?.toISOString() ?? null,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
