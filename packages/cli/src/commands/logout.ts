import { revokeTokens, type SessionTokens } from '@swath/client/auth/oauth.ts'
import { Command } from 'commander'
import { writeMessage, type CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { findProfile, removeProfile } from '../profiles/profiles.ts'
import { client_id } from '../profiles/session-tokens.ts'
import { readSecret } from '../profiles/secrets.ts'

/** `swath logout`: ends the session on the server and forgets the profile. */
export function registerLogout(command: Command, context: CommandContext): void {
  command
    .option('--profile <name>', 'the profile, instead of the current one')
    .action(() => logout(context, command.opts<{ profile?: string }>().profile))
}

async function logout(context: CommandContext, asked: string | undefined): Promise<void> {
  const profile = await findProfile(context.env, asked)
  if (!profile) throw usageFailure('You are not signed in.')
  const { name, address, kind, secret_place } = profile
  const secret = await readSecret(context.env, name, secret_place)
  const isEnded =
    kind === 'session' && secret !== null ? await endSession(address, JSON.parse(secret) as SessionTokens) : null
  await removeProfile(context.env, name)
  const note = isEnded === null ? 'The key itself stays valid: swath api-keys revoke ends it.' : isEnded ? 'Its session has ended.' : 'The server could not be told; its session ends by itself.' // prettier-ignore
  writeMessage(context, `Signed out of ${address} (profile "${name}"). ${note}`)
}

const endSession = (baseUrl: string, { refreshToken }: SessionTokens): Promise<boolean> =>
  revokeTokens({ baseUrl }, refreshToken ?? '', client_id).then(
    () => true,
    () => false,
  )
