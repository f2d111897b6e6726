import { everyScope } from '@swath/client/every-scope.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { isUnreachable } from './failures.ts'
import type { ProcessEnvironment } from './context.ts'
import { createTokenSource, isOtpRequired, type AskForOtp, type SignInCredentials } from '@swath/client/tokens.ts'

/** A server, and the credentials of calls to it. */
export interface ServerConnection {
  /** The URL of the server. */
  readonly address: string
  readonly login: SignInCredentials
  /** Source of the credentials. */
  readonly source: ConnectionSource
}

export type ConnectionSource = 'profile' | 'environment' | 'options' | 'terminal key' | 'first credentials'

/** The folder of a server that was started in this one. */
export const findServerDataFolder = (environment: ProcessEnvironment): string =>
  environment['SWATH_DATA_DIR'] ?? '.data'

/**
 * The server and the login of a tool: those of the environment, or else the terminal's key of the local server. Throws an
 * error that says what to do.
 */
export async function readServerConnection(environment: ProcessEnvironment): Promise<ServerConnection> {
  const { SWATH_ADDRESS: address, SWATH_KEY: apiKey, SWATH_USERNAME: username, SWATH_PASSWORD: password } = environment
  const login = apiKey ? { apiKey } : username && password ? { username, password, scope: everyScope } : null
  const folder = findServerDataFolder(environment)
  if (address && login) return { address, login, source: 'environment' }
  const stored = await readTerminalApiKey(folder)
  if (address && new URL(address).origin !== new URL(stored.address).origin)
    throw new Error(
      `There are no credentials for ${address}. Set SWATH_KEY, or sign in: swath login --address ${address}`,
    )
  if (login) {
    // A file of the present folder must not say which host gets the key.
    if (!isLoopback(stored.address))
      throw new Error('SWATH_KEY and SWATH_USERNAME need SWATH_ADDRESS, the URL of the server.')
    return { address: stored.address, login, source: 'environment' }
  }
  return { ...stored, source: 'terminal key' }
}

const isLoopback = (address: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)

/** The terminal's key of the server with this data folder; it is valid until it is revoked. */
export async function readTerminalApiKey(data_dir: string): Promise<Pick<ServerConnection, 'address' | 'login'>> {
  const [apiKey = '', address = ''] = (await readPrivateFile(data_dir, 'terminal-key')).split('\n')
  return { address, login: { apiKey } }
}

/** The first user of the server with this data folder, with the password of its first start, which may have been changed. */
export async function readFirstCredentials(data_dir: string): Promise<ServerConnection> {
  const text = await readPrivateFile(data_dir, 'first-credentials.json')
  const { address, username, password } = JSON.parse(text) as Record<'address' | 'username' | 'password', string>
  return { address, login: { username, password, scope: everyScope }, source: 'first credentials' }
}

async function readPrivateFile(data_dir: string, name: string): Promise<string> {
  const path = join(data_dir, name)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}). ${findServerHint}`, {
      cause: error,
    })
  }
}

const findServerHint =
  'Start the server first (npm start), make a new key (npm run key), or set SWATH_ADDRESS and SWATH_KEY, which is an API key.'

/** Of calls with an idempotency key, and after rate limits. */
export const max_retries = 3

/** A client that calls with the login; it signs in before its first call, and asks whoever has a second factor for a code. */
export const createSignedInClient = (
  { address, login }: Pick<ServerConnection, 'address' | 'login'>,
  askForOtp?: AskForOtp,
): Client =>
  createClient({
    baseUrl: address,
    maxRetries: max_retries,
    token:
      'apiKey' in login ? login.apiKey : createTokenSource(address, { ...login, ...(askForOtp ? { askForOtp } : {}) }),
  })

/** Returns one sentence about what went wrong and, where that is known, what to do. */
export function describeFailure(
  error: unknown,
  { address, source }: Pick<ServerConnection, 'address' | 'source'>,
): string {
  if (!(error instanceof ApiProblem)) return isUnreachable(error) ? describeUnreachable(address) : String(error)
  if (isOtpRequired(error))
    return `${String(error.document['error_description'])} Set SWATH_OTP to one, or call in a terminal, which asks for it.`
  if (isSignInRefused(error)) return signInHints[source]
  const hint = requiresSignedInUser(error) && source === 'terminal key' ? personHint : problemHints[error.problem]
  return hint === undefined ? error.message : `${error.message.replace(/[.]?$/, '.')} ${hint}`
}

/** True for a call that only a person may make, or one with more scopes than a key can have. */
export const requiresSignedInUser = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.problem === 'user-required' || error.problem === 'insufficient-scope')

/** True if the login is not, or no longer, accepted; OAuth answers a wrong password with 400. */
export const isSignInRefused = (error: unknown): boolean =>
  error instanceof ApiProblem &&
  !isOtpRequired(error) &&
  (error.status === 401 || error.document['error'] === 'invalid_grant')

const personHint = 'To call it as a person, sign in (swath login), or set SWATH_USERNAME and SWATH_PASSWORD.'

/** The way out of problems whose detail does not name it. */
const problemHints: Readonly<Record<string, string>> = {
  'insufficient-credits': 'Buy credits: swath billing topup --credits 1000 (or the console: swath open money).',
  'spend-limit-exceeded': 'Raise --max-credits if the price is right.',
  'user-required': 'Sign in as a person: swath login.',
  'insufficient-scope': 'Sign in with more rights (swath login), or use a key that has the scope.',
  'quote-expired': 'Prices are locked for a while only: call swath price or swath buy again.',
  'eula-not-accepted': 'Read and accept the licence: swath eulas list, swath eulas document accept.',
  'not-found': 'Check the id and the profile: swath whoami.',
}

const signInHints: Readonly<Record<ConnectionSource, string>> = {
  profile: 'The server does not accept the credentials of this profile any more. Sign in again: swath login',
  environment: 'The server does not accept SWATH_KEY, or SWATH_USERNAME with SWATH_PASSWORD: the key was revoked or the password is wrong.', // prettier-ignore
  options: 'The server does not accept this user name with this password.',
  'terminal key': "The server does not accept the terminal's API key any more: it was revoked. This makes a new one: npm run key", // prettier-ignore
  'first credentials': 'The password of the first start was changed. Set SWATH_USERNAME and SWATH_PASSWORD to the present one.', // prettier-ignore
}

const describeUnreachable = (address: string): string =>
  `No server answers at ${address}. Start it with npm start; for another one set SWATH_ADDRESS and SWATH_KEY.`
