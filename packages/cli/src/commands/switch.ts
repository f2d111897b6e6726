import type { SessionTokens } from '@swath/client/auth/oauth.ts'
import { Command } from 'commander'
import { canAsk, writeMessage, type CommandContext } from '../context.ts'
import { usageFailure } from '../failures.ts'
import { findProfile, readProfiles, replaceSecret, setCurrentProfile } from '../profiles/profiles.ts'
import { readSecret } from '../profiles/secrets.ts'
import { renewTokens, withLock } from '../profiles/session-tokens.ts'

/** `swath switch`: another profile, or another organization of the person who is signed in. */
export function registerSwitch(command: Command, context: CommandContext): void {
  command
    .argument('[profile]', 'a name of swath login; without one it is asked for')
    .option('--organization <id>', 'the organization of the profile (swath users organizations list)')
    .action((name: string | undefined) => choose(context, name, command.opts<{ organization?: string }>().organization))
}

async function choose(context: CommandContext, asked: string | undefined, organization?: string): Promise<void> {
  if (organization !== undefined) return switchOrganization(context, asked, organization)
  const name = asked ?? (await askForProfile(context))
  await setCurrentProfile(context.env, name)
  const profile = await findProfile(context.env, name)
  writeMessage(context, `The next commands call ${profile?.address} as ${profile?.account}.`)
}

async function askForProfile(context: CommandContext): Promise<string> {
  const { profiles, current } = await readProfiles(context.env)
  const names = Object.keys(profiles)
  if (names.length === 0) throw usageFailure('There is no profile yet: swath login makes one.')
  if (!canAsk(context)) throw usageFailure(`Name a profile: ${names.join(', ')}.`)
  const { default: select } = await import('@inquirer/select')
  const choices = names.map((name) => ({ value: name, name: `${name}  ${profiles[name]!.account} at ${profiles[name]!.address}` })) // prettier-ignore
  return select({ message: 'Profile:', choices, ...(current ? { default: current } : {}) }, { input: context.stdin, output: context.stderr }) // prettier-ignore
}

/** The session continues for the other organization; the server refuses one that the person is not in. */
async function switchOrganization(
  { env, ...context }: CommandContext,
  asked: string | undefined,
  organization_id: string,
): Promise<void> {
  // prettier-ignore
  const profile = await findProfile(env, asked)
  if (profile?.kind !== 'session') throw usageFailure('A key is of one organization. Sign in as a person: swath login.')
  const { name, address, secret_place } = profile
  await withLock(env, async () => {
    const secret = await readSecret(env, name, secret_place)
    const tokens = await renewTokens(address, JSON.parse(secret ?? '{}') as SessionTokens, organization_id)
    await replaceSecret(env, name, JSON.stringify(tokens))
  })
  writeMessage(context, `The next commands of "${name}" act for the organization ${organization_id}.`)
}
