import type { InputOf, OAuthClient } from '@swath/client/operations.ts'
import { isAccessComplete, toScopes, type AccessDraft } from '../scopes/access.ts'

export type ClientType = OAuthClient['type']
export type ClientGrant = OAuthClient['grants'][number]

/** What a person has entered of a client. */
export interface ClientDraft {
  readonly name: string
  readonly type: ClientType
  readonly grants: readonly ClientGrant[]
  /** One in each line. */
  readonly redirectUris: string
  readonly access: AccessDraft
  readonly homeUrl: string
  readonly logoUrl: string
  readonly isOpenToAll: boolean
}

/** The beginning of a form: a client of a server that signs people in, or a registered one. */
export const createClientDraft = (client: OAuthClient | null): ClientDraft => ({
  name: client?.name ?? '',
  type: client?.type ?? 'confidential',
  grants: client?.grants ?? ['authorization_code', 'refresh_token'],
  redirectUris: client?.redirect_uris.join('\n') ?? '',
  access: client ? { access: 'chosen', scopes: client.scopes } : { access: 'read', scopes: [] },
  homeUrl: client?.home_url ?? '',
  logoUrl: client?.logo_url ?? '',
  isOpenToAll: client?.open_to_all ?? false,
})

/** The grants that a type of client may have, in the order of the form. */
export const grantsOfType = (type: ClientType): readonly ClientGrant[] =>
  type === 'public'
    ? ['authorization_code', 'refresh_token', 'device_code']
    : ['authorization_code', 'refresh_token', 'device_code', 'client_credentials']

/** A grant with others that it needs, or without those that need it. */
export function setGrant(grants: readonly ClientGrant[], grant: ClientGrant, isChosen: boolean): ClientGrant[] {
  const rest = grants.filter((one) => one !== grant)
  const next = isChosen ? [...rest, grant] : rest
  const signsIn = next.includes('authorization_code') || next.includes('device_code')
  return signsIn ? next : next.filter((one) => one !== 'refresh_token')
}

/** The lines of a text that are not empty. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const isDraftComplete = ({ name, grants, redirectUris, access }: ClientDraft): boolean =>
  name.trim() !== '' &&
  grants.length > 0 &&
  isAccessComplete(access) &&
  (!grants.includes('authorization_code') || splitLines(redirectUris).length > 0)

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** The input that creates a client, or changes one with its id. */
export function toClientInput(draft: ClientDraft): InputOf<'oauth_clients.create'> {
  const { name, type, redirectUris, access, homeUrl, logoUrl, isOpenToAll } = draft
  const grants = grantsOfType(type).filter((grant) => draft.grants.includes(grant))
  return {
    name: name.trim(),
    type,
    grants,
    redirect_uris: grants.includes('authorization_code') ? splitLines(redirectUris) : [],
    scopes: toScopes(access),
    home_url: orNull(homeUrl),
    logo_url: orNull(logoUrl),
    open_to_all: isOpenToAll,
  }
}
