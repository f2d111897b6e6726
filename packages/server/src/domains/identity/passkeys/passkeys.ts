import { limits } from '@swath/contract/limits.ts'
import type { Passkey } from '@swath/contract/schemas/people/account.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Clock } from '../../../platform/clock.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { QueueProducer } from '../../../platform/queue/queue.ts'
import { enqueueAccountMail } from '../account/account-mails.ts'
import { lockUser } from '../memberships/store.memberships.ts'
import { deleteCodesWithoutFactor } from '../second-factor/manage-totp.ts'
import type { AuthenticationMethod } from '../second-factor/methods.ts'
import { createFirstRecoveryCodes } from '../second-factor/recovery-codes.ts'
import type { UserAuthRow } from '../store.ts'
import type { RelyingParty } from './relying-party.ts'
import {
  deletePasskey,
  deletePasskeyChallenge,
  findPasskeyByCredential,
  insertPasskey,
  insertPasskeyChallenge,
  listPasskeys,
  updatePasskeyUse,
  type ChallengePurpose,
  type PasskeyRow,
} from './store.passkeys.ts'
import {
  createAuthenticationOptions,
  createRegistrationOptions,
  readCredential,
  readUserHandle,
  verifyAuthentication,
  verifyRegistration,
  type CeremonyOptions,
} from './webauthn.ts'

export interface PasskeyDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
  readonly queue: Pick<QueueProducer, 'enqueue'>
}

type PasskeyStore = Pick<PasskeyDependencies, 'unscoped' | 'clock'>
type Account = Pick<UserAuthRow, 'id' | 'email' | 'name'>
type Credential = Readonly<Record<string, unknown>>

export const toPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  synced: row.is_synced,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** Options of a ceremony whose challenge is stored. */
export interface StartedCeremony {
  readonly options: CeremonyOptions['options']
  readonly expires_at: Date
}

async function storeChallenge(
  { unscoped, clock }: PasskeyStore,
  { challenge, options }: CeremonyOptions,
  owner: { readonly purpose: ChallengePurpose; readonly user_id: string | null },
): Promise<StartedCeremony> {
  const expires_at = new Date(clock.now().getTime() + limits.passkey_challenge_seconds * 1000)
  await insertPasskeyChallenge(unscoped, { challenge_hash: hashSecretSha256(challenge), ...owner, expires_at })
  return { options, expires_at }
}

/** Throws `invalid-state` for a user who has as many passkeys as one may have. */
export async function beginPasskeyRegistration(
  dependencies: PasskeyStore,
  party: RelyingParty,
  account: Account,
): Promise<StartedCeremony> {
  const existing = await listPasskeys(dependencies.unscoped, account.id)
  requireFurtherPasskey(existing.length)
  const ceremony = await createRegistrationOptions(party, account, existing)
  return storeChallenge(dependencies, ceremony, { purpose: 'register', user_id: account.id })
}

function requireFurtherPasskey(count: number): void {
  if (count >= limits.max_passkeys)
    throw new Problem('invalid-state', `A user may have ${limits.max_passkeys} passkeys; remove one first.`)
}

export interface RegisteredPasskey {
  readonly passkey: PasskeyRow
  /** The first recovery codes; null for a user who has some. */
  readonly recovery_codes: string[] | null
}

const refused = (): Problem =>
  new Problem(
    'forbidden',
    'The passkey does not fit the challenge, which is valid once and for a short time; begin again.',
  )

/**
 * Registers the passkey of a response, in a transaction that `also` belongs to, and tells the user by e-mail. Throws `forbidden` if it
 * does not fit the challenge, and `invalid-state` if it is registered already.
 */
export async function finishPasskeyRegistration(
  { unscoped, clock, queue }: PasskeyDependencies,
  party: RelyingParty,
  account: Account,
  request: { readonly credential: Credential; readonly name: string; also(tx: Tx, passkey: PasskeyRow): Promise<void> },
): Promise<RegisteredPasskey> {
  const { credential, name, also } = request
  const challenge = await takeChallenge({ unscoped, clock }, credential, { purpose: 'register', user_id: account.id })
  const made = challenge === null ? null : await verifyRegistration(party, credential, challenge)
  if (!made) throw refused()
  const created_at = clock.now()
  const row = { id: newId(), user_id: account.id, name: name.trim(), ...made, created_at }
  return unscoped.transaction(async (tx) => {
    await lockUser(tx, account.id)
    requireFurtherPasskey((await listPasskeys(tx, account.id)).length)
    if (!(await insertPasskey(tx, row))) throw new Problem('invalid-state', 'The passkey is registered already.')
    const recovery_codes = await createFirstRecoveryCodes(tx, account.id, created_at)
    const mail = { user: account.id, email: account.email, details: { name: row.name }, at: created_at }
    await enqueueAccountMail(tx, queue, { kind: 'passkey-added', ...mail })
    const passkey = { ...row, last_used_at: null }
    await also(tx, passkey)
    return { passkey, recovery_codes }
  })
}

/** The challenge that a response answers, which cannot be used again; null for an unknown or expired one. */
async function takeChallenge(
  { unscoped, clock }: PasskeyStore,
  credential: Credential,
  owner: { readonly purpose: ChallengePurpose; readonly user_id: string | null },
): Promise<string | null> {
  const read = readCredential(credential)
  if (!read) return null
  const key = { challenge_hash: hashSecretSha256(read.challenge), ...owner }
  return (await deletePasskeyChallenge(unscoped, key, clock.now())) ? read.challenge : null
}

/** Lets a browser use a passkey: one of a user as the second factor, or for null any to sign in. */
export async function beginPasskeyUse(
  dependencies: PasskeyStore,
  party: RelyingParty,
  user: string | null,
): Promise<StartedCeremony> {
  const passkeys = user === null ? null : await listPasskeys(dependencies.unscoped, user)
  const ceremony = await createAuthenticationOptions(party, passkeys)
  const purpose = user === null ? 'sign-in' : 'second-factor'
  return storeChallenge(dependencies, ceremony, { purpose, user_id: user })
}

/** The passkey that a response proves, of that user or for null of anybody; null if it proves none. */
export async function usePasskey(
  dependencies: PasskeyStore,
  party: RelyingParty,
  { credential, user }: { readonly credential: Credential; readonly user: string | null },
): Promise<PasskeyRow | null> {
  const purpose = user === null ? 'sign-in' : 'second-factor'
  const challenge = await takeChallenge(dependencies, credential, { purpose, user_id: user })
  const read = readCredential(credential)
  if (challenge === null || !read) return null
  const { unscoped, clock } = dependencies
  const passkey = await findPasskeyByCredential(unscoped, read.id)
  if (!passkey || (user !== null && passkey.user_id !== user)) return null
  const handle = readUserHandle(credential)
  if (user === null ? handle !== passkey.user_id : handle !== null && handle !== passkey.user_id) return null
  const counter = await verifyAuthentication(party, credential, { challenge, passkey })
  if (counter === null) return null
  return (await updatePasskeyUse(unscoped, passkey.id, { counter, used_at: clock.now() })) ? passkey : null
}

/** What the use of a passkey proves: a key that is bound to a device or not, whose device has verified its user. */
export const methodsOfPasskey = ({ is_synced }: Pick<PasskeyRow, 'is_synced'>): readonly AuthenticationMethod[] => [
  is_synced ? 'swk' : 'hwk',
  'mfa',
]

/** Removes a passkey of a user, and tells the user by e-mail. Throws `not-found`. */
export const removePasskey = (
  { unscoped, clock, queue }: PasskeyDependencies,
  { id: user, email }: Account,
  id: string,
): Promise<void> =>
  unscoped.transaction(async (tx) => {
    const passkey = await findOwnPasskey(tx, user, id)
    if (!passkey || !(await deletePasskey(tx, user, passkey.id))) throw createUnknownPasskeyProblem(id)
    await deleteCodesWithoutFactor(tx, user)
    const details = { name: passkey.name }
    await enqueueAccountMail(tx, queue, { kind: 'passkey-removed', user, email, details, at: clock.now() })
  })

/** Throws `not-found` unless the user has the passkey. */
export async function requireOwnPasskey(db: SqlStatementRunner, user: string, id: string): Promise<void> {
  if (!(await findOwnPasskey(db, user, id))) throw createUnknownPasskeyProblem(id)
}

const findOwnPasskey = async (db: SqlStatementRunner, user: string, id: string): Promise<PasskeyRow | undefined> =>
  (await listPasskeys(db, user)).find((passkey) => passkey.id === id.toLowerCase())

/** The same for a passkey of somebody else and for none. */
export const createUnknownPasskeyProblem = (id: string): Problem =>
  new Problem('not-found', `You have no passkey with the id "${id}".`)
