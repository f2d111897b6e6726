import type { Config } from './config.ts'
import { ConfigFault } from './config.ts'
import { MasterSecretFault } from './crypto/master-secret.ts'
import { InstallationFault } from './installation.ts'
import { DatabaseFailure, type DatabaseFailureName } from './database/failures.ts'

type Where = Pick<Config, 'host' | 'port' | 'database_url' | 'database_migration_url' | 'data_dir'>

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const fullDisk = ({ data_dir }: Where): string =>
  `The disk of the data folder ${data_dir} is full. Make room there, then start again.`

/** What the operating system says about listening and files, by its code. */
const systemSentences: Readonly<Record<string, (where: Where) => string>> = {
  EADDRINUSE: ({ host, port }) => `Port ${port} of ${host} is in use by another program. Name a free one with PORT.`,
  ENOSPC: (where) => fullDisk(where),
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine. Name another one with HOST.`,
}

const listenSentences: Readonly<Record<string, (where: Where) => string>> = {
  EACCES: ({ host, port }) =>
    `Port ${port} of ${host} may not be listened on by this user. Name another one with PORT.`,
  ENOTFOUND: ({ host }) => `${host} is no address of this machine. Name another one with HOST.`,
}

/** Where the database is, without who signs in to it. */
function databaseAt(url: string | null): string {
  if (!url || !URL.canParse(url)) return 'The database'
  const { hostname, port } = new URL(url)
  return `The database at ${hostname || 'localhost'}:${port || '5432'}`
}

/** Refusals of the database that an operator can do something about. */
const databaseSentences: Partial<Record<DatabaseFailureName, (where: Where, failure: DatabaseFailure) => string>> = {
  'disk-full': (where) => fullDisk(where),
  'folder-in-use': (_, { message }) => sentence(message),
  'folder-unusable': (_, { message }) => sentence(message),
  'migration-refused': (_, { message }) => sentence(message),
  'privileges-missing': (_, { message }) => sentence(message),
  'owner-unavailable': ({ database_migration_url }, failure) =>
    `${databaseAt(database_migration_url)} cannot be used: ${reasonOf(failure, database_migration_url)}. It is the one that DATABASE_MIGRATION_URL names.`,
  'database-unavailable': (where, failure) =>
    where.database_url
      ? `${databaseAt(where.database_url)} cannot be used: ${reasonOf(failure, where.database_url)}. It is the one that DATABASE_URL names.`
      : sentence(failure.message),
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The first line of what lies behind a failure. An address may be quoted in it, its password never. */
function reasonOf(failure: DatabaseFailure, url: string | null): string {
  const { cause } = failure
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  const text = inner instanceof Error ? inner.message || codeOf(inner) : failure.message
  const secret = url && URL.canParse(url) ? new URL(url).password : ''
  const [line = ''] = text.split('\n')
  return [secret, decodeURIComponent(secret)].reduce((said, part) => (part ? said.replaceAll(part, '…') : said), line)
}

/**
 * Why a house does not start, in one sentence for its operator; null for a fault of ours, which needs its stack. Where
 * the configuration itself could not be read there is none.
 */
export function startRefusal(error: unknown, where: Where | null): string | null {
  if (error instanceof ConfigFault) return error.message
  if (error instanceof MasterSecretFault || error instanceof InstallationFault) return sentence(error.message)
  if (!where) return null
  if (error instanceof DatabaseFailure) return databaseSentences[error.failure]?.(where, error) ?? null
  const code = codeOf(error)
  const isListening =
    error instanceof Error && 'syscall' in error && /^(listen|getaddrinfo)$/.test(String(error.syscall))
  return (systemSentences[code] ?? (isListening ? listenSentences[code] : undefined))?.(where) ?? null
}
