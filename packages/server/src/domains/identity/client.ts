import { fieldOf, OAuthRefusal } from './oauth.ts'

/** The credentials of an OAuth client, from form fields or HTTP Basic. */
export interface NamedClient {
  readonly id: string | null
  readonly secret: string | null
  readonly basic: boolean
}

/** Decodes the form encoding that RFC 6749 2.3.1 requires inside Basic credentials. */
function decodeForm(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function readBasic(authorization: string): { id: string; secret: string } | null {
  const match = /^Basic +([A-Za-z0-9+/_=-]{1,4096}) *$/i.exec(authorization)
  if (!match) return null
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const [id, secret] = [decodeForm(text.slice(0, colon)), decodeForm(text.slice(colon + 1))]
  return id === null || secret === null ? null : { id, secret }
}

/** The 401 of a client that failed to authenticate; it names the scheme if the client used it. */
export const refuseClient = (description: string, client: Pick<NamedClient, 'basic'>): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_client',
    description,
    401,
    client.basic ? { 'www-authenticate': 'Basic realm="swath"' } : {},
  )

/** Throws `invalid_request` for a client that authenticates twice, `invalid_client` for a malformed header. */
export function readClient(form: URLSearchParams, authorization: string | null): NamedClient {
  const [id, secret] = [fieldOf(form, 'client_id'), fieldOf(form, 'client_secret')]
  if (authorization === null || !/^Basic\b/i.test(authorization)) return { id, secret, basic: false }
  const basic = readBasic(authorization)
  if (!basic) throw refuseClient('The Basic credentials are malformed.', { basic: true })
  if (secret !== null)
    throw new OAuthRefusal('invalid_request', 'Send the client secret once: in the form or by Basic.')
  if (id !== null && id !== basic.id)
    throw new OAuthRefusal('invalid_request', 'client_id differs from the client id of the header.')
  return { id: basic.id, secret: basic.secret || null, basic: true }
}
