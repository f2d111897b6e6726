import { publicClientId } from '../access-tokens.ts'
import type { OAuthProgram } from '../clients/oauth-client.ts'
import type { PlainMessage } from '../page-texts/page-text.ts'
import { invitationPagePath } from '../../organizations/invitations/invitation-email.ts'

/** An OAuth client without a secret, such as a page in a browser: it proves with PKCE that a code was issued to it. */
export interface PublicClient {
  readonly id: string
  /** The name on the sign-in page. */
  readonly name: string
  /** What the sign-in page says instead of the name. */
  readonly destination?: PlainMessage
  /** Compares exactly (RFC 6749 3.1.2), except for the port of a loopback address that is registered without one. */
  isRedirectUri(uri: string, baseUrl: string): boolean
  /** The program of others, whose users consent; absent for a client of the platform. */
  readonly program?: OAuthProgram
}

/** The clients that users can sign in to with a browser. */
export interface PublicClients {
  readonly ids: readonly string[]
  /** True for the ids with which programs without a secret sign people in, by password or on another device. */
  isProgram(id: string): boolean
  /** Null for an unknown id. */
  find(id: string): PublicClient | null
  /** True for URLs of the platform, and of the origins of additional redirect URIs. */
  isPostLogoutRedirectUri(uri: string, baseUrl: string): boolean
}

export const consoleClientId = 'swath-console'

/** The page of device login, which sends browsers to sign in and takes them back. */
export const deviceClientId = 'swath-device'

/** The page of an invitation, which sends browsers to sign in and takes them back. */
export const invitationClientId = 'swath-invitation'

/** The path below the base URL where the console receives codes. */
export const consoleCallbackPath = '/auth/callback'

/** A loopback address with a port, as native apps choose a free one at each start (RFC 8252 7.3). */
const loopbackWithPort = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):[1-9]\d{0,4}(\/.*)$/

/** A port above 65535 makes no URL. */
const withoutLoopbackPort = (uri: string): string => (URL.canParse(uri) ? uri.replace(loopbackWithPort, '$1$2') : uri)

/** Null for a text that is not an absolute http(s) URL, or that names a user, which could disguise its host. */
function parseOrigin(uri: string): string | null {
  if (!URL.canParse(uri)) return null
  const { origin, protocol, username, password } = new URL(uri)
  const isPlain = ['https:', 'http:'].includes(protocol) && username === '' && password === ''
  return isPlain ? origin : null
}

/** The built-in clients; `additionalRedirectUris` of the console are those of its developers. */
export function createPublicClients(
  additionalRedirectUris: readonly string[],
  programIds: readonly string[] = [],
): PublicClients {
  const additional = new Set(additionalRedirectUris)
  const additionalOrigins = new Set(additionalRedirectUris.map(parseOrigin))
  const clients: readonly PublicClient[] = [
    {
      id: consoleClientId,
      name: 'the Swath console',
      destination: 'Continue to the Swath console.',
      isRedirectUri: (uri, baseUrl) =>
        uri === `${baseUrl}${consoleCallbackPath}` || additional.has(uri) || additional.has(withoutLoopbackPort(uri)),
    },
    {
      id: deviceClientId,
      name: 'the device that shows you a code',
      destination: 'Continue to the device that shows you a code.',
      isRedirectUri: (uri, baseUrl) => uri === `${baseUrl}/device`,
    },
    {
      id: invitationClientId,
      name: 'your invitation',
      destination: 'Continue to your invitation.',
      isRedirectUri: (uri, baseUrl) => uri === `${baseUrl}${invitationPagePath}`,
    },
  ]
  return {
    ids: clients.map(({ id }) => id),
    isProgram: (id) => id === publicClientId || programIds.includes(id),
    find: (id) => clients.find((client) => client.id === id) ?? null,
    isPostLogoutRedirectUri: (uri, baseUrl) => {
      const origin = parseOrigin(uri)
      return origin !== null && (origin === parseOrigin(baseUrl) || additionalOrigins.has(origin))
    },
  }
}
