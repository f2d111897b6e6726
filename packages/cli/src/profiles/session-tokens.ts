import { requestTokens, type SessionTokens } from '@swath/client/auth/oauth.ts'
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessEnvironment } from '../context.ts'
import { CommandFailure } from '../failures.ts'
import { findConfigFolder } from './private-file.ts'
import { replaceSecret, type Profile } from './profiles.ts'
import { readSecret } from './secrets.ts'

/** A token that expires within this time is refreshed before use. */
const refresh_margin_ms = 30_000

/**
 * The access token of a profile's session. A refresh token may be used once, so processes that run at once take turns, and read
 * the tokens again that another one has stored.
 */
export function createSessionTokenSource(
  env: ProcessEnvironment,
  profile: Profile & { readonly name: string },
): (refused?: string) => Promise<string> {
  const { address, name, secret_place } = profile
  const readTokens = async (): Promise<SessionTokens> => {
    const secret = await readSecret(env, name, secret_place)
    if (secret === null) throw signedOut(name)
    return JSON.parse(secret) as SessionTokens
  }
  let pending: Promise<string> | null = null
  const refresh = (refused?: string): Promise<string> =>
    withLock(env, async () => {
      const stored = await readTokens()
      if (isUsable(stored, refused)) return stored.accessToken
      const next = await renewTokens(address, stored)
      await replaceSecret(env, name, JSON.stringify(next))
      return next.accessToken
    })
  return async (refused) => {
    const stored = await readTokens()
    if (isUsable(stored, refused)) return stored.accessToken
    pending ??= refresh(refused).finally(() => {
      pending = null
    })
    return pending
  }
}

/** The OAuth client that the platform knows the command line as. */
export const client_id = 'swath'

/** The session goes on with new tokens, for another organization if one is named. Throws `SignInError`. */
export const renewTokens = (
  baseUrl: string,
  { refreshToken }: SessionTokens,
  organization_id?: string,
): Promise<SessionTokens> =>
  requestTokens(
    { baseUrl },
    { grant_type: 'refresh_token', client_id, refresh_token: refreshToken ?? undefined, organization_id },
  )

const isUsable = ({ accessToken, expires_at_ms }: SessionTokens, refused: string | undefined): boolean =>
  accessToken !== refused && Date.now() < expires_at_ms - refresh_margin_ms

const signedOut = (name: string): CommandFailure =>
  new CommandFailure('signIn', `The secret of the profile "${name}" is not there any more. Sign in again: swath login --profile ${name}`) // prettier-ignore

const max_lock_age_ms = 30_000
const lock_poll_ms = 50

/** Runs work while no other process of this user does; a lock of a process that was killed is removed. */
export async function withLock<T>(env: ProcessEnvironment, work: () => Promise<T>): Promise<T> {
  const folder = findConfigFolder(env)
  const lock = join(folder, 'lock')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  while (!(await tryCreate(lock))) {
    const made = await stat(lock).catch(() => null)
    if (made && Date.now() - made.mtimeMs > max_lock_age_ms) await rmdir(lock).catch(() => undefined)
    else await wait(lock_poll_ms)
  }
  try {
    return await work()
  } finally {
    await rmdir(lock).catch(() => undefined)
  }
}

async function tryCreate(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
