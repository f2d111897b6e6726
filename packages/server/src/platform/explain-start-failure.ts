import type { Config } from './config.ts'
import { ConfigError } from './config.ts'
import { MasterSecretError } from './crypto/master-secret.ts'
import { HostsFileError } from './integrations/hosts/hosts-file.ts'
import { InstallationMismatch } from './installation.ts'
import { DatabaseFailure, type DatabaseFailureName } from './database/failures.ts'

type StartSettings = Pick<Config, 'host' | 'port' | 'database_url' | 'database_migration_url' | 'data_dir'>

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const diskFullMessage = ({ data_dir }: StartSettings): string =>
  `The disk of the data folder ${data_dir} is full. Free some space, then start again.`

/** Messages for system errors of listening and files, by error code. */
const system_messages: Readonly<Record<string, (settings: StartSettings) => string>> = {
  EADDRINUSE: ({ host, port }) => `Port ${port} of ${host} is in use by another program. Set PORT to a free one.`,
  ENOSPC: (settings) => diskFullMessage(settings),
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine. Set HOST to another one.`,
}

const listen_messages: Readonly<Record<string, (settings: StartSettings) => string>> = {
  EACCES: ({ host, port }) =>
    `Port ${port} of ${host} requires privileges that this user does not have. Set PORT to another one.`,
  ENOTFOUND: ({ host }) => `${host} is not an address of this machine. Set HOST to another one.`,
}

/** Failures whose message is a clause for the operator. */
const sentence_failures = [MasterSecretError, InstallationMismatch, HostsFileError] as const

/** The host and port of the database, without credentials. */
function describeDatabase(url: string | null): string {
  if (!url || !URL.canParse(url)) return 'The database'
  const { hostname, port } = new URL(url)
  return `The database at ${hostname || 'localhost'}:${port || '5432'}`
}

/** Messages for database failures that an operator can fix. */
const database_messages: Partial<
  Record<DatabaseFailureName, (settings: StartSettings, failure: DatabaseFailure) => string>
> = {
  'disk-full': (settings) => diskFullMessage(settings),
  'folder-in-use': (_, { message }) => toSentence(message),
  'folder-unusable': (_, { message }) => toSentence(message),
  'migration-refused': (_, { message }) => toSentence(message),
  'privileges-missing': (_, { message }) => toSentence(message),
  'owner-unavailable': ({ database_migration_url }, failure) =>
    `${describeDatabase(database_migration_url)} cannot be used: ${describeCause(failure, database_migration_url)}. Check DATABASE_MIGRATION_URL.`,
  'database-unavailable': (settings, failure) =>
    settings.database_url
      ? `${describeDatabase(settings.database_url)} cannot be used: ${describeCause(failure, settings.database_url)}. Check DATABASE_URL.`
      : toSentence(failure.message),
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The first line of the cause of a failure. It may contain the URL, but never the password. */
function describeCause(failure: DatabaseFailure, url: string | null): string {
  const { cause } = failure
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  const text = inner instanceof Error ? inner.message || errorCode(inner) : failure.message
  const secret = url && URL.canParse(url) ? new URL(url).password : ''
  const [firstLine = ''] = text.split('\n')
  return [secret, decodeURIComponent(secret)].reduce(
    (redacted, part) => (part ? redacted.replaceAll(part, '…') : redacted),
    firstLine,
  )
}

/**
 * The reason why the server does not start, in one sentence for its operator; null for an internal error, whose stack
 * is then printed. `settings` is null if the configuration itself is invalid.
 */
export function describeStartFailure(error: unknown, settings: StartSettings | null): string | null {
  if (error instanceof ConfigError) return error.message
  if (sentence_failures.some((kind) => error instanceof kind)) return toSentence((error as Error).message)
  if (!settings) return null
  if (error instanceof DatabaseFailure) return database_messages[error.failure]?.(settings, error) ?? null
  const code = errorCode(error)
  const isListening =
    error instanceof Error && 'syscall' in error && /^(listen|getaddrinfo)$/.test(String(error.syscall))
  return (system_messages[code] ?? (isListening ? listen_messages[code] : undefined))?.(settings) ?? null
}
