import {
  decryptText,
  decryptTextWithAny,
  deriveKeys,
  encryptText,
  type CurrentAndAcceptedKeys,
} from '../crypto/signatures.ts'
import { listDistinctPublicKeys, type DocumentSignaturePublicKey } from '../crypto/document-signer.ts'
import type { Database } from '../database/database.ts'
import { readInstallation, recordReplacedMasterSecret } from '../installation.ts'
import {
  encryptedColumns,
  encryptedDirectoryColumns,
  type EncryptedColumn,
  type EncryptedDirectoryColumn,
} from './sealed-columns.ts'
import {
  findEncryptedSigningKeyRing,
  listEncryptedDirectoryTexts,
  listEncryptedTexts,
  updateEncryptedKeyRing,
  updateEncryptedDirectoryText,
  updateEncryptedText,
  type EncryptedText,
} from './store.sealed-texts.ts'

/** A stored text was encrypted with none of the master secrets. */
export class UnknownMasterSecret extends Error {}

export interface SecretReplacement {
  /** The new secret, then those that it replaces. */
  readonly masterSecrets: CurrentAndAcceptedKeys
  readonly listOrganizations: () => Promise<readonly string[]>
  /** The public key of receipts that a master secret signs. */
  readonly receiptKeyOf: (secret: Uint8Array) => DocumentSignaturePublicKey
}

const page_size = 500

/**
 * Encrypts everything that is stored encrypted with the current master secret, while processes that accept both serve, and
 * records that it replaced the previous one. Can be repeated after it was interrupted. Throws `UnknownMasterSecret` if a text
 * was encrypted with neither; then nothing is recorded.
 *
 * @returns how many texts were encrypted anew.
 */
export async function replaceMasterSecret(
  database: Database,
  { masterSecrets, listOrganizations, receiptKeyOf }: SecretReplacement,
): Promise<number> {
  const { receiptKeys } = await readInstallation(database, masterSecrets)
  let count = await resealKeyRing(database, deriveKeys(masterSecrets, 'signing-keys'))
  for (const column of encryptedDirectoryColumns)
    count += await resealDirectoryColumn(database, column, deriveKeys(masterSecrets, column.purpose))
  for (const organization of await listOrganizations())
    for (const column of encryptedColumns)
      count += await resealColumn(database, organization, { column, keys: deriveKeys(masterSecrets, column.purpose) })
  const [current, ...replaced] = masterSecrets
  await recordReplacedMasterSecret(
    database,
    current,
    listDistinctPublicKeys([...replaced.map(receiptKeyOf), ...receiptKeys]),
  )
  return count
}

/** The text encrypted with the first key; null if it is so already. */
function reseal([current, ...replaced]: CurrentAndAcceptedKeys, sealed: string, place: string): string | null {
  if (decryptText(current, sealed) !== null) return null
  const text = decryptTextWithAny(replaced, sealed)
  if (text === null) throw new UnknownMasterSecret(`${place} was encrypted with neither of the two master secrets`)
  return encryptText(current, text)
}

/** The rows of a sealed column, and how one of them is replaced. */
interface SealedTexts {
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly EncryptedText[]>
  update(change: { readonly text: EncryptedText; readonly sealed: string }): Promise<boolean>
}

async function resealTexts(
  { list, update }: SealedTexts,
  keys: CurrentAndAcceptedKeys,
  place: string,
): Promise<number> {
  let count = 0
  let page: readonly EncryptedText[]
  let after = ''
  do {
    page = await list({ after, limit: page_size })
    for (const text of page) {
      const sealed = reseal(keys, text.sealed, `${place} of ${text.id}`)
      if (sealed !== null && (await update({ text, sealed }))) count += 1
      after = text.id
    }
  } while (page.length === page_size)
  return count
}

function resealColumn(
  database: Database,
  organization: string,
  { column, keys }: { readonly column: EncryptedColumn; readonly keys: CurrentAndAcceptedKeys },
): Promise<number> {
  const db = database.forOrganization(organization, 'background')
  const texts: SealedTexts = {
    list: (page) => listEncryptedTexts(db, organization, column, page),
    update: (change) => updateEncryptedText(db, organization, column, change),
  }
  return resealTexts(texts, keys, `${column.table}.${column.column}`)
}

function resealDirectoryColumn(
  { unscoped }: Database,
  column: EncryptedDirectoryColumn,
  keys: CurrentAndAcceptedKeys,
): Promise<number> {
  const texts: SealedTexts = {
    list: (page) => listEncryptedDirectoryTexts(unscoped, column, page),
    update: (change) => updateEncryptedDirectoryText(unscoped, column, change),
  }
  return resealTexts(texts, keys, `${column.table}.${column.column}`)
}

async function resealKeyRing({ unscoped }: Database, keys: CurrentAndAcceptedKeys): Promise<number> {
  for (;;) {
    const ring = await findEncryptedSigningKeyRing(unscoped)
    if (ring === null) return 0
    const sealed = ring.keys.map((key) => reseal(keys, key.private_sealed, `the signing key ${key.kid}`))
    const changed = sealed.filter((text) => text !== null).length
    const resealed = ring.keys.map((key, index) => ({ ...key, private_sealed: sealed[index] ?? key.private_sealed }))
    if (changed === 0 || (await updateEncryptedKeyRing(unscoped, { ...ring, keys: resealed }))) return changed
  }
}
