import { join } from 'node:path'
import type { ProcessEnvironment } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { findConfigFolder, readPrivateJson, writePrivateJson } from './private-file.ts'
import { deleteSecret, saveSecret, type SecretPlace } from './secrets.ts'

/** A server and who calls it. Its secret, an API key or the tokens of a session, is kept apart. */
export interface Profile {
  readonly address: string
  readonly kind: 'key' | 'session'
  /** Who signed in, for people. */
  readonly account: string
  readonly secret_place: SecretPlace
}

export interface Profiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

const profilesFile = (env: ProcessEnvironment): string => join(findConfigFolder(env), 'profiles.json')

export const readProfiles = (env: ProcessEnvironment): Promise<Profiles> =>
  readPrivateJson<Profiles>(profilesFile(env), { current: null, profiles: {} })

/** The profile of a name, or else of SWATH_PROFILE, or else the current one; null if there is none. Throws for an unknown name. */
export async function findProfile(
  env: ProcessEnvironment,
  asked?: string,
): Promise<(Profile & { readonly name: string }) | null> {
  // prettier-ignore
  const { current, profiles } = await readProfiles(env)
  const name = asked ?? env['SWATH_PROFILE'] ?? current
  if (!name) return null
  const profile = profiles[name]
  if (profile) return { ...profile, name }
  throw usageFailure(`There is no profile "${name}". ${describeNames(Object.keys(profiles))}`)
}

const describeNames = (names: readonly string[]): string =>
  names.length > 0 ? `There are: ${names.join(', ')}.` : 'This makes one: swath login.'

/** Stores a profile with its secret and makes it the current one. */
export async function saveProfile(
  env: ProcessEnvironment,
  name: string,
  { secret, ...profile }: Omit<Profile, 'secret_place'> & { readonly secret: string },
): Promise<Profile> {
  const secret_place = await saveSecret(env, name, secret)
  const { profiles } = await readProfiles(env)
  const saved = { ...profile, secret_place }
  await writePrivateJson(profilesFile(env), { current: name, profiles: { ...profiles, [name]: saved } })
  return saved
}

/** Stores a new secret of a profile, and where it is: a keychain may have come or gone since the sign-in. */
export async function replaceSecret(env: ProcessEnvironment, name: string, secret: string): Promise<void> {
  const secret_place = await saveSecret(env, name, secret)
  const stored = await readProfiles(env)
  const profile = stored.profiles[name]
  if (!profile || profile.secret_place === secret_place) return
  const profiles = { ...stored.profiles, [name]: { ...profile, secret_place } }
  await writePrivateJson(profilesFile(env), { ...stored, profiles })
}

export async function setCurrentProfile(env: ProcessEnvironment, name: string): Promise<void> {
  await findProfile(env, name)
  const { profiles } = await readProfiles(env)
  await writePrivateJson(profilesFile(env), { current: name, profiles })
}

/** Removes a profile with its secret; the current one becomes the first of the others. */
export async function removeProfile(env: ProcessEnvironment, name: string): Promise<void> {
  const { current, profiles } = await readProfiles(env)
  const profile = profiles[name]
  if (profile) await deleteSecret(env, name, profile.secret_place)
  const rest = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name))
  await writePrivateJson(profilesFile(env), {
    current: current === name ? (Object.keys(rest)[0] ?? null) : current,
    profiles: rest,
  })
}
