import { temporary_statuses } from '../transport.ts'
import { requestTokens, SignInError, type SignInServer, type SessionTokens } from './oauth.ts'

/** Keeps the tokens of a session, such as in a file or a keychain; every method may be asynchronous. */
export interface TokenStore {
  load(): SessionTokens | null | Promise<SessionTokens | null>
  save(tokens: SessionTokens): unknown
  /**
   * Runs work while no other process renews the tokens, such as by `navigator.locks` or a lock file. A refresh token is valid once,
   * and its second use ends the session: a store that several processes or tabs share needs it.
   */
  lock?<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface TokenSourceOptions {
  /** Signs in without the tokens of an earlier session. */
  readonly signIn: () => Promise<SessionTokens>
  /** The OAuth client that the refresh tokens belong to. */
  readonly client?: Readonly<Record<string, string | undefined>>
  readonly store?: TokenStore
  /** A token that the platform refused is replaced, although it has not expired. */
  readonly replacesRefused?: boolean
}

/** A token that expires within this time is renewed before use. */
const renewal_margin_ms = 30_000

/** Keeps tokens in memory. */
export function createMemoryStore(tokens: SessionTokens | null = null): TokenStore {
  let kept = tokens
  return {
    load: () => kept,
    save: (saved) => {
      kept = saved
    },
  }
}

/**
 * Returns valid access tokens: stored ones, or renewed with the refresh token, or by signing in if that is not accepted.
 * Concurrent callers share one request.
 */
export function createRenewedTokens(
  endpoint: SignInServer,
  { signIn, client = {}, store = createMemoryStore(), replacesRefused = false }: TokenSourceOptions,
): (refused?: string) => Promise<string> {
  let pending: Promise<string> | null = null

  const renew = async (refused: string | undefined): Promise<string> => {
    // Another process may have renewed them.
    const stored = await store.load()
    const isRefused = replacesRefused && stored?.accessToken === refused
    if (stored && !isRefused && Date.now() < stored.expires_at_ms - renewal_margin_ms) return stored.accessToken
    const form = { grant_type: 'refresh_token', refresh_token: stored?.refreshToken ?? undefined, ...client }
    const tokens = stored?.refreshToken
      ? await requestTokens(endpoint, form).catch((error: unknown) => {
          // Without an answer the session may still be valid.
          if (error instanceof SignInError && !temporary_statuses.includes(error.status)) return signIn()
          throw error
        })
      : await signIn()
    // A refresh token that was not replaced stays valid.
    await store.save({ ...tokens, refreshToken: tokens.refreshToken ?? stored?.refreshToken ?? null })
    return tokens.accessToken
  }

  const renewAlone = (refused?: string): Promise<string> =>
    (pending ??= (store.lock ? store.lock(() => renew(refused)) : renew(refused)).finally(() => {
      pending = null
    }))

  return async (refused) => {
    const token = await renewAlone(refused)
    // The one of a caller who began before the token was refused.
    return replacesRefused && token === refused ? renewAlone(refused) : token
  }
}
