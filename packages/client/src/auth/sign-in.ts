import { signInWithPassword, type PasswordCredentials } from '../tokens.ts'
import { signInWithDevice, type DeviceSignIn } from './device.ts'
import { requestTokens, SignInError, type SignInServer, type SessionTokens } from './oauth.ts'
import { createMemoryStore, createRenewedTokens, type TokenStore } from './token-source.ts'

/** An OAuth client of the organization with a secret (`oauth_clients.create`): it acts for itself. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

/** Tokens of a sign-in before, such as of `finishSignIn`. */
export interface SignedIn {
  readonly tokens: SessionTokens
  readonly clientId: string
}

/**
 * How a client signs in: with an API key, a password, a browser on any device, the secret of an OAuth client, or tokens; or with a
 * function that returns a valid token, which is given one that was refused. Null calls public operations only.
 */
export type SignIn =
  | { readonly apiKey: string }
  | PasswordCredentials
  | { readonly device: DeviceSignIn }
  | ClientCredentials
  | SignedIn
  | ((refused?: string) => Promise<string>)
  | null

type Token = string | ((refused?: string) => Promise<string>) | null

/** The token of a client that signs in so; a session is kept in the store, where the next process finds it. */
export function createToken(endpoint: SignInServer, signIn: SignIn, store?: TokenStore): Token {
  if (signIn === null || typeof signIn === 'function') return signIn
  if ('apiKey' in signIn) return signIn.apiKey
  const source = (begin: () => Promise<SessionTokens>, client: Record<string, string> = {}): Token =>
    createRenewedTokens(endpoint, {
      signIn: begin,
      client,
      ...(store ? { store } : {}),
      replacesRefused: true,
    })
  if ('device' in signIn) {
    const { device } = signIn
    return source(() => signInWithDevice(endpoint, device), { client_id: device.clientId ?? 'swath' })
  }
  if ('clientSecret' in signIn) {
    const client = { client_id: signIn.clientId, client_secret: signIn.clientSecret }
    const { scope } = signIn
    return source(() => requestTokens(endpoint, { grant_type: 'client_credentials', ...client, scope }), client)
  }
  if ('tokens' in signIn)
    return createRenewedTokens(endpoint, {
      signIn: refuseSignIn,
      client: { client_id: signIn.clientId },
      store: store ? preferTokens(store, signIn.tokens) : createMemoryStore(signIn.tokens),
      replacesRefused: true,
    })
  const { clientId } = signIn
  return source(() => signInWithPassword(endpoint, signIn), clientId === undefined ? {} : { client_id: clientId })
}

/** A store that begins with these tokens, unless it has those that replaced them, which expire later. */
function preferTokens(store: TokenStore, tokens: SessionTokens): TokenStore {
  let given: SessionTokens | null = tokens
  return {
    ...(store.lock ? { lock: (work) => store.lock!(work) } : {}),
    save: (saved) => store.save(saved),
    load: async () => {
      const stored = await store.load()
      if (given === null || (stored && stored.expires_at_ms >= given.expires_at_ms)) return stored
      const begun = given
      given = null
      await store.save(begun)
      return begun
    },
  }
}

const refuseSignIn = (): Promise<never> =>
  Promise.reject(new SignInError(401, { error: 'session_ended', error_description: 'The session has ended. Sign in again.' }, null)) // prettier-ignore
