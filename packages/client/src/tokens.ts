import { ApiProblem, readProblem } from './problem.ts'

/** What tells a user of the second factor to enter a code; null if the user does not. */
export type AskForOtp = (message: string) => Promise<string | null>

/**
 * Credentials: user name and password, or an API key. Tokens of a person have the scopes that are asked for, separated by spaces;
 * without them all that are not those of operators. Whoever has a second factor enters a code of it.
 */
export type SignInCredentials =
  | {
      readonly username: string
      readonly password: string
      readonly scope?: string
      /** Called when the server says that a code is needed. */
      readonly askForOtp?: AskForOtp
    }
  | { readonly apiKey: string }

interface TokenResponse {
  readonly access_token: string
  readonly expires_in: number
  readonly refresh_token?: string
}

/** True if the password was right, and the user has a second factor. */
export const isOtpRequired = (error: unknown): boolean =>
  error instanceof ApiProblem && error.document['otp_required'] === true

/** A token that expires within this time is refreshed before use. */
const refresh_margin_ms = 30_000

const tokenPath = '/realms/public/protocol/openid-connect/token'

/**
 * Requests access tokens and refreshes them shortly before they expire: with the refresh token, or with the credentials if
 * that is not accepted. Concurrent callers share one request.
 */
export function createTokenSource(baseUrl: string, login: SignInCredentials): () => Promise<string> {
  let cached: { token: string; expires_at_ms: number; refreshToken: string | null } | null = null
  let pending: Promise<string> | null = null

  const requestToken = async (form: Record<string, string>): Promise<string> => {
    const response = await fetch(`${baseUrl}${tokenPath}`, { method: 'POST', body: new URLSearchParams(form) })
    if (!response.ok) throw await readProblem(response)
    const tokenResponse = (await response.json()) as TokenResponse
    cached = {
      token: tokenResponse.access_token,
      expires_at_ms: performance.now() + tokenResponse.expires_in * 1000 - refresh_margin_ms,
      refreshToken: tokenResponse.refresh_token ?? null,
    }
    return cached.token
  }
  const signIn = async (): Promise<string> => {
    if ('apiKey' in login)
      return requestToken({ grant_type: 'client_credentials', client_id: 'swath', client_secret: login.apiKey })
    const { askForOtp, ...fields } = login
    const form = { grant_type: 'password', ...fields }
    try {
      return await requestToken(form)
    } catch (error) {
      if (!askForOtp || !(error instanceof ApiProblem) || !isOtpRequired(error)) throw error
      const otp = await askForOtp(error.message)
      if (otp === null) throw error
      return requestToken({ ...form, otp })
    }
  }
  const refreshOrSignIn = (): Promise<string> =>
    cached?.refreshToken
      ? requestToken({ grant_type: 'refresh_token', refresh_token: cached.refreshToken }).catch(signIn)
      : signIn()

  return () => {
    if (cached && performance.now() < cached.expires_at_ms) return Promise.resolve(cached.token)
    pending ??= refreshOrSignIn().finally(() => {
      pending = null
    })
    return pending
  }
}
