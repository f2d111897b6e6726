import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { CalendarDate, HostEulaConfigEntry, findEulaEntryError, isCalendarDate } from './eula-entry.ts'
import { findStapiEntryError, stapiEntryFields } from './stapi-entry.ts'

const Text = Type.String({ minLength: 1, maxLength: 2000 })
const HostName = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })
const WebUrl = Type.String({ pattern: '^https?://' })
const strict = { additionalProperties: false }

const Price = Type.Object(
  {
    product: Text,
    rate_credits: Type.Integer({ minimum: 0 }),
    minimum_km2: Type.Number({ minimum: 0 }),
    valid_from: Type.Optional(CalendarDate),
    licences: Type.Array(Text, { minItems: 1 }),
    cancel_policy: Type.Optional(
      Type.Object(
        {
          cancellable_until: Type.Enum(['PLACED', 'BEING_FULFILLED']),
          fee_pct: Type.Number({ minimum: 0, maximum: 100 }),
        },
        strict,
      ),
    ),
  },
  strict,
)

const Collection = Type.Object(
  {
    id: Text,
    title: Text,
    data_type: Type.Optional(Text),
    gsd: Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()])),
    render_params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    license: Type.Optional(Text),
    license_url: Type.Optional(WebUrl),
    attribution: Type.Optional(Text),
    price: Type.Optional(Type.Union([Price, Type.Null()])),
    /** The name of an agreement of `eulas`; absent: that of the host. */
    eula: Type.Optional(Text),
    queryables: Type.Optional(Type.Array(Text)),
  },
  strict,
)

const common = {
  name: HostName,
  title: Text,
  description: Type.Optional(Text),
  access_model: Type.Optional(Type.Enum(['open', 'commercial'])),
  scope: Type.Optional(Text),
  countries: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }))),
  license: Text,
  license_url: WebUrl,
  attribution: Text,
  providers: Type.Optional(
    Type.Array(Type.Object({ name: Text, roles: Type.Array(Text), url: Type.Optional(WebUrl) }, strict)),
  ),
  asset_keys: Type.Optional(Type.Array(Text, { minItems: 1 })),
  eulas: Type.Optional(Type.Array(HostEulaConfigEntry)),
  /** The agreement of the collections that name none. */
  eula: Type.Optional(Text),
}

/** The fields of a host that is reached over HTTP. */
const connection = {
  url: WebUrl,
  token_origins: Type.Optional(Type.Array(WebUrl)),
  allow_private: Type.Optional(Type.Boolean()),
  private_origins: Type.Optional(Type.Array(WebUrl)),
}

const StacEntry = Type.Object(
  {
    kind: Type.Literal('stac'),
    ...common,
    ...connection,
    signing: Type.Optional(Type.Enum(['none', 'planetary-computer', 'bearer'])),
    collections: Type.Optional(Type.Array(Text, { minItems: 1 })),
  },
  strict,
)

const StapiEntry = Type.Object({ kind: Type.Literal('stapi'), ...common, ...connection, ...stapiEntryFields }, strict)

const archive = {
  kind: Type.Literal('archive'),
  ...common,
  collections: Type.Array(Collection, { minItems: 1 }),
  /** Seconds after which the files are listed again. */
  refresh_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
}
const FolderEntry = Type.Object({ ...archive, folder: Text }, strict)
const BucketEntry = Type.Object(
  { ...archive, bucket: Type.String({ pattern: '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/.*)?$' }) },
  strict,
)

export type StacHostConfigEntry = Static<typeof StacEntry>
export type StapiHostConfigEntry = Static<typeof StapiEntry>
export type FolderHostConfigEntry = Static<typeof FolderEntry>
export type BucketHostConfigEntry = Static<typeof BucketEntry>
export type ArchiveHostConfigEntry = FolderHostConfigEntry | BucketHostConfigEntry
export type HostConfigEntry = StacHostConfigEntry | StapiHostConfigEntry | ArchiveHostConfigEntry

/** The file of `CATALOG_HOSTS_FILE` cannot be used; the message is a clause for the operator. */
export class HostsFileError extends Error {}

const fail = (path: string, reason: string): never => {
  throw new HostsFileError(`the file "${path}" of CATALOG_HOSTS_FILE ${reason}`)
}

/** The hosts of an operator's file; folders are relative to it. Throws `HostsFileError`. */
export async function readHostsConfigFile(path: string): Promise<readonly HostConfigEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => fail(path, 'cannot be read'))
  const entries = parseEntries(path, text)
  const names = new Set<string>()
  return entries.map((entry, index) => {
    const valid = validateEntry(path, entry, index)
    if (names.has(valid.name)) fail(path, `has two hosts with the name "${valid.name}"`)
    names.add(valid.name)
    return 'folder' in valid ? { ...valid, folder: resolve(path, '..', valid.folder) } : valid
  })
}

function parseEntries(path: string, text: string): readonly unknown[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return fail(path, 'is not valid JSON')
  }
  const hosts = typeof document === 'object' && document !== null && 'hosts' in document ? document.hosts : null
  return Array.isArray(hosts) ? (hosts as unknown[]) : fail(path, 'must be an object with a list "hosts"')
}

function validateEntry(path: string, entry: unknown, index: number): HostConfigEntry {
  const fields = typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : {}
  const where = typeof fields['name'] === 'string' ? `the host "${fields['name']}"` : `host ${index + 1} of the list`
  const schema = schemaOf(fields)
  if (!schema)
    return fail(path, `is wrong: ${where} needs a kind, "stac", "stapi" or "archive", an archive a folder or a bucket`)
  const validator = Compile(schema)
  if (validator.Check(entry)) {
    const mistake = findMistake(entry as HostConfigEntry)
    return mistake === null ? (entry as HostConfigEntry) : fail(path, `is wrong: ${where}, ${mistake}`)
  }
  const [error] = validator.Errors(entry)
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const isUnknown = error?.keyword === 'boolean' || error?.keyword === 'additionalProperties'
  return fail(
    path,
    `is wrong: ${where}${field ? `, field "${field}",` : ''} ${isUnknown ? 'is not a known field' : (error?.message ?? 'is invalid')}`,
  )
}

/** Finds a mistake that the schema cannot exclude; a clause, or null. */
function findMistake(entry: HostConfigEntry): string | null {
  const stapiMistake = entry.kind === 'stapi' ? findStapiEntryError(entry) : null
  if (stapiMistake !== null) return stapiMistake
  const collections = entry.kind === 'archive' ? entry.collections : []
  const offers =
    entry.kind === 'stapi' ? { field: 'products', list: entry.products } : { field: 'collections', list: collections }
  const impossible = collections.findIndex(({ price }) => price?.valid_from && !isCalendarDate(price.valid_from))
  if (impossible >= 0) return `field "collections.${impossible}.price.valid_from", is a date that does not exist`
  return findEulaEntryError(
    entry.eulas ?? [],
    { field: offers.field, names: offers.list.map(({ eula }) => eula) },
    entry.eula,
  )
}

function schemaOf(fields: Readonly<Record<string, unknown>>) {
  if (fields['kind'] === 'stac') return StacEntry
  if (fields['kind'] === 'stapi') return StapiEntry
  if (fields['kind'] !== 'archive' || 'folder' in fields === 'bucket' in fields) return null
  return 'folder' in fields ? FolderEntry : BucketEntry
}
