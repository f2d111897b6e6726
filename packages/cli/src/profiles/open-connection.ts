import { createClient, type Client } from '@swath/client/client.ts'
import type { Command } from 'commander'
import {
  createSignedInClient,
  describeFailure,
  findServerDataFolder,
  isSignInRefused,
  max_retries,
  readFirstCredentials,
  readServerConnection,
  requiresSignedInUser,
  type ConnectionSource,
  type ServerConnection,
} from '../connection.ts'
import { canAsk, type CommandContext } from '../context.ts'
import { classifyFailure, CommandFailure, exitCodes, usageFailure } from '../failures.ts'
import { findProfile, type Profile } from './profiles.ts'
import { readSecret } from './secrets.ts'
import { createSessionTokenSource } from './session-tokens.ts'

export interface ConnectionOptions {
  readonly profile?: string
  readonly address?: string
}

export interface OpenConnection {
  readonly client: Client
  readonly connection: { readonly address: string; readonly source: ConnectionSource; readonly profile: string | null }
}

export const addConnectionOptions = (command: Command): Command =>
  command
    .optionsGroup('Connection:')
    .option('--profile <name>', 'a profile of swath login, instead of the current one')
    .option('--address <url>', 'the server, instead of that of the profile')

/**
 * Who calls which server: a named profile; the environment, if it has credentials; the current profile; or the terminal's API key
 * of the server that was started in this folder. Throws a sentence that says how to sign in.
 */
export async function openConnection(context: CommandContext, options: ConnectionOptions): Promise<OpenConnection> {
  const { env } = context
  const asked = options.address ?? (hasCredentials(env) ? undefined : env['SWATH_ADDRESS'])
  const address = asked === undefined ? undefined : toOrigin(asked)
  if (options.profile !== undefined || !hasCredentials(env)) {
    const profile = await findProfile(env, options.profile)
    if (profile) {
      // The secret of a profile is for its server alone.
      if (address !== undefined && address !== toOrigin(profile.address))
        throw usageFailure(`The profile "${profile.name}" is of ${profile.address}. Sign in there: swath login --address ${address} --profile NAME`) // prettier-ignore
      return openProfile(context, profile)
    }
  }
  if (address !== undefined && env['SWATH_ADDRESS'] && address !== toOrigin(env['SWATH_ADDRESS']) && hasCredentials(env))
    // The secrets of the environment are for its server alone.
    throw usageFailure(`The credentials of the environment are for ${env['SWATH_ADDRESS']}, not for ${address}: name a profile (--profile), or set SWATH_ADDRESS to it.`) // prettier-ignore
  const named = address ?? (env['SWATH_ADDRESS'] ? toOrigin(env['SWATH_ADDRESS']) : undefined)
  const addressed = named === undefined ? env : { ...env, SWATH_ADDRESS: named }
  return openServerConnection(context, await readServerConnection(addressed).catch(explainMissing))
}

/** The origin of the URL of a server: paths are those of the API. Throws a usage failure for anything else. */
export function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw usageFailure(`"${text}" is not the URL of a server, such as https://swath.example.org.`)
  return url.origin
}

const hasCredentials = (env: CommandContext['env']): boolean =>
  Boolean(env['SWATH_KEY'] || (env['SWATH_USERNAME'] && env['SWATH_PASSWORD']))

const explainMissing = (error: Error): never => {
  throw new CommandFailure('signIn', `You are not signed in: swath login --address URL. Or, for a server of this folder: ${error.message}`, { cause: error }) // prettier-ignore
}

async function openProfile(context: CommandContext, profile: Profile & { name: string }): Promise<OpenConnection> {
  const { address, name, kind, secret_place } = profile
  const connection = { address, source: 'profile', profile: name } as const
  if (kind === 'session') return { client: createClient({ baseUrl: address, maxRetries: max_retries, token: createSessionTokenSource(context.env, profile) }), connection } // prettier-ignore
  const token = await readSecret(context.env, name, secret_place)
  if (token === null) throw new CommandFailure('signIn', `The key of the profile "${name}" is not there any more: swath login --key-stdin --profile ${name}`) // prettier-ignore
  return { client: createClient({ baseUrl: address, maxRetries: max_retries, token }), connection }
}

const openServerConnection = (context: CommandContext, connection: ServerConnection): OpenConnection => ({
  client: createSignedInClient(connection, () => askForOtp(context)),
  connection: { address: connection.address, source: connection.source, profile: null },
})

/** The code of the environment, or the one that is entered in a terminal; null without either. */
export async function askForOtp(context: CommandContext): Promise<string | null> {
  const given = context.env['SWATH_OTP']
  if (given) return given
  if (!canAsk(context)) return null
  const { default: input } = await import('@inquirer/input')
  const message = 'Code of the second factor:'
  return (await input({ message }, { input: context.stdin, output: context.stderr })).trim() || null
}

/**
 * Opens the connection and does work with it; a failure becomes one sentence with the way out. What only a person may call is
 * called again as the first user, if the terminal's key was refused and the first password is still valid.
 */
export async function withConnection<T>(
  context: CommandContext,
  options: ConnectionOptions,
  work: (open: OpenConnection) => Promise<T>,
): Promise<T> {
  const open = await openConnection(context, options)
  try {
    return await work(open)
  } catch (error) {
    if (open.connection.source !== 'terminal key' || !requiresSignedInUser(error)) throw toSentence(error, open)
    const person = await readFirstCredentials(findServerDataFolder(context.env)).catch(() => null)
    if (!person) throw toSentence(error, open)
    const asPerson = openServerConnection(context, person)
    return work(asPerson).catch((failure: unknown) => {
      throw isSignInRefused(failure) ? toSentence(error, open) : toSentence(failure, asPerson)
    })
  }
}

function toSentence(error: unknown, { connection }: OpenConnection): Error {
  const kind = classifyFailure(error)
  if (error instanceof CommandFailure) return error
  if (error instanceof Error && exitCodes[kind] === exitCodes.failure && !('problem' in error)) return error
  return new CommandFailure(kind, describeFailure(error, connection), { cause: error })
}
