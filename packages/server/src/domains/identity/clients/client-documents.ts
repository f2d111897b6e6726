import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { SafeFetchFailure, type SafeFetch } from '../../../platform/integrations/integrations.ts'
import { ClientMetadataError, readClientMetadata } from './client-metadata.ts'
import type { OAuthProgram } from './oauth-client.ts'

/** The clients whose id is the URL of a document that describes them. */
export interface ClientDocuments {
  /** Null for a URL without a valid document. `admit` is called before a request, and throws if there were too many. */
  find(id: string, admit: () => Promise<void>): Promise<OAuthProgram | null>
}

const fresh_ms = 10 * 60_000
/** A document that is not valid is not requested again for this time. */
const refused_ms = 60_000
/** A client goes on working for this time while its host does not respond. */
const stale_ms = 24 * 3600_000
const fetch_options = { timeout_ms: 5000, limit_bytes: 32 * 1024, redirects: 0 } as const

interface CachedDocument {
  readonly client: OAuthProgram | null
  /** When it was requested. */
  readonly requested_ms: number
  /** When the document was last read. */
  readonly read_ms: number
}

/**
 * True for the id of a document: https, with a path, without anything that would give one document several ids (draft of client id
 * metadata documents, 3).
 */
export function isClientDocumentUrl(id: string): boolean {
  if (!id.startsWith('https://') || id.length > 500 || !URL.canParse(id)) return false
  const { href, pathname, username, password, hash } = new URL(id)
  return href === id && pathname !== '/' && username === '' && password === '' && hash === '' && !id.includes('#')
}

/** Throws unless the document is valid. */
function readDocument(id: string, body: Uint8Array): OAuthProgram {
  const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const metadata = readClientMetadata(document)
  if ((document as { client_id?: unknown }).client_id !== id)
    throw new ClientMetadataError('invalid_client_metadata', 'client_id must be the URL of the document.')
  return { ...metadata, id, type: 'public', organization: null, open_to_all: true, secrets: [] }
}

/** Fetches documents outside of any transaction, from public addresses only, without redirects. */
export function createClientDocuments(safeFetch: SafeFetch, clock: Clock): ClientDocuments {
  const cache = createBoundedCache<string, CachedDocument>({ max_entries: 2000 })

  async function request(id: string, now_ms: number, before: CachedDocument | undefined): Promise<OAuthProgram | null> {
    let client: OAuthProgram | null = null
    try {
      const { status, body } = await safeFetch(id, { ...fetch_options, headers: { accept: 'application/json' } })
      if (status >= 500) throw new SafeFetchFailure('connection', 'The host of the document has an outage.')
      client = status === 200 ? readDocument(id, body) : null
    } catch (error) {
      const isOutage = error instanceof SafeFetchFailure
      const isInvalid =
        error instanceof ClientMetadataError || error instanceof SyntaxError || error instanceof TypeError
      if (!isOutage && !isInvalid) throw error
      if (isOutage && before?.client && now_ms - before.read_ms < stale_ms) {
        cache.set(id, { ...before, requested_ms: now_ms })
        return before.client
      }
    }
    cache.set(id, { client, requested_ms: now_ms, read_ms: now_ms })
    return client
  }

  return {
    find: async (id, admit) => {
      if (!isClientDocumentUrl(id)) return null
      const now_ms = clock.now().getTime()
      const cached = cache.get(id)
      if (cached && now_ms - cached.requested_ms < (cached.client ? fresh_ms : refused_ms)) return cached.client
      await admit()
      return request(id, now_ms, cached)
    },
  }
}
