import { requestTokens, SignInError, type SignInServer, type SessionTokens } from './auth/oauth.ts'
import { createRenewedTokens } from './auth/token-source.ts'
import { ApiProblem } from './problem.ts'

/** What tells a user of the second factor to enter a code; null if the user does not. */
export type AskForOtp = (message: string) => Promise<string | null>

export interface PasswordCredentials {
  readonly username: string
  readonly password: string
  /** Scopes, separated by spaces; without them all that are not those of operators. */
  readonly scope?: string
  /** The OAuth client that the session is of; by default none. */
  readonly clientId?: string
  /** Called when the server says that a code of the second factor is needed. */
  readonly askForOtp?: AskForOtp
}

/** Credentials: user name and password, or an API key. Whoever has a second factor enters a code of it. */
export type SignInCredentials = PasswordCredentials | { readonly apiKey: string }

/** True if the password was right, and the user has a second factor. */
export const isOtpRequired = (error: unknown): boolean =>
  error instanceof ApiProblem && error.document['otp_required'] === true

/** Signs in with a password, and a code of the second factor if it is needed. Throws `SignInError`. */
export async function signInWithPassword(
  endpoint: SignInServer,
  { askForOtp, clientId, ...fields }: PasswordCredentials,
): Promise<SessionTokens> {
  const form = { grant_type: 'password', client_id: clientId, ...fields }
  try {
    return await requestTokens(endpoint, form)
  } catch (error) {
    if (!askForOtp || !(error instanceof SignInError) || !isOtpRequired(error)) throw error
    const otp = await askForOtp(error.message)
    if (otp === null) throw error
    return requestTokens(endpoint, { ...form, otp })
  }
}

/**
 * Requests access tokens and refreshes them shortly before they expire: with the refresh token, or with the credentials if
 * that is not accepted. Concurrent callers share one request.
 */
export function createTokenSource(baseUrl: string, login: SignInCredentials): () => Promise<string> {
  const endpoint = { baseUrl }
  const signIn = (): Promise<SessionTokens> =>
    'apiKey' in login
      ? requestTokens(endpoint, { grant_type: 'client_credentials', client_id: 'swath', client_secret: login.apiKey })
      : signInWithPassword(endpoint, login)
  const source = createRenewedTokens(endpoint, { signIn })
  return () => source()
}
