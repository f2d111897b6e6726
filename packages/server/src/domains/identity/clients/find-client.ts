import { isUuid } from '../../../platform/ids.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { toAddressFailureBucket } from '../unknown-credentials.ts'
import { isClientDocumentUrl } from './client-documents.ts'
import type { OAuthProgram } from './oauth-client.ts'
import { findOAuthClientById, type OAuthClientRow } from './store.oauth-clients.ts'
import {
  findRegisteredClient,
  updateRegisteredClientUse,
  type RegisteredClientRow,
} from './store.registered-clients.ts'

type ClientDependencies = Pick<IdentityDependencies, 'unscoped' | 'clock' | 'throttle' | 'limits' | 'clientDocuments'>

const documentBucket = toAddressFailureBucket('client-documents-of-address')

/**
 * The program of others with this id: of an organization, registered by itself, or described by a document. Null for any other id, and
 * for a disabled one. Requests of documents count against the IP address; throws `rate-limited`.
 */
export async function findClient(
  dependencies: ClientDependencies,
  id: string,
  address: string,
): Promise<OAuthProgram | null> {
  const { unscoped, throttle, clientDocuments } = dependencies
  if (isUuid(id)) {
    const row = await findOAuthClientById(unscoped, id.toLowerCase())
    if (row) return row.disabled_at === null ? toClientOfOrganization(row) : null
    const registered = await findRegisteredClient(unscoped, id.toLowerCase())
    return registered && toRegisteredClient(registered)
  }
  if (!clientDocuments || !isClientDocumentUrl(id)) return null
  return clientDocuments.find(id, () =>
    throttle.attempt([documentBucket(dependencies, address)], async () => ({ failed: true, value: undefined })),
  )
}

const toClientOfOrganization = (row: OAuthClientRow): OAuthProgram => ({
  id: row.id,
  name: row.name,
  type: row.type,
  redirect_uris: row.redirect_uris,
  scopes: row.scopes,
  grants: row.grants,
  home_url: row.home_url,
  organization: row.organization_id,
  open_to_all: row.open_to_all,
  secrets: [
    ...(row.secret_hash === null ? [] : [{ hash: row.secret_hash, expires_at: null }]),
    ...(row.former_secret_hash === null
      ? []
      : [{ hash: row.former_secret_hash, expires_at: row.former_secret_expires_at }]),
  ],
})

const toRegisteredClient = (row: RegisteredClientRow): OAuthProgram => ({
  id: row.id,
  name: row.name,
  type: 'public',
  redirect_uris: row.redirect_uris,
  scopes: row.scopes,
  grants: row.grants,
  home_url: row.home_url,
  organization: null,
  open_to_all: true,
  secrets: [],
})

const recorded_use_ms = 24 * 3600_000

/** Records that a program which registered itself got tokens, once a day. */
export async function recordClientUse(
  { unscoped, clock }: Pick<IdentityDependencies, 'unscoped' | 'clock'>,
  { id, organization }: OAuthProgram,
): Promise<void> {
  if (organization !== null || !isUuid(id)) return
  const at = clock.now()
  await updateRegisteredClientUse(unscoped, id, { at, unless_after: new Date(at.getTime() - recorded_use_ms) })
}
