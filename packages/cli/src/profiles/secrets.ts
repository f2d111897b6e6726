import { join } from 'node:path'
import type { ProcessEnvironment } from '../context.ts'
import { findConfigFolder, readPrivateJson, writePrivateJson } from './private-file.ts'

/** Where the secret of a profile is: in the keychain of the system, or in a file that only its owner can read. */
export type SecretPlace = 'keychain' | 'file'

interface KeychainEntry {
  setPassword(secret: string): void
  getPassword(): string | null
  deletePassword(): boolean
}

const keychainService = 'swath'

/** Null where there is no keychain, such as on servers and in containers, or where its package was not installed. */
async function openKeychain(env: ProcessEnvironment, profile: string): Promise<KeychainEntry | null> {
  if (env['SWATH_NO_KEYCHAIN']) return null
  try {
    const { Entry } = await import('@napi-rs/keyring')
    return new Entry(keychainService, profile)
  } catch {
    return null
  }
}

const secretsFile = (env: ProcessEnvironment): string => join(findConfigFolder(env), 'secrets.json')

/** Stores the secret of a profile, in the keychain if it keeps it, and returns where it is. */
export async function saveSecret(env: ProcessEnvironment, profile: string, secret: string): Promise<SecretPlace> {
  const keychain = await openKeychain(env, profile)
  try {
    keychain?.setPassword(secret)
    if (keychain?.getPassword() === secret) return 'keychain'
  } catch {
    // The keychain is locked, or nothing answers for it.
  }
  await changeFile(env, (secrets) => ({ ...secrets, [profile]: secret }))
  return 'file'
}

/** Null if it is not there any more. */
export async function readSecret(env: ProcessEnvironment, profile: string, place: SecretPlace): Promise<string | null> {
  if (place === 'file') return (await readSecrets(env))[profile] ?? null
  try {
    return (await openKeychain(env, profile))?.getPassword() ?? null
  } catch {
    return null
  }
}

export async function deleteSecret(env: ProcessEnvironment, profile: string, place: SecretPlace): Promise<void> {
  if (place === 'file')
    return changeFile(env, (secrets) => Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== profile))) // prettier-ignore
  try {
    ;(await openKeychain(env, profile))?.deletePassword()
  } catch {
    // It is not there any more.
  }
}

type Secrets = Readonly<Record<string, string>>

const readSecrets = (env: ProcessEnvironment): Promise<Secrets> => readPrivateJson<Secrets>(secretsFile(env), {})

async function changeFile(env: ProcessEnvironment, change: (secrets: Secrets) => Secrets): Promise<void> {
  await writePrivateJson(secretsFile(env), change(await readSecrets(env)))
}
