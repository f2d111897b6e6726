import type { CustomFetch } from 'openid-client'
import type { SafeFetch } from '../safe-fetch-types.ts'

/** Documents and keys of providers are smaller. */
const max_response_bytes = 512 * 1024

const timeout_ms = 8000

/** Responses that have no body (RFC 9110 15). */
const empty_statuses: ReadonlySet<number> = new Set([204, 205, 304])

const toRequestBody = (body: unknown): string | undefined => {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new Error('a request to a provider has a text as its body')
}

/** The guarded fetch in the form that the library calls; redirects are not followed. */
export const toLibraryFetch =
  (safeFetch: SafeFetch): CustomFetch =>
  async (url, { body, headers, method, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`a request to a provider is no ${method}`)
    const text = toRequestBody(body)
    const response = await safeFetch(url, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
      ...(signal ? { signal } : {}),
      timeout_ms,
      limit_bytes: max_response_bytes,
      redirects: 0,
    })
    const { status } = response
    const content = empty_statuses.has(status) ? null : new TextDecoder().decode(response.body)
    return new Response(content, { status, headers: { ...response.headers } })
  }
