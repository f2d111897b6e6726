import type { OAuthClientType } from '@swath/contract/schemas/people/oauth-client.ts'

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** RFC 3986 3.1 with a dot, which makes it the reversed name of a domain (RFC 8252 7.1). */
const privateUseScheme = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** No fragment, no wildcard, and nothing that a parser would drop or change. */
const plainUri = /^[\x21-\x7e]+$/

/** The reason for which a text is no redirect URI of such a client; null for one that is. */
export function findRedirectUriError(uri: string, type: OAuthClientType): string | null {
  if (!plainUri.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI'
  if (uri.includes('#')) return 'must not have a fragment'
  if (uri.includes('*')) return 'must not have a wildcard'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'must not have a user'
  if (protocol === 'https:') return null
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? null : 'must be https, except on a loopback address'
  if (type === 'confidential') return 'must be https, or http on a loopback address'
  return privateUseScheme.test(protocol) ? null : 'must have a scheme with a dot, such as org.example.app'
}

/** The URI without the port of a loopback address, which native apps choose at each start (RFC 8252 7.3). */
function withoutLoopbackPort(uri: string): string {
  if (!uri.startsWith('http:') || !URL.canParse(uri) || !loopbackHosts.has(new URL(uri).hostname)) return uri
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/, '$1')
}

/** Compares texts (RFC 9700 4.1.3), except for the port of a loopback address. */
export const isRegisteredRedirectUri = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => one === uri || withoutLoopbackPort(one) === withoutLoopbackPort(uri))

/** The reason for which a text is no https URL of a page or image; null for one that is. */
export function findPageUrlError(text: string): string | null {
  if (!plainUri.test(text) || !URL.canParse(text)) return 'must be an absolute URL'
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' ? null : 'must be https'
}
