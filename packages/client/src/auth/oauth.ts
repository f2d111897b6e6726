import { ApiProblem, readProblem } from '../problem.ts'

/** Tokens of a session. */
export interface SessionTokens {
  readonly accessToken: string
  /** Null if the session cannot be renewed without signing in. */
  readonly refreshToken: string | null
  /** Milliseconds since 1970. */
  readonly expires_at_ms: number
}

/** A sign-in that the platform refused, with the code of RFC 6749, such as `invalid_grant` or `access_denied`. */
export class SignInError extends ApiProblem {
  get code(): string {
    return String(this.document['error'] ?? 'unknown')
  }
}

/** Where a sign-in is sent. */
export interface SignInServer {
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** All calls wait for their token: a server that does not answer must not hold them for ever. */
const token_timeout_ms = 60_000

const realmPath = '/realms/public/protocol/openid-connect'

export const endpointUrl = ({ baseUrl }: SignInServer, name: string): string => `${baseUrl}${realmPath}/${name}`

/** Posts a form to an OAuth endpoint. Throws `SignInError` if it is refused. */
export async function postForm<Output>(
  endpoint: SignInServer,
  name: string,
  form: Readonly<Record<string, string | undefined>>,
): Promise<Output> {
  const fields = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined)
  const send = endpoint.fetch ?? fetch
  const response = await send(endpointUrl(endpoint, name), {
    method: 'POST',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(token_timeout_ms),
  })
  if (!response.ok) throw await readProblem(response, () => SignInError)
  const text = await response.text()
  return (text === '' ? {} : JSON.parse(text)) as Output
}

/** Ends the session of a refresh token (RFC 7009). Throws `SignInError`. */
export const revokeTokens = (endpoint: SignInServer, refreshToken: string, clientId?: string): Promise<object> =>
  postForm(endpoint, 'revoke', { client_id: clientId, token: refreshToken })

interface TokenResponse {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
}

/** Requests tokens for a grant. Throws `SignInError`. */
export async function requestTokens(
  endpoint: SignInServer,
  form: Readonly<Record<string, string | undefined>>,
): Promise<SessionTokens> {
  const response = await postForm<TokenResponse>(endpoint, 'token', form)
  return {
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? null,
    expires_at_ms: Date.now() + response.expires_in * 1000,
  }
}
