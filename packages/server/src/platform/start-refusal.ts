import type { Config } from './config.ts'
import { ConfigFault } from './config.ts'
import { MasterSecretFault } from './crypto/master-secret.ts'
import { InstallationFault } from './installation.ts'
import { DatabaseFailure, type DatabaseFailureName } from './database/failures.ts'

type Where = Pick<Config, 'host' | 'port' | 'database_url' | 'database_migration_url' | 'data_dir'>

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const fullDisk = ({ data_dir }: Where): string =>
  `The disk of the data folder ${data_dir} is full. Free some space, then start again.`

/** Messages for system errors of listening and files, by error code. */
const systemSentences: Readonly<Record<string, (where: Where) => string>> = {
  EADDRINUSE: ({ host, port }) => `Port ${port} of ${host} is in use by another program. Set PORT to a free one.`,
  ENOSPC: (where) => fullDisk(where),
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine. Set HOST to another one.`,
}

const listenSentences: Readonly<Record<string, (where: Where) => string>> = {
  EACCES: ({ host, port }) =>
    `Port ${port} of ${host} requires privileges that this user does not have. Set PORT to another one.`,
  ENOTFOUND: ({ host }) => `${host} is not an address of this machine. Set HOST to another one.`,
}

/** The host and port of the database, without credentials. */
function databaseAt(url: string | null): string {
  if (!url || !URL.canParse(url)) return 'The database'
  const { hostname, port } = new URL(url)
  return `The database at ${hostname || 'localhost'}:${port || '5432'}`
}

/** Messages for database failures that an operator can fix. */
const databaseSentences: Partial<Record<DatabaseFailureName, (where: Where, failure: DatabaseFailure) => string>> = {
  'disk-full': (where) => fullDisk(where),
  'folder-in-use': (_, { message }) => sentence(message),
  'folder-unusable': (_, { message }) => sentence(message),
  'migration-refused': (_, { message }) => sentence(message),
  'privileges-missing': (_, { message }) => sentence(message),
  'owner-unavailable': ({ database_migration_url }, failure) =>
    `${databaseAt(database_migration_url)} cannot be used: ${reasonOf(failure, database_migration_url)}. Check DATABASE_MIGRATION_URL.`,
  'database-unavailable': (where, failure) =>
    where.database_url
      ? `${databaseAt(where.database_url)} cannot be used: ${reasonOf(failure, where.database_url)}. Check DATABASE_URL.`
      : sentence(failure.message),
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The first line of the cause of a failure. It may contain the URL, but never the password. */
function reasonOf(failure: DatabaseFailure, url: string | null): string {
  const { cause } = failure
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  const text = inner instanceof Error ? inner.message || codeOf(inner) : failure.message
  const secret = url && URL.canParse(url) ? new URL(url).password : ''
  const [line = ''] = text.split('\n')
  return [secret, decodeURIComponent(secret)].reduce((said, part) => (part ? said.replaceAll(part, '…') : said), line)
}

/**
 * Why the server does not start, in one sentence for its operator; null for an internal error, whose stack is then
 * printed. `settings` is null if the configuration itself is invalid.
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
