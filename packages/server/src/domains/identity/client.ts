import { publicClientId } from './access-tokens.ts'
import { getFormField, OAuthProblem } from './oauth.ts'

/** The credentials of an OAuth client, from form fields or HTTP Basic. */
export interface OAuthClientCredentials {
  readonly id: string | null
  readonly secret: string | null
  readonly basic: boolean
}

/** Decodes the form encoding that RFC 6749 2.3.1 requires inside Basic credentials. */
function decodeFormComponent(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function parseBasic(authorization: string): { id: string; secret: string } | null {
  const match = /^Basic +([A-Za-z0-9+/_=-]{1,4096}) *$/i.exec(authorization)
  if (!match) return null
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const [id, secret] = [decodeFormComponent(text.slice(0, colon)), decodeFormComponent(text.slice(colon + 1))]
  return id === null || secret === null ? null : { id, secret }
}

/** The 401 of a client that failed to authenticate; it names the scheme if the client used it. */
export const createInvalidClientProblem = (
  description: string,
  client: Pick<OAuthClientCredentials, 'basic'>,
): OAuthProblem =>
  new OAuthProblem(
    'invalid_client',
    description,
    401,
    client.basic ? { 'www-authenticate': 'Basic realm="swath"' } : {},
  )

/** The 401 of a program whose id is neither that of the platform nor configured. */
export const createUnknownProgramProblem = (client: Pick<OAuthClientCredentials, 'basic'>): OAuthProblem =>
  createInvalidClientProblem(`The client_id of this platform is "${publicClientId}".`, client)

/** Throws `invalid_request` for a client that authenticates twice, `invalid_client` for a malformed header. */
export function parseClientCredentials(form: URLSearchParams, authorization: string | null): OAuthClientCredentials {
  const [id, secret] = [getFormField(form, 'client_id'), getFormField(form, 'client_secret')]
  if (authorization === null || !/^Basic\b/i.test(authorization)) return { id, secret, basic: false }
  const basic = parseBasic(authorization)
  if (!basic) throw createInvalidClientProblem('The Basic credentials are malformed.', { basic: true })
  if (secret !== null)
    throw new OAuthProblem('invalid_request', 'Send the client secret once: in the form or by Basic.')
  if (id !== null && id !== basic.id)
    throw new OAuthProblem('invalid_request', 'client_id differs from the client id of the header.')
  return { id: basic.id, secret: basic.secret || null, basic: true }
}
